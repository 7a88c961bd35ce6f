package import Chronology

/// The hours of a day in which somebody's telephone stays silent.
package struct QuietHours: Sendable, Hashable, Codable {
    /// When they begin, in minutes after midnight on the city's clocks, 0 to 1439.
    package let begin: Int
    /// When they end, likewise; an end before the beginning is on the next day.
    package let end: Int

    /// Quiet hours; nil where a time does not exist or both are the same.
    package init?(begin: Int, end: Int) {
        guard (0..<1_440).contains(begin), (0..<1_440).contains(end), begin != end else {
            return nil
        }
        self.begin = begin
        self.end = end
    }

    /// When the quiet ends that holds at a moment; nil where it is not quiet.
    package func ending(at moment: Moment, in zone: ZoneTable) -> Moment? {
        let instant = Instant(seconds: moment.flooredSeconds)
        let local = LocalTime(instant, in: zone)
        let minute = Int(local.second) / 60
        let isOver = begin < end ? minute >= begin && minute < end : minute >= begin || minute < end
        guard isOver else { return nil }
        let date = minute < end ? local.date : local.date.adding(days: 1)
        let found = LocalTime(date: date, second: Int32(end * 60)).instant(in: zone)
        // Where clocks go back the reading may come twice; the second time it is not quiet.
        return found > instant ? Moment(milliseconds: found.seconds * 1_000) : nil
    }
}
