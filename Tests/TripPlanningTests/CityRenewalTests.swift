import Chronology
import CityData
import Columns
import Dispatch
import Foundation
import Journeys
import Synchronization
import TestSupport
import Testing

@testable import TripPlanning

/// Issue 31, 5: a running server takes a new city file without a restart.
@Suite("Renewing a city's file")
struct CityRenewalTests {
    /// Two states of a town, of which the second has another name for its first line.
    private let towns: [TripTown]
    private let folder: TemporaryFolder
    private let cities = CurrentCities()
    /// How long a fault may take to show: tests that run at the same time occupy every thread for
    /// minutes.
    private let patience = Duration.seconds(600)

    private var path: String { folder.path("town.city") }

    init() throws {
        towns = [try TripTown(), try TripTown(line: "9")]
        folder = try TemporaryFolder()
        try CityFile.write(towns[0].writer, to: path)
    }

    private func begin(taxi: TaxiEstimator? = nil) throws -> CityRenewal {
        let open: @Sendable (CityFile.Identified, Int) -> OpenedCity = { file, _ in
            OpenedCity(file, workers: 1, taxi: taxi)
        }
        cities.begin(with: OpenedCities([open(try CityFile.openIdentified(path), 0)]))
        return CityRenewal(cities, open: open)
    }

    private func now() throws -> Instant { try towns[0].time("06:00") }

    /// The lines of the trips that the cities in service answer with.
    private func lines() async throws -> Set<String> {
        let answer = try await cities.current.answer(try towns[0].question("08:04"))
        let rides = answer.options.flatMap(\.steps).compactMap(\.ride)
        return Set(rides.map(\.lineName))
    }

    @Test("a file that is renamed into place is taken, prepared for questions; the same one is not")
    func takes() async throws {
        let renewal = try begin()
        #expect(await renewal.check(at: try now()).isEmpty)
        #expect(try await lines().contains("1"))
        try CityFile.write(towns[1].writer, to: path)
        let results = await renewal.check(at: try now())
        #expect(results == [RenewalResult(path: path, outcome: .taken, at: try now())])
        #expect(cities.renewals == results && cities.current.epoch == 1)
        #expect(cities.current.cities[0].planner.preparedDays.count == 6)
        #expect(cities.current.cities[0].guide.isPrepared)
        let after = try await lines()
        #expect(after.contains("9") && !after.contains("1"))
        #expect(await renewal.check(at: try now()).isEmpty)
    }

    @Test("a bad file changes nothing, is tried once, and again when it is asked for or replaced")
    func refuses() async throws {
        let renewal = try begin()
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        var flipped = whole
        flipped[whole.count - 1] ^= 1
        let bad: [Data?] = [
            nil, Data(), whole.prefix(whole.count / 2), flipped, Data("no city".utf8),
            Data(SectionWriter().bytes()),
        ]
        for data in bad {
            // A new file each time: the mapped one must not change.
            try FileManager.default.removeItem(atPath: path)
            if let data { try data.write(to: URL(fileURLWithPath: path)) }
            let results = await renewal.check(at: try now())
            #expect(results.count == 1 && results.first?.isRefused == true, "\(data?.count ?? -1)")
            #expect(cities.renewals == results && cities.current.epoch == 0)
            #expect(await renewal.check(at: try now()).isEmpty)
            #expect(await renewal.check(at: try now(), isForced: true) == results)
            #expect(try await lines().contains("1"))
            if data == nil { try Data().write(to: URL(fileURLWithPath: path)) }
        }
        try CityFile.write(towns[1].writer, to: path)
        #expect(await renewal.check(at: try now()).map(\.outcome) == [.taken])
        #expect(cities.renewals.map(\.isRefused) == [false])
        #expect(try await lines().contains("9"))
    }

    @Test("a file without streets does not replace one with streets")
    func keepsStreets() async throws {
        let renewal = try begin()
        try CityFile.write(try TripTown(line: "9", hasStreets: false).writer, to: path)
        let outcomes = await renewal.check(at: try now()).map(\.outcome)
        #expect(outcomes == [.refused(.noStreets)] && cities.current.epoch == 0)
    }

    /// A gate that opens once, for all who wait.
    private final class Gate: Sendable {
        private let waiting = Mutex<[CheckedContinuation<Void, Never>]?>([])

        var count: Int { waiting.withLock { $0?.count ?? 0 } }

        func pass() async {
            await withCheckedContinuation { continuation in
                let isOpen = waiting.withLock { waiting in
                    waiting?.append(continuation)
                    return waiting == nil
                }
                if isOpen { continuation.resume() }
            }
        }

        func open() {
            let all = waiting.withLock { waiting in
                defer { waiting = nil }
                return waiting ?? []
            }
            for continuation in all { continuation.resume() }
        }
    }

    @Test("questions under way end on the old file, which is released after the last of them")
    func endsOnOld() async throws {
        let gate = Gate()
        let renewal = try begin { _ in
            await gate.pass()
            return TaxiEstimate()
        }
        let question = try towns[0].question("08:04", modes: .all)
        let inFlight = (0..<5).map { _ in
            Task { [cities] in try await cities.current.answer(question) }
        }
        while gate.count < inFlight.count { await Task.yield() }
        let isReleased = released()
        try CityFile.write(towns[1].writer, to: path)
        #expect(await renewal.check(at: try now()).map(\.outcome) == [.taken])
        #expect(!isReleased())
        gate.open()
        for task in inFlight {
            let rides = try await task.value.options.flatMap(\.steps).compactMap(\.ride)
            #expect(rides.contains { $0.lineName == "1" } && !rides.contains { $0.lineName == "9" })
        }
        #expect(try await lines().contains("9"))
        // Threads end a moment after the last question.
        let limit = ContinuousClock.now + patience
        while try !isReleased() || mappings() > 1, ContinuousClock.now < limit {
            await Task.yield()
        }
        #expect(isReleased())
        #expect(try mappings() == 1)
    }

