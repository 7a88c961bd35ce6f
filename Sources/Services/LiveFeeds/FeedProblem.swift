package import HTTPClient
package import OpenData

/// Why a feed's answer could not be used.
package enum FeedProblem: Error, Equatable, Sendable {
    /// There was no complete response.
    case noAnswer(HTTPClient.Failure)
    /// The server answered with an error.
    case status(Int)
    /// The feed has moved, and redirects are not followed.
    case moved(to: String)
    /// The content is not of the feed's format.
    case content(FeedFailure)
    /// More than half of the entries have errors; the first of them.
    case mostlyUnusable(usable: Int, total: Int, FeedFailure)
    /// The content is older than what is already known.
    case older

    /// Whether the address leads where the feed may not lead.
    package var isOutOfReach: Bool { self == .noAnswer(.addressNotPermitted) }

    /// One line for the operator.
    package var text: String {
        switch self {
        case .noAnswer(let failure): failure.text
        case .status(let status): "The server answered with status \(status)"
        case .moved(let address):
            "The feed has moved to \(address): configure that address"
        case .content(let failure): failure.description
        case .mostlyUnusable(let usable, let total, let failure):
            "Only \(usable) of \(total) entries can be used: \(failure)"
        case .older: "The content is older than what is already known"
        }
    }
}
