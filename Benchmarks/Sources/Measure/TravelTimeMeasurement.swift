import Chronology
import Dispatch
import Foundation
import Journeys
import SeededRandom
import Synchronization

/// How long the travel times between many places take to find, each from each, on several threads.
enum TravelTimeMeasurement {
    /// When one may leave.
    private static let hour: Int32 = 8
    /// How many pairs are compared with questions of their own.
    private static let comparedCount = 500

    /// What the threads found, by the numbers of the origins.
    private final class Answers: Sendable {
        private let rows = Mutex<[Int: [Int32?]]>([:])

        func add(_ numbers: [Int], _ found: [[Int32?]]) {
            rows.withLock { rows in
                for (number, row) in zip(numbers, found) { rows[number] = row }
            }
        }

        func seconds(_ origin: Int, _ destination: Int) -> Int32? {
            rows.withLock { $0[origin]?[destination] }
        }
    }

    /// Asks for all times once in each round.
    ///
    /// - Parameters:
    ///   - places: the places and the day.
    ///   - threads: on how many threads, each with a planner of its own.
    ///   - rounds: how often; each round begins with a new snapshot and new planners, which have
    ///     answered about other places.
    /// - Returns: a line of JSON: the time of each round in microseconds, and how many of the pairs
    ///   that were compared differ from the earliest arrival of a question for the pair alone.
    static func run(_ places: NamedPlaces, threads: Int, rounds: Int) -> String {
        var answers = Answers()
        let times = (0..<rounds).map { _ in
            answers = Answers()
            return round(places, threads, answers)
        }
        let count = places.measured.count
        var planner = Planner(places.prepared())
        var random = SeededRandom(seed: 20_141_020)
        var different = 0
        for _ in 0..<comparedCount {
            let origin = Int.random(in: 0..<count, using: &random)
            let destination = Int.random(in: 0..<count, using: &random)
            let query = JourneyQuery(
                from: places.measured[origin],
                to: places.measured[destination],
                time: places.moment(hour: hour)
            )
            let arrival = planner.journeys(query).map { $0.arrival }.min()
            let expected = arrival.map { Int32($0.seconds - query.time.seconds) }
            if answers.seconds(origin, destination) != expected { different += 1 }
        }
        return "{\"engine\":\"viavai\",\"places\":\(count),\"threads\":\(threads),"
            + "\"compared\":\(comparedCount),\"different\":\(different),"
            + "\"round_us\":\(Stopwatch.json(times))}"
    }

    /// The microseconds in which all threads together find all times.
    private static func round(
        _ places: NamedPlaces,
        _ threads: Int,
        _ answers: Answers
    ) -> Double {
        let snapshot = places.prepared()
        let (ready, go, done) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        let (all, others) = (places.measured, places.others)
        let time = places.moment(hour: hour)
        for thread in 0..<threads {
            Thread.detachNewThread {
                var planner = Planner(snapshot)
                let query = JourneyQuery(from: all[0], to: all[0], time: time)
                _ = planner.travelSeconds(from: others, to: others, query)
                ready.signal()
                go.wait()
                let numbers = Array(stride(from: thread, to: all.count, by: threads))
                let found = planner.travelSeconds(from: numbers.map { all[$0] }, to: all, query)
                answers.add(numbers, found)
                done.signal()
            }
        }
        for _ in 0..<threads { ready.wait() }
        return Stopwatch.microseconds {
            for _ in 0..<threads { go.signal() }
            for _ in 0..<threads { done.wait() }
        }
    }
}
