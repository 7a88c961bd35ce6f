import Chronology
import CityData
import Columns
import Foundation
import Geo
import Journeys
import SeededRandom
import Streets
import TestSupport
import Testing
import Transit

/// Issue 2: "The kernel targets also compile in Embedded mode for wasm32: a script proves it, and
/// queries on a real city file run under `wasmkit` with the same answers".
@Suite("The kernel as a WebAssembly module", .serialized)
struct WasmTests {
    /// A demo city, created at its first use.
    private static let demo = Result {
        let folder = try TemporaryFolder()
        let made = try DemoCity.write(inhabitants: 50_000, seed: 3, to: folder.url)
        let result = try CityImport.run(
            osm: made.files.first?.path,
            feeds: made.files.dropFirst().compactMap { CityImport.FeedArgument($0.path) },
            progress: { _, _ in }
        )
        try CityFile.write(result.writer, to: folder.path("demo.city"))
        return folder
    }

    @Test(
        "answers in a demo city are those of the program, byte for byte",
        arguments: [[], ["--max-walk", "700"], ["--wheelchair"]]
    )
    func demoCity(wishes: [String]) throws {
        let folder = try Self.demo.get()
        let city = City(try CityFile.open(folder.path("demo.city")))
        let questions = WasmQuestions(city, day: "2026-05-13", seed: 1)
        let count = Effort.instances(wishes.isEmpty ? 400 : 100)
        try folder.write(questions.text(count: count), to: "questions.csv")
        try expectSameAnswers(folder, wishes)
    }

    @Test(
        "answers in Milan are those of the program, byte for byte",
        .enabled(
            if: Effort.current == .everything
                && RealData.has(
                    "milan/milan.osm.pbf",
                    "milan/atm_gtfs_2014.zip",
                    "milan/trenord_gtfs_2026.zip"
                ),
            "left to the release build of make test-everything, or real data is absent"
        )
    )
    func milan() throws {
        let folder = try TemporaryFolder()
        let feeds = ["atm_gtfs_2014.zip", "trenord_gtfs_2026.zip@-626w"]
        let result = try CityImport.run(
            osm: RealData.url("milan/milan.osm.pbf").path,
            feeds: feeds.compactMap {
                CityImport.FeedArgument(RealData.folder.path + "/milan/" + $0)
            },
            progress: { _, _ in }
        )
        try CityFile.write(result.writer, to: folder.path("demo.city"))
        let city = City(try CityFile.open(folder.path("demo.city")))
        let questions = WasmQuestions(city, day: "2014-10-20", seed: 2)
        try folder.write(questions.text(count: 1_000), to: "questions.csv")
        try expectSameAnswers(folder, [])
    }

    @Test("all journeys of a window, by departure and by arrival, are those of the native kernel")
    func windows() throws {
        let folder = try Self.demo.get()
        let city = City(try CityFile.open(folder.path("demo.city")))
        let questions = try Self.junctionQuestions(city, count: Effort.instances(40))
        let header = "id,from,to,time,arrive_by,max_transfers\n"
        try folder.write(header + questions.map(\.line).joined(), to: "windows.csv")
        let run = try answer(["demo.city", "windows.csv", "--window", "7200"], in: folder)
        #expect(run.code == 0, "\(run.errors)")
        var planner = Planner(CitySnapshot(city))
        var expected = ["id,departure,arrival,transfers"]
        for (id, (_, query)) in questions.enumerated() {
            let profile = planner.profiles(
                ProfileQuery(
                    query.origin,
                    [query.destination],
                    time: query.time,
                    isArriveBy: query.isArriveBy,
                    windowSeconds: 7_200,
                    maxTransfers: query.maxTransfers
                )
            )[0]
            if let seconds = profile.directSeconds { expected.append("\(id),,\(seconds),0") }
            for journey in profile.journeys {
                let times = [journey.departure, journey.arrival]
                    .map { $0.iso8601(in: city.timetable.zone).prefix(19) }
                expected.append("\(id),\(times[0]),\(times[1]),\(journey.transfers)")
            }
        }
        #expect(run.lines == expected)
        #expect(expected.contains { $0.hasSuffix(",1") })
    }