    @Test("a server that ends does not wait for a file that is being opened, and does not take it")
    func ends() async throws {
        let (openings, opening) = AsyncStream<Void>.makeStream()
        let (gate, end) = (DispatchSemaphore(value: 0), End())
        let opened = try CityFile.openIdentified(path)
        cities.begin(with: OpenedCities([OpenedCity(opened, workers: 1)]))
        let renewal = CityRenewal(cities) { file, _ in
            opening.finish()
            let result = gate.wait(timeout: .now() + .seconds(Int(patience.components.seconds)))
            end.isReached.store(result == .timedOut, ordering: .relaxed)
            return OpenedCity(file, workers: 1)
        }
        try CityFile.write(towns[1].writer, to: path)
        let moment = try now()
        let check = Task { await renewal.check(at: moment) }
        for await _ in openings {}
        check.cancel()
        #expect(await check.value.isEmpty)
        let isReached = end.isReached.load(ordering: .relaxed)
        #expect(!isReached)
        #expect(cities.current.epoch == 0 && cities.renewals.isEmpty)
        gate.signal()
    }

    @Test("nobody waits for a swap: questions are answered while the next file is being opened")
    func nobodyWaits() async throws {
        let (openings, opening) = AsyncStream<Void>.makeStream()
        let (gate, end) = (DispatchSemaphore(value: 0), End())
        let opened = try CityFile.openIdentified(path)
        cities.begin(with: OpenedCities([OpenedCity(opened, workers: 1)]))
        let renewal = CityRenewal(cities) { file, _ in
            opening.finish()
            let result = gate.wait(timeout: .now() + .seconds(Int(patience.components.seconds)))
            end.isReached.store(result == .timedOut, ordering: .relaxed)
            return OpenedCity(file, workers: 1)
        }
        try CityFile.write(towns[1].writer, to: path)
        let moment = try now()
        let check = Task { await renewal.check(at: moment) }
        for await _ in openings {}
        // The swap ends only when the gate is opened, so a question that waited for it would hang.
        for _ in 0..<Effort.instances(20, everything: 200) {
            #expect(try await lines().contains("1"))
        }
        let isReached = end.isReached.load(ordering: .relaxed)
        #expect(!isReached)
        #expect(cities.current.epoch == 0)
        gate.signal()
        #expect(await check.value.map(\.outcome) == [.taken])
        #expect(cities.current.epoch == 1)
        let after = try await lines()
        #expect(after.contains("9") && !after.contains("1"))
    }

    /// A city that is referenced weakly.
    private struct Weak {
        weak var city: OpenedCity?
    }

    /// Returns a function that tells whether the city that is in service now has been released.
    private func released() -> () -> Bool {
        let city = Weak(city: cities.current.cities[0])
        return { city.city == nil }
    }

    /// How often a file of the folder is mapped into memory, counted with the cities in service.
    private func mappings() throws -> Int {
        try withExtendedLifetime(cities) {
            // A string of the file's contents would end after its first page.
            let file = try #require(FileHandle(forReadingAtPath: "/proc/self/maps"))
            let maps = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
            return maps.split(separator: "\n").count { $0.contains(folder.url.path) }
        }
    }

    /// The memory that the process takes, in megabytes.
    private func megabytes() throws -> Int {
        let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
            .split(separator: " ")
        return (Int(fields[1]) ?? 0) * 4_096 >> 20
    }

    /// Tells when the load of a test ends.
    private final class End: Sendable {
        let isReached = Atomic(false)
    }

    @Test("renewals under load take no more memory, and every answer is from one file alone")
    func load() async throws {
        let swaps = Effort.current == .everything ? 10_000 : 300
        let renewal = try begin()
        let question = try towns[0].question("08:04")
        var expected: [TripAnswer] = []
        for town in towns {
            var search = TripSearch(CitySnapshot(town.city))
            expected.append(try search.answer(question))
        }
        try #require(expected[0] != expected[1])
        let end = End()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<3 {
                group.addTask { [cities, expected] in
                    var wrong = 0
                    while !end.isReached.load(ordering: .relaxed) {
                        let answer = try await cities.current.answer(question)
                        if !expected.contains(answer) { wrong += 1 }
                    }
                    return wrong
                }
            }
            defer { end.isReached.store(true, ordering: .relaxed) }
            // Both states as files, which are linked into place in turn.
            for (number, town) in towns.enumerated() {
                try CityFile.write(town.writer, to: folder.path("\(number)"))
            }
            var before = 0
            for swap in 1...swaps {
                let next = folder.path("next")
                try FileManager.default.linkItem(atPath: folder.path("\(swap % 2)"), toPath: next)
                try #require(rename(next, path) == 0)
                let outcomes = await renewal.check(at: try now()).map(\.outcome)
                try #require(outcomes == [.taken])
                if swap == swaps / 3 { before = try megabytes() }
            }
            end.isReached.store(true, ordering: .relaxed)
            for try await wrong in group { #expect(wrong == 0) }
            #expect(try megabytes() <= before + 16)
        }
        #expect(cities.current.epoch == swaps)
        // Threads end a moment after the last question.
        let limit = ContinuousClock.now + patience
        while try mappings() > 1, ContinuousClock.now < limit { await Task.yield() }
        #expect(try mappings() == 1)
    }
}
