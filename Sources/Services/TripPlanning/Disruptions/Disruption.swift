package import Chronology
package import OpenData
package import Transit

/// A strike or another disruption of public transport in a city.
package struct Disruption: Sendable, Hashable {
    /// The kinds of disruptions, by their source.
    package enum Kind: Sendable, Hashable {
        /// A strike of a company, from the register.
        case strike(company: String)
        /// An alert of a feed, with its first words, a page about it, and whether a strike is its
        /// cause.
        case alert(header: LocalizedText, url: LocalizedText, isStrike: Bool)
    }

    /// The identifier in its register or feed.
    package let id: String
    /// Whether it is a strike of the register or an alert of a feed.
    package let kind: Kind
    /// When it takes place, in order; for a strike without the hours in which the company runs.
    package let spans: [Range<Instant>]
    /// The lines that it is about.
    package let routes: Set<RouteIndex>
    /// The stops that it is about.
    package let stops: Set<StopIndex>
    /// Whether plans count on nothing of what it is about.
    package let isClosing: Bool
    /// Whether it has disappeared from its register before it began: it is probably revoked.
    package let isRevoked: Bool

    /// Whether a strike is the cause.
    package var isStrike: Bool {
        switch kind {
        case .strike: true
        case .alert(_, _, let isStrike): isStrike
        }
    }

    /// Whether it takes place at some time of a span.
    package func touches(_ span: ClosedRange<Instant>) -> Bool {
        spans.contains { $0.lowerBound <= span.upperBound && span.lowerBound < $0.upperBound }
    }
}
