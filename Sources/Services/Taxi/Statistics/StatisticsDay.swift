package import Chronology

/// A calendar day in the city's time zone, divided into hours.
///
/// It has 23 or 25 hours when the clocks change. Each has 3,600 seconds; the last one is shorter if
/// the change is not a whole hour.
package struct StatisticsDay: Hashable, Sendable {
    package let date: CivilDate
    /// The start of each hour in order, followed by the end of the last one.
    package let bounds: [Moment]

    /// Creates a day in a time zone.
    package init(_ date: CivilDate, in zone: ZoneTable) {
        self.date = date
        let start = zone.instant(date, second: 0).seconds
        let end = zone.instant(date.adding(days: 1), second: 0).seconds
        var bounds: [Moment] = []
        for second in stride(from: start, to: end, by: 3_600) {
            bounds.append(Moment(milliseconds: second * 1_000))
        }
        bounds.append(Moment(milliseconds: end * 1_000))
        self.bounds = bounds
    }

    /// Creates the day that contains an instant.
    package init(of moment: Moment, in zone: ZoneTable) {
        let seconds = moment.milliseconds / 1_000
        self.init(zone.local(Instant(seconds: seconds)).date, in: zone)
    }

    /// The number of hours, 23 to 25.
    package var hours: Int { bounds.count - 1 }

    /// The hour that contains a moment of the day, from 0.
    package func hour(of moment: Moment) -> Int {
        precondition(start <= moment && moment < end, "a moment of another day has no hour here")
        return Int((moment.milliseconds - start.milliseconds) / 3_600_000)
    }

    /// The start of the day.
    package var start: Moment { bounds[0] }

    /// The end of the day.
    package var end: Moment { bounds[bounds.count - 1] }
}