    /// Questions between junctions on a day, by departure and by arrival in turn, with their lines.
    private static func junctionQuestions(
        _ city: City,
        count: Int
    ) throws -> [(line: String, query: JourneyQuery)] {
        let date = try #require(CivilDate(year: 2026, month: 5, day: 13))
        var random = SeededRandom(seed: 5)
        return (0..<count).map { number in
            let ends = (0..<2).map { _ in
                let vertex = UInt32.random(in: 0..<UInt32(city.streets.vertexCount), using: &random)
                return city.streets.place(of: VertexIndex(rawValue: vertex))
            }
            let hour = Int32.random(in: 10...22, using: &random)
            let isArriveBy = number % 2 == 1
            let places = ends.map {
                let latitude = WasmQuestions.degrees($0.latitude)
                return "\"\(latitude),\(WasmQuestions.degrees($0.longitude))\""
            }.joined(separator: ",")
            return (
                "\(number),\(places),2026-05-13T\(hour):00,\(isArriveBy),\n",
                JourneyQuery(
                    from: .place(ends[0]),
                    to: .place(ends[1]),
                    time: city.timetable.zone.instant(date, second: hour * 3_600),
                    isArriveBy: isArriveBy
                )
            )
        }
    }

    @Test("a damaged city file gives other answers, never a trap, where Int has 32 bits")
    func damage() throws {
        let folder = try Self.demo.get()
        let file = try CityFile.open(folder.path("demo.city"))
        let text = WasmQuestions(City(file), day: "2026-05-13", seed: 4).text(count: 40)
        try folder.write(text, to: "some.csv")
        let whole = try Data(contentsOf: folder.url.appendingPathComponent("demo.city"))
        let sections = file.sections.filter { section in
            let name = String(decoding: section.name, as: UTF8.self)
            return section.length > 0
                && ["transit", "streets", "door"].contains {
                    name.hasPrefix($0)
                }
        }
        #expect(sections.count > 50)
        let wishes = [[], ["--wheelchair"], ["--max-walk", "700"], ["--window", "3600"]]
        for seed in 0..<Effort.instances(12, everything: 240) {
            var random = SeededRandom(seed: UInt64(seed))
            var bytes = whole
            for _ in 0..<Int.random(in: 1...40, using: &random) {
                guard let section = sections.randomElement(using: &random) else { break }
                Self.damage(section, &bytes, &random)
            }
            try bytes.write(to: folder.url.appendingPathComponent("damaged.city"))
            let run = try answer(
                ["damaged.city", "some.csv"] + wishes[seed % wishes.count],
                in: folder
            )
            // A stop that no longer exists makes a query invalid, which is not a trap.
            let isRefused = run.code == 2 && run.errors.contains("holds a line that is no question")
            #expect(run.code == 0 || isRefused, "seed \(seed): \(run.errors)")
        }
    }

    /// Replaces some elements of a section.
    private static func damage(
        _ section: SectionFile.Section,
        _ bytes: inout Data,
        _ random: inout SeededRandom
    ) {
        let all = section.length / section.elementWidth
        let count = min(all, [1, 10, 1_000, all].randomElement(using: &random) ?? 1)
        let first = Int.random(in: 0...(all - count), using: &random)
        // A value with all bits set does not fit into a 32-bit `Int`.
        let isRandom = Bool.random(using: &random)
        for offset in 0..<(count * section.elementWidth) {
            bytes[section.offset + first * section.elementWidth + offset] =
                isRandom ? UInt8.random(in: 0...255, using: &random) : 0xFF
        }
    }

    @Test("what is no city file, or no question, is refused with a sentence")
    func refuses() throws {
        let folder = try Self.demo.get()
        try folder.write("id,from,to\n", to: "wrong.csv")
        var run = try answer(["wrong.csv", "wrong.csv"], in: folder)
        #expect(run.code == 2)
        #expect(run.errors.hasSuffix("city: is no city file\n"))
        run = try answer(["demo.city", "wrong.csv"], in: folder)
        #expect(run.code == 2)
        #expect(run.errors.hasSuffix("questions: holds a line that is no question\n"))
    }

    /// Runs `scripts/wasm`, which compares with the program built together with these tests.
    private func answer(
        _ arguments: [String],
        in folder: TemporaryFolder
    ) throws -> Program.Run {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { root.deleteLastPathComponent() }
        return try Program.run(
            arguments,
            of: root.appendingPathComponent("scripts/wasm"),
            in: folder,
            environment: ["VIAVAI": Program.url.path]
        )
    }

    private func expectSameAnswers(_ folder: TemporaryFolder, _ wishes: [String]) throws {
        let run = try answer(
            ["--check", "demo.city", "questions.csv"] + wishes,
            in: folder
        )
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.output.contains("questions: the same"))
    }
}
