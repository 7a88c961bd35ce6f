import Chronology
import Foundation
import Journeys
import Transit

/// What a server meets that has laid out its days beforehand (V54).
enum PreparedMeasurement {
    /// How many days are laid out: those that a time coverage of 120 hours touches.
    private static let dayCount: Int32 = 6

    /// Lays out the days from that of the first question on, asks that question, and makes one
    /// planner more, which answers the same questions as the first one did.
    ///
    /// - Parameters:
    ///   - city: the city.
    ///   - question: the first question of the day.
    ///   - others: questions of the same day.
    /// - Returns: members of a JSON object: the microseconds to lay out the days and of the first
    ///   question, and the bytes by which the days and the other planner let the process grow.
    static func json(_ city: City, _ question: JourneyQuery, others: [JourneyQuery]) -> String {
        let start = residentBytes
        let snapshot = CitySnapshot(city)
        let date = city.timetable.zone.local(question.time).date
        let prepare = Stopwatch.microseconds { snapshot.prepare(from: date, days: dayCount) }
        let prepared = residentBytes
        var planner = Planner(snapshot)
        let first = Stopwatch.microseconds { _ = planner.journeys(question) }
        for query in others { _ = planner.journeys(query) }
        let before = residentBytes
        var another = Planner(snapshot)
        for query in others { _ = another.journeys(query) }
        let after = residentBytes
        // Both planners are still there.
        _ = planner.journeys(question) == another.journeys(question)
        return "\"prepare_us\":\(prepare),\"prepare_bytes\":\(prepared - start),"
            + "\"prepared_first_us\":\(first),\"planner_bytes\":\(after - before)"
    }

    /// How much memory the process has, mapped files included.
    private static var residentBytes: Int {
        let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let pages = fields.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }
}
