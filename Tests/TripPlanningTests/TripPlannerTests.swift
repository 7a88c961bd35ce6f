import Chronology
import CityData
import Geo
import Journeys
import Synchronization
import Testing
import Transit

@testable import TripPlanning

/// V16, V95: planning for strangers neither starves nor floods the server.
@Suite("Planning for many")
struct TripPlannerTests {
    private let town: TripTown

    init() throws {
        town = try TripTown()
    }

    /// The results that workers gave.
    private final class Results: Sendable {
        private let all = Mutex<[TripFailure?]>([])

        var failures: [TripFailure?] { all.withLock { $0 } }

        func add(_ result: Result<TripAnswer, TripFailure>) {
            switch result {
            case .success: all.withLock { $0.append(nil) }
            case .failure(let failure): all.withLock { $0.append(failure) }
            }
        }
    }

    private func ticket(
        _ question: TripQuestion? = nil,
        deadline: ContinuousClock.Instant? = nil
    ) throws -> TripTicket {
        let question = try question ?? town.question()
        return TripTicket(expected: question.expected, deadline: deadline)
    }

    /// What finds an answer in the tests of the queue, where nothing is answered.
    private static let find: TripWorkers.Finder<TripAnswer> = { _, _ throws(TripFailure) in
        throw .noWay
    }

    @Test("many questions at once have the answers that each has alone")
    func many() async throws {
        let planner = TripPlanner(CitySnapshot(town.city), workers: 2)
        let questions = try (0..<20).map { try town.question("08:\($0 + 10)", modes: .all) }
        var search = TripSearch(CitySnapshot(town.city))
        let expected = try questions.map { try search.answer($0) }
        let found = try await withThrowingTaskGroup(of: (Int, TripAnswer).self) { group in
            for (number, question) in questions.enumerated() {
                group.addTask { (number, try await planner.answer(question)) }
            }
            var found = [TripAnswer?](repeating: nil, count: questions.count)
            for try await (number, answer) in group { found[number] = answer }
            return found
        }
        #expect(found.compactMap(\.self) == expected)
    }

    @Test("the taxi service is asked about the ride if a taxi is wanted")
    func taxi() async throws {
        let estimate = TaxiEstimate(waitSeconds: 60)
        let planner = TripPlanner(CitySnapshot(town.city), workers: 1) { ride in
            ride.from == TripTown.west.coordinate && !ride.isArriveBy ? estimate : TaxiEstimate()
        }
        let wanted = try town.question(modes: TripModes(walk: false, taxi: true, transit: 0))
        #expect(try await planner.answer(wanted).options.map(\.taxi) == [estimate])
    }

    @Test("a question too many is refused at once, and a late or unwanted one is not answered")
    func queue() throws {
        // Without threads every question waits.
        let workers = TripWorkers(CitySnapshot(town.city), limit: 0)
        let results = Results()
        workers.accept(try ticket(deadline: .now - .seconds(1)), Self.find, results.add)
        #expect(results.failures == [.deadline])
        let withdrawn = try ticket()
        workers.accept(withdrawn, Self.find, results.add)
        #expect(workers.waitingCount == 1)
        workers.withdraw(withdrawn)
        #expect(workers.waitingCount == 0)
        workers.accept(withdrawn, Self.find, results.add)
        #expect(results.failures == [.deadline, .cancelled, .cancelled])
        for _ in 0..<TripWorkers.waitingLimit {
            workers.accept(try ticket(), Self.find, results.add)
        }
        #expect(results.failures.count == 3)
        workers.accept(try ticket(), Self.find, results.add)
        #expect(results.failures.last == .busy)
        workers.close()
        #expect(results.failures.count == 4 + TripWorkers.waitingLimit)
        workers.accept(try ticket(), Self.find, results.add)
        #expect(results.failures.last == .cancelled)
    }

    @Test("an answer that comes too late is the failure of its deadline")
    func deadline() async throws {
        let planner = TripPlanner(CitySnapshot(town.city), workers: 1)
        let question = try town.question()
        await #expect(throws: TripFailure.deadline) {
            try await planner.answer(question, deadline: .now - .seconds(1))
        }
        #expect(try await planner.answer(question, deadline: .now + .seconds(60)).options.count > 0)
    }

    @Test("V54: days that are laid out beforehand change no answer")
    func prepared() async throws {
        let prepared = TripPlanner(CitySnapshot(town.city), workers: 1)
        await prepared.prepare(at: try town.time("23:59"))
        let unprepared = TripPlanner(CitySnapshot(town.city), workers: 1)
        for day in [0, 1, 5, 20] as [Int64] {
            for number in 0..<6 {
                var question = try town.question(number < 3 ? "08:00" : "08:30", modes: .all)
                question.time = question.time.adding(seconds: day * 86_400)
                question.isArriveBy = number >= 3
                question.wheelchair = number % 3 == 1
                question.windowSeconds = number % 3 == 2 ? 3_600 : nil
                let expected = await result(unprepared, question)
                #expect(await result(prepared, question) == expected, "\(day), \(number)")
            }
        }
        #expect(unprepared.preparedDays.isEmpty)
    }

    @Test("a prepared planner has its stops and lines arranged, before anybody asks")
    func guide() async throws {
        let planner = TripPlanner(CitySnapshot(town.city), workers: 1)
        #expect(!planner.guide.isPrepared)
        await planner.prepare(at: try town.time("08:00"))
        #expect(planner.guide.isPrepared)
        let (from, to) = try #require(planner.guide.distantPlaces)
        #expect(from.distanceMetres(to: to) > 1_000)
    }

    private func result(
        _ planner: TripPlanner,
        _ question: TripQuestion
    ) async -> Result<TripAnswer, TripFailure> {
        do throws(TripFailure) {
            return .success(try await planner.answer(question))
        } catch {
            return .failure(error)
        }
    }

    @Test(
        "V54: the days of 120 hours from any moment before midnight are laid out",
        arguments: [
            ("2014-10-20T00:00", "2014-10-21T00:00", 6),
            ("2014-10-20T23:59", "2014-10-21T00:00", 6),
            // In spring 120 hours reach one day more: one of them has only 23.
            ("2014-03-27T12:00", "2014-03-28T00:00", 7),
        ]
    )
    func coverage(now: String, midnight: String, count: Int32) async throws {
        let planner = TripPlanner(CitySnapshot(town.city), workers: 1)
        let zone = town.city.timetable.zone
        let start = try #require(LocalTime(iso8601: now))
        let next = await planner.prepare(at: start.instant(in: zone))
        #expect(next == (try #require(LocalTime(iso8601: midnight)).instant(in: zone)))
        #expect(planner.preparedDays == (0..<count).map { start.date.adding(days: $0) })
    }

    @Test("near questions are expected to cost less than far ones and periods")
    func expected() throws {
        let far = try ticket()
        var near = try town.question()
        near.to = TripTown.place("Bar", 90_010_000)
        #expect(try ticket(near).expected < far.expected)
        var period = try town.question()
        period.windowSeconds = 7_200
        #expect(try ticket(period).expected > far.expected)
        #expect(try ticket(town.question(modes: .all)).expected > far.expected)
        let quarter = ReachQuestion(from: TripTown.west, time: near.time, minutes: 15)
        let hour = ReachQuestion(from: TripTown.west, time: near.time, minutes: 60)
        #expect(quarter.expected < hour.expected)
    }
}
