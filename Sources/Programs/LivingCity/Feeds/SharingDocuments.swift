import Chronology
import OpenData

/// Writes a system of shared vehicles in GBFS 3.0.
struct SharingDocuments: Sendable {
    /// The folder of its files, which is also the name of the feed.
    let folder: String
    private(set) var documents: [FeedDocument] = []

    /// How many seconds a version of what never changes lasts.
    private static let lastingSeconds: Int64 = 3_600
    /// How many seconds a version of what changes lasts.
    private static let changingSeconds: Int64 = 120

    init(folder: String) {
        self.folder = folder
    }

    /// Adds a file that never changes.
    mutating func add(_ file: GBFSFile, _ data: JSONValue) {
        add(file, Self.lastingSeconds) { _ in data }
    }

    /// Adds a file that changes.
    mutating func add(_ file: GBFSFile, _ data: @escaping @Sendable (Instant) -> JSONValue) {
        add(file, Self.changingSeconds, data)
    }

    private mutating func add(
        _ file: GBFSFile,
        _ seconds: Int64,
        _ data: @escaping @Sendable (Instant) -> JSONValue
    ) {
        documents.append(
            Self.document(path(file.rawValue), seconds) { start, _ in data(start) }
        )
    }

    /// All files, with the entry point that lists them.
    func withEntryPoint() -> [FeedDocument] {
        let files = documents.map(\.path)
        let entry = Self.document(path("gbfs"), Self.lastingSeconds) { _, base in
            let feeds = files.map { path -> JSONValue in
                let name = path.split(separator: "/").last?.dropLast(".json".count) ?? ""
                return ["name": .text(String(name)), "url": .text(base + path)]
            }
            return ["feeds": .list(feeds)]
        }
        return [entry] + documents
    }

    private func path(_ name: String) -> String { "/\(folder)/\(name).json" }

    private static func document(
        _ path: String,
        _ seconds: Int64,
        _ data: @escaping @Sendable (_ start: Instant, _ base: String) -> JSONValue
    ) -> FeedDocument {
        FeedDocument(path: path, type: "application/json", seconds: seconds) { start, base in
            let file: JSONValue = [
                "last_updated": .text(start.iso8601(in: .utc)),
                // Those who ask that often are never late by more than half a version.
                "ttl": .integer(seconds / 2),
                "version": "3.0",
                "data": data(start, base),
            ]
            return Array(file.json.utf8)
        }
    }

    // MARK: Parts of files

    /// A text in Italian and English.
    static func text(_ italian: String, _ english: String) -> JSONValue {
        [
            ["text": .text(italian), "language": "it"], ["text": .text(english), "language": "en"],
        ]
    }

    /// Who runs a system.
    static func information(
        id: String,
        name: String,
        operatedBy company: String
    ) -> JSONValue {
        [
            "system_id": .text(id),
            "languages": ["it", "en"],
            "name": text(name, name),
            "operator": text(company, company),
            "opening_hours": "24/7",
            "feed_contact_email": .text("\(id)@demo.example"),
            "timezone": "Europe/Rome",
        ]
    }

    /// What rides cost: a price to unlock, and one for each minute from a certain one on.
    static func plan(
        _ id: String,
        name: JSONValue,
        details: JSONValue,
        unlocking: Double,
        perMinute: Double,
        from minute: Int64
    ) -> JSONValue {
        [
            "plan_id": .text(id), "name": name, "currency": "EUR", "price": .number(unlocking),
            "is_taxable": false, "description": details,
            "per_min_pricing": [
                ["start": .integer(minute), "rate": .number(perMinute), "interval": 1]
            ],
        ]
    }
}
