/// Why a file of a live feed cannot be used, or one entry of it.
package struct FeedFailure: Error, Hashable, Sendable {
    /// The name of the file, as its format calls it.
    package let file: String
    /// The field, such as `data.bikes[1].station_id`; "" for the whole file.
    package let field: String
    /// The error that occurred.
    package let problem: Problem

    /// Creates a failure for one place in a file.
    package init(file: String, field: String, problem: Problem) {
        self.file = file
        self.field = field
        self.problem = problem
    }

    /// The kinds of errors in a live feed.
    package enum Problem: Error, Hashable, Sendable {
        /// The file is larger than the limit.
        case tooLarge(limit: Int)
        /// The file is not JSON.
        case notJSON(JSONFailure)
        /// The file is not XML.
        case notXML(XMLFailure)
        /// The file is not Protocol Buffers.
        case notProtobuf(offset: Int)
        /// A required field is missing.
        case missing
        /// The field has another type than the format gives it.
        case expected(String)
        /// The value is none that the format allows.
        case badValue(String)
        /// The field is not GeoJSON.
        case badGeometry(GeoJSONFailure)
        /// The file is of a version that cannot be read.
        case unsupportedVersion(String)
        /// The service answered with an error of its own.
        case refused(String)
        /// A list has more entries than the limit.
        case tooMany(limit: Int)
    }
}

extension FeedFailure: CustomStringConvertible {
    /// One line for people, which names the file and the field.
    package var description: String {
        field.isEmpty ? "\(file) \(problem.text)" : "\(file): \(field) \(problem.text)"
    }
}

extension FeedFailure.Problem {
    fileprivate var text: String {
        switch self {
        case .tooLarge(let limit): "is larger than \(limit) bytes"
        case .notJSON(let failure): "is not JSON: it \(failure)"
        case .notXML(let failure): "is not XML: \(failure)"
        case .notProtobuf(let offset): "is not Protocol Buffers (byte \(offset))"
        case .missing: "is missing"
        case .expected(let type): "is not \(type)"
        case .badValue(let value): "has the value \"\(value)\", which the format does not have"
        case .badGeometry(let failure): "is not an area: \(failure)"
        case .unsupportedVersion(let version): "is of version \(version), which is not supported"
        case .refused(let reason): "is an error of the service: \(reason)"
        case .tooMany(let limit): "has more than \(limit) entries"
        }
    }
}

/// The usable entries of a list, and what was wrong with the others.
package struct FeedEntries<Entry: Sendable>: Sendable {
    /// The entries that could be read, in the order of the file.
    package var entries: [Entry] = []
    /// How many entries were left out.
    package private(set) var rejectedCount = 0
    /// The first error that made an entry unusable.
    package private(set) var firstFailure: FeedFailure?

    /// Creates an empty list.
    package init() {}

    /// Counts an entry that is left out.
    package mutating func reject(_ failure: FeedFailure) {
        rejectedCount += 1
        if firstFailure == nil { firstFailure = failure }
    }
}
