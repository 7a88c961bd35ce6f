package import Chronology

/// The hours of a day in which a person's telephone stays silent.
package struct QuietHours: Sendable, Hashable, Codable {
    /// The beginning in minutes after midnight in the city's time zone, 0 to 1439.
    package let begin: Int
    /// The end in the same unit; an end before the beginning is on the next day.
    package let end: Int

    /// Creates quiet hours; nil if a time is out of range or both are the same.
    package init?(begin: Int, end: Int) {
        guard (0..<1_440).contains(begin), (0..<1_440).contains(end), begin != end else {
            return nil
        }
        self.begin = begin
        self.end = end
    }

    /// Returns the end of the quiet hours at an instant; nil outside of them.
    package func ending(at moment: Moment, in zone: ZoneTable) -> Moment? {
        let instant = Instant(seconds: moment.flooredSeconds)
        let local = LocalTime(instant, in: zone)
        let minute = Int(local.second) / 60
        let isOver = begin < end ? minute >= begin && minute < end : minute >= begin || minute < end
        guard isOver else { return nil }
        let date = minute < end ? local.date : local.date.adding(days: 1)
        let found = LocalTime(date: date, second: Int32(end * 60)).instant(in: zone)
        // When clocks go back, the same time occurs twice; the second occurrence is not quiet.
        return found > instant ? Moment(milliseconds: found.seconds * 1_000) : nil
    }
}
