import Chronology
import Foundation
import HTTPClient
import OpenData

/// The last good copy of a file, as it is kept on disk.
struct FeedCopy: Equatable, Sendable {
    /// The name of the file in its feed.
    let name: String
    /// Where it came from.
    let url: String
    /// When the server last said that it is the newest version.
    let confirmed: Instant
    /// What tells it from a newer version.
    let validators: HTTPClient.Validators
    /// The bytes of the file as the server sent them.
    let body: [UInt8]

    /// The bytes on disk: a line of JSON, then the file.
    var bytes: [UInt8] {
        var members = [
            JSONObject.Member("name", .text(name)), JSONObject.Member("url", .text(url)),
            JSONObject.Member("confirmed", .integer(confirmed.seconds)),
        ]
        if let tag = validators.entityTag { members.append(.init("etag", .text(tag))) }
        if let date = validators.lastModified { members.append(.init("modified", .text(date))) }
        return Array(JSONValue.object(JSONObject(members)).json.utf8) + [0x0A] + body
    }

    init(
        name: String,
        url: String,
        confirmed: Instant,
        validators: HTTPClient.Validators,
        body: [UInt8]
    ) {
        self.name = name
        self.url = url
        self.confirmed = confirmed
        self.validators = validators
        self.body = body
    }

    /// Reads a copy; nil if the bytes are not one.
    init?(_ bytes: [UInt8]) {
        guard let end = bytes.firstIndex(of: 0x0A),
            let head = (try? JSONValue(parsing: Array(bytes[..<end])))?.object,
            let name = head["name"]?.text, let url = head["url"]?.text,
            case .integer(let seconds) = head["confirmed"]
        else { return nil }
        self.init(
            name: name,
            url: url,
            confirmed: Instant(seconds: seconds),
            validators: HTTPClient.Validators(
                entityTag: head["etag"]?.text,
                lastModified: head["modified"]?.text
            ),
            body: Array(bytes[(end + 1)...])
        )
    }
}

/// The folder of the last good copies.
struct FeedFolder: Sendable {
    let path: String

    /// The file for a copy.
    ///
    /// Names of feeds and of files have no slashes or dots of their own.
    private func url(_ feed: String, _ name: String) -> URL {
        URL(fileURLWithPath: path).appendingPathComponent("\(feed).\(name)")
    }

    /// Replaces a copy, so that a reader sees the former or the new one whole.
    func write(_ bytes: [UInt8], _ feed: String, _ name: String) throws {
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        try Data(bytes).write(to: url(feed, name), options: .atomic)
    }

    /// The bytes of a copy; nil if there is none.
    func read(_ feed: String, _ name: String) -> [UInt8]? {
        (try? Data(contentsOf: url(feed, name))).map { [UInt8]($0) }
    }
}
