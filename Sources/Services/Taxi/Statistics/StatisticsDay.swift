package import Chronology

/// A day of the city's calendar, cut into the hours of its clocks.
///
/// On the days on which clocks are changed it has 23 or 25 of them; each is 3,600 seconds long, the
/// last one as long as is left where clocks are changed by less.
package struct StatisticsDay: Hashable, Sendable {
    /// The date.
    package let date: CivilDate
    /// Where hours begin, in order, and where the last one ends: one more than there are hours.
    package let bounds: [Moment]

    /// A day on the clocks of a zone.
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

    /// The day of a moment.
    package init(of moment: Moment, in zone: ZoneTable) {
        let seconds = moment.milliseconds / 1_000
        self.init(zone.local(Instant(seconds: seconds)).date, in: zone)
    }

    /// How many hours it has.
    package var hours: Int { bounds.count - 1 }

    /// Where it begins.
    package var start: Moment { bounds[0] }

    /// Where it ends.
    package var end: Moment { bounds[bounds.count - 1] }
}
