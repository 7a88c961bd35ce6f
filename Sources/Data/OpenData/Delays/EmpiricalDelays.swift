package import Chronology
import Encoding

/// The delays of the past, in OpenTripPlanner's two files: `empirical_delay_calendar.txt` says on
/// which days they hold, `empirical_delay_stop_times.txt` has two percentiles for each trip at each
/// stop.
///
/// Source: OpenTripPlanner 2.9, sandbox extension "Empirical Delay" (Entur).
package struct EmpiricalDelays: Sendable {
    /// The days on which rows hold.
    package private(set) var calendars: [Calendar] = []
    /// The delays, in the order of the file.
    package private(set) var rows: [Row] = []
    /// How many rows of both files could not be understood.
    package private(set) var rejectedCount = 0

    /// The days on which delays hold.
    package struct Calendar: Sendable, Hashable {
        /// `empirical_delay_service_id`.
        package let id: String
        /// Whether it holds on each day of the week, Monday first.
        package let weekdays: [Bool]
        /// The first and the last day.
        package let days: ClosedRange<CivilDate>

        /// Whether a day belongs to it.
        package func contains(_ day: CivilDate) -> Bool {
            days.contains(day) && weekdays[Int(day.weekday)]
        }
    }

    /// The delay of a trip at a stop.
    package struct Row: Sendable, Hashable {
        /// The position of its calendar in ``EmpiricalDelays/calendars``.
        package let calendar: Int
        /// `trip_id` of the timetable.
        package let trip: String
        /// `stop_id` of the timetable.
        package let stop: String
        /// `p50`, in seconds.
        package let median: Int32
        /// `p90`, in seconds.
        package let ninth: Int32
    }

    private static let calendarFile = "empirical_delay_calendar.txt"
    private static let delayFile = "empirical_delay_stop_times.txt"
    private static let weekdays = [
        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    ]
    /// The delays that the format allows, in seconds.
    private static let limits: ClosedRange<Int32> = 0...18_000

    /// Reads both files; a row that cannot be understood is left out and counted.
    ///
    /// - Parameters:
    ///   - source: the folder or archive.
    ///   - name: what errors call it.
    /// - Throws: ``GTFSFailure`` if a file or a column is missing.
    package init(_ source: FeedSource, name: String) throws(GTFSFailure) {
        let nested = try source.nestedFolder()
        var log = DiagnosticLog()
        func table(_ file: String) throws(GTFSFailure) -> GTFSTable {
            guard let bytes = try source.bytes(of: file, in: nested) else {
                throw .missingFile(feed: name, file: file)
            }
            return GTFSTable(feed: name, file: file, bytes: bytes, log: &log)
        }
        var numbers: [String: Int] = [:]
        var days = try table(Self.calendarFile)
        let id = try days.required("empirical_delay_service_id")
        let first = try days.required("start_date")
        let last = try days.required("end_date")
        let weekdays = try Self.weekdays.map { day throws(GTFSFailure) in try days.required(day) }
        while days.next(&log) {
            guard let start = CivilDate(iso8601: days.rows.text(first)),
                let end = CivilDate(iso8601: days.rows.text(last)), start <= end,
                !days.rows.isEmpty(id)
            else {
                rejectedCount += 1
                continue
            }
            let name = days.rows.text(id)
            guard numbers[name] == nil else {
                rejectedCount += 1
                continue
            }
            numbers[name] = calendars.count
            calendars.append(
                Calendar(
                    id: name,
                    weekdays: weekdays.map { days.rows.number($0) == 1 },
                    days: start...end
                )
            )
        }
        var delays = try table(Self.delayFile)
        let service = try delays.required("empirical_delay_service_id")
        let trip = try delays.required("trip_id")
        let stop = try delays.required("stop_id")
        let median = try delays.required("p50")
        let ninth = try delays.required("p90")
        while delays.next(&log) {
            guard let calendar = numbers[delays.rows.text(service)],
                let low = delays.rows.number(median), let high = delays.rows.number(ninth),
                Self.limits.contains(low), Self.limits.contains(high), low <= high
            else {
                rejectedCount += 1
                continue
            }
            rows.append(
                Row(
                    calendar: calendar,
                    trip: delays.rows.text(trip),
                    stop: delays.rows.text(stop),
                    median: low,
                    ninth: high
                )
            )
        }
    }
}
