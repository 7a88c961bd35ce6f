import Chronology
import Foundation
import HTTPClient
import OpenData
import SeededRandom
import TestSupport

@testable import LiveFeeds

/// A folder that the local server publishes as the files of feeds, and a clock.
final class FeedServer {
    let folder: TemporaryFolder
    let copies: TemporaryFolder
    let base: String
    private(set) var now: Instant

    init() async throws {
        folder = try TemporaryFolder()
        copies = try TemporaryFolder()
        let port = try await LocalServers.started().places.http
        base = "http://127.0.0.1:\(port)/files\(folder.url.path)"
        // 2026-11-27 08:00 UTC.
        now = Instant(seconds: 1_795_766_400)
    }

    func pass(_ seconds: Int64) { now = now.adding(seconds: seconds) }

    /// The address of a file.
    func url(_ name: String) -> String { "\(base)/\(name)" }

    /// Publishes a file, or an instruction to the server.
    func publish(_ text: String, as name: String) throws {
        try folder.write(text, to: name)
    }

    func publish(_ bytes: [UInt8], as name: String) throws {
        try folder.write(Data(bytes), to: name)
    }

    /// The requests for a file so far.
    func requests(_ name: String) async throws -> [LocalServers.Request] {
        let path = "/files\(folder.url.path)/\(name)"
        return try await LocalServers.started().requests(of: path)
    }

    /// A service that fetches feeds of this server.
    func feeds(
        _ sources: [LiveFeedSource],
        elsewhere: NetworkScope = .publicOnly,
        folder: String? = nil,
        startingAt start: Instant? = nil
    ) -> LiveFeeds {
        let surroundings = LiveFeeds.Surroundings(
            configured: HTTPClient("viavai.feeds", scope: .loopbackOnly, threadLimit: 4),
            elsewhere: HTTPClient("viavai.others", scope: elsewhere, threadLimit: 1),
            folder: folder ?? copies.url.path,
            userAgent: "Viavai (test)",
            language: "it",
            zone: ZoneTable(starts: [], offsets: [3_600])
        )
        return LiveFeeds(sources, surroundings, random: SeededRandom(seed: 33), now: start ?? now)
    }

    func source(_ kind: LiveFeedSource.Kind, _ file: String) throws -> LiveFeedSource {
        guard
            let source = LiveFeedSource(
                name: kind.rawValue,
                kind: kind,
                url: url(file),
                isFromConfiguration: true
            )
        else { throw CocoaError(.formatting) }
        return source
    }
}

// A small system of shared bicycles.
extension FeedServer {
    /// Publishes a system with one station, as version 3.0.
    func publishSystem(vehicles: Int = 3, made: Instant? = nil, station: String = "s1") throws {
        let made = made ?? now
        func file(_ name: String, _ data: String) throws {
            let text = """
                {"last_updated": \(made.seconds), "ttl": 60, "version": "3.0", "data": \(data)}
                """
            try publish(text, as: "\(name).json")
        }
        let names = ["system_information", "station_information", "station_status"]
        let list = names.map { #"{"name": "\#($0)", "url": "\#(url("\($0).json"))"}"# }
        try file("gbfs", #"{"feeds": [\#(list.joined(separator: ","))]}"#)
        try file(
            "system_information",
            #"""
            {"system_id": "bikes", "languages": ["it"], "timezone": "Europe/Rome",
            "name": [{"language": "it", "text": "Bici"}]}
            """#
        )
        try file(
            "station_information",
            #"""
            {"stations": [{"station_id": "s1", "lat": 45.46, "lon": 9.19, "capacity": 12,
            "name": [{"language": "it", "text": "Duomo"}]}]}
            """#
        )
        try file(
            "station_status",
            """
            {"stations": [{"station_id": "\(station)", "num_vehicles_available": \(vehicles),
            "num_docks_available": \(12 - vehicles), "is_installed": true, "is_renting": true,
            "is_returning": true, "last_reported": \(made.seconds)}]}
            """
        )
    }
}
