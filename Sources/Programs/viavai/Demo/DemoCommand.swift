import ArgumentParser
import Chronology
import CityData
import Columns
import Foundation
import Geo
import HTTPServer
import Journeys
import LivingCity
import Streets
import Transit
import TripPlanning
import WebApp

/// `viavai demo`: generates a city, imports it, finds journeys in it, and serves it
/// with simulated people.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Generate a demo city, plan journeys in it, and serve it with simulated people.",
        discussion: """
            The city is generated once and kept in its folder from one start to the next; remove \
            the folder to start over. The passwords of its accounts are public, so it is served \
            on this machine only.
            """
    )

    @Option(help: "The number of inhabitants, 50000 to 5000000.")
    var inhabitants = 300_000

    @Option(help: "The seed; the same seed always gives the same city.")
    var seed: UInt64 = 1

    @Option(help: ArgumentHelp("The folder for its files.", valueName: "folder"))
    var folder = "demo"

    @Option(help: "How many journeys to show.")
    var journeys = 3

    @Option(help: "How many taxis there are, 1 to 2000.")
    var taxis = 300

    @Option(
        help: ArgumentHelp(
            "The address on this machine to listen at; by default the first free port from 8080.",
            valueName: "host:port"
        )
    )
    var listen: String?

    @Flag(help: "End after the journeys, without serving the city.")
    var onlyTravel = false

    func run() async throws {
        guard (1...2_000).contains(taxis) else {
            throw CommandFailure.badInput("--taxis \(taxis): write a number from 1 to 2000")
        }
        let home = DemoFolder(
            in: URL(fileURLWithPath: folder),
            inhabitants: inhabitants,
            seed: seed,
            taxis: taxis
        )
        if onlyTravel {
            try DemoLock.take(URL(fileURLWithPath: folder))
            let made = try make()
            try travel(in: made.city)
            return
        }
        // Fail on an unusable address before minutes are spent on the import.
        let listen = try await address(home)
        try DemoLock.take(URL(fileURLWithPath: folder))
        let name: String
        if let known = home.cityName {
            name = known
            Console.answer("\(name) lives on in \(home.url.path).\n\n")
            CityReport.print(City(try CityFile.open(home.cityFile)), path: home.cityFile)
            try travel(in: home.cityFile)
        } else {
            let made = try make()
            name = made.name
            try travel(in: made.city)
            try home.begin(with: made.city)
        }
        let demo = DemoServing(home: home, cityName: name, taxis: taxis, seed: seed)
        try await demo.serve(on: listen)
    }

    /// The address to serve at: the requested one, otherwise the first free port.
    private func address(_ home: DemoFolder) async throws -> String {
        let wanted = listen.map { [$0] } ?? Self.ports.map { "127.0.0.1:\($0)" }
        for address in wanted {
            let settings = try home.settings(cityName: "", listen: address)
            if await settings.listen.isFree() { return address }
        }
        throw DemoFailure.taken(listen: wanted.first ?? "")
    }

    /// The ports that are tried, in case other servers are running.
    private static let ports = 8_080..<8_100

    /// Generates the city, imports it and describes it.
    ///
    /// - Returns: its name, and the path of the city file.
    private func make() throws -> (name: String, city: String) {
        let progress = ProgressLine()
        defer { progress.clear() }
        let place = URL(fileURLWithPath: folder)
        let made = ContinuousClock.now
        let summary = try DemoCity.write(inhabitants: inhabitants, seed: seed, to: place) {
            progress.show("inventing a city: \($0.stage)", $0.share)
        }
        let city = place.appendingPathComponent("demo.city").path
        let feeds = summary.files.dropFirst().compactMap {
            CityImport.FeedArgument($0.path)
        }
        let imported = ContinuousClock.now
        let result = try CityImport.run(osm: summary.files.first?.path, feeds: feeds) {
            progress.show($0.text, $1)
        }
        progress.show(CityImport.Step.writing.text, 0)
        try CityFile.write(result.writer, to: city)
        progress.clear()
        let done = ContinuousClock.now
        Console.answer(
            "\(summary.name) has \(inhabitants) inhabitants, \(summary.houseNumbers) house "
                + "numbers, \(summary.stops) stops and \(summary.lines) lines.\n"
                + "Invented in \(Self.seconds(imported - made)), imported in "
                + "\(Self.seconds(done - imported)).\n\n"
        )
        CityReport.print(City(try CityFile.open(city)), path: city)
        return (summary.name, city)
    }

    /// Shows journeys between places chosen by the seed, on a Wednesday in May.
    private func travel(in path: String) throws {
        let city = City(try CityFile.open(path))
        var search = TripSearch(CitySnapshot(city))
        let places = PlaceReader(city: city)
        guard let time = places.time("2026-05-13T08:30") else { return }
        for pair in DemoJourneys.pairs(in: city, count: journeys, seed: seed) {
            let question = TripQuestion(
                from: places.place(at: pair.from),
                to: places.place(at: pair.to),
                time: time
            )
            guard let answer = try? search.answer(question) else { continue }
            Console.answer("\n" + TripText(answer, zone: city.timetable.zone).text)
        }
        Console.answer(
            """

            Ask for yourself:
              viavai plan --city \(path) --from "Piazza del Duomo" --to 44.92,9.91 \
            --depart 2026-05-13T18:00


            """
        )
    }

    private static func seconds(_ duration: Duration) -> String {
        let tenths =
            (duration.components.seconds * 10)
            + duration.components.attoseconds / 100_000_000_000_000_000
        return "\(tenths / 10).\(tenths % 10) s"
    }
}

/// Random places in a city between which to plan journeys.
enum DemoJourneys {
    /// Pairs of places on streets, some kilometres apart; the same seed gives the same pairs.
    static func pairs(
        in city: City,
        count: Int,
        seed: UInt64
    ) -> [(from: Coordinate, to: Coordinate)] {
        let streets = city.streets
        guard streets.vertexCount > 1 else { return [] }
        var state = seed
        func place() -> Coordinate {
            // Knuth's multiplier (MMIX); the upper bits are the random ones.
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let vertex = Int((state >> 33) % UInt64(streets.vertexCount))
            return streets.place(of: .init(rawValue: UInt32(vertex)))
        }
        var pairs: [(from: Coordinate, to: Coordinate)] = []
        for _ in 0..<(count * 100) where pairs.count < count {
            let from = place()
            let to = place()
            if (2_000...8_000).contains(from.distanceMetres(to: to)) { pairs.append((from, to)) }
        }
        return pairs
    }
}
