import Chronology
import CityData
import Dispatching
import Foundation
import Geo
import HTTPClient
import Journeys
import LiveFeeds
import LivingCity
import Logging
import OpenData
import SeededRandom
import TestClock
import TestSupport
import Testing
import Transit
import TripPlanning

/// A small demo city as it is imported, with the feeds that it publishes.
struct PublishedCity: Sendable {
    let name: String
    let city: City
    let places: PlaceResolver
    let feeds: DemoFeeds
    let zone: ZoneTable

    static let seed: UInt64 = 5
    /// The city, which the tests share.
    static let shared = Result { try PublishedCity() }

    private init() throws {
        let folder = try TemporaryFolder()
        let made = try DemoCity.write(inhabitants: 50_000, seed: Self.seed, to: folder.url)
        let imported = try CityImport.run(
            osm: made.files.first?.path,
            feeds: made.files.dropFirst().compactMap { CityImport.FeedArgument($0.path) }
        ) { _, _ in }
        let path = folder.path("demo.city")
        try CityFile.write(imported.writer, to: path)
        city = City(try CityFile.open(path))
        places = PlaceResolver(
            addresses: AddressBook(city.file),
            stops: StopDirectory(city.timetable)
        )
        name = made.name
        zone = city.timetable.zone
        feeds = DemoFeeds(of: city, named: made.name, zone: zone, seed: Self.seed)
    }

    /// A local time in the city.
    func time(_ text: String) throws -> Instant {
        try #require(LocalTime(iso8601: text)).instant(in: zone)
    }

    /// A file at a moment.
    func file(_ path: String, at now: Instant) throws -> [UInt8] {
        let document = try #require(feeds.documents.first { $0.path == path }, "\(path)")
        return document.bytes(at: now, base: "http://feeds.example")
    }

    /// A system of shared vehicles at a moment, with what came of reading each of its files.
    func system(
        _ folder: String,
        at now: Instant
    ) throws -> (system: SharingSystem, readings: [SharingSystem.Reading]) {
        let discovery = try GBFSDiscovery(file("/\(folder)/gbfs.json", at: now), language: "it")
        var system = SharingSystem()
        var readings: [SharingSystem.Reading] = []
        for file in GBFSFile.allCases {
            guard let url = discovery.urls[file] else { continue }
            let path = try #require(URL(string: url)).path
            readings.append(try system.read(self.file(path, at: now), as: file))
        }
        return (system, readings)
    }

    /// Publishes the feeds while a body runs, which receives the port.
    func publish(
        _ clock: SettableClock,
        port: Int = 0,
        _ body: @escaping @Sendable (_ port: Int) async throws -> Void
    ) async throws {
        var logger = Logger(label: "feeds")
        // A publisher that a test ends is none that fails.
        logger.logLevel = .critical
        let publisher = FeedPublisher(
            feeds.documents,
            port: port,
            clock: clock.clock,
            logger: logger
        )
        try await publisher.publish(during: body)
    }

    /// What fetches the feeds of a publisher, by the demo's own settings.
    func reader(port: Int, folder: TemporaryFolder, now: Instant) throws -> LiveFeeds {
        let sources = try DemoFeeds.settings(port: port).sorted { $0.key < $1.key }.map {
            let words = $0.value.split(separator: " ").map(String.init)
            let kind = try #require(LiveFeedSource.Kind(rawValue: words[0]))
            let source = LiveFeedSource(
                name: $0.key,
                kind: kind,
                url: words[1],
                isFromConfiguration: true
            )
            return try #require(source)
        }
        let surroundings = LiveFeeds.Surroundings(
            configured: HTTPClient("viavai.feeds", scope: .loopbackOnly, threadLimit: 4),
            elsewhere: HTTPClient("viavai.others", scope: .publicOnly, threadLimit: 1),
            folder: folder.url.path,
            userAgent: "Viavai (test)",
            language: "it",
            zone: zone
        )
        return LiveFeeds(sources, surroundings, random: SeededRandom(seed: 1), now: now)
    }

    /// The stations of shared bicycles, from west to east.
    func stations(at now: Instant) throws -> [Coordinate] {
        try system("bikes", at: now).system.stations.map(\.place)
            .sorted { $0.longitude < $1.longitude }
    }

    /// The answer for a trip between two stations at opposite ends of the city.
    func trip(_ world: LiveWorld, at now: Instant) throws -> TripAnswer {
        let stations = try stations(at: now)
        let question = TripQuestion(
            from: places.place(at: try #require(stations.first)),
            to: places.place(at: try #require(stations.last)),
            time: now,
            modes: TripModes().with([.bikeshare, .carshare])
        )
        var search = TripSearch(CitySnapshot(city))
        return try search.answer(question, conditions: TripConditions(world, now: now))
    }
}
