package import Chronology
import Foundation
import Journeys
import Transit

extension TripPlanner {
    /// How far ahead trips are planned at the most, in seconds (V54).
    private static let coverageSeconds: Int64 = 120 * 3_600

    /// The days that are laid out for questions; empty until the first ``prepare(at:)`` is done.
    package var preparedDays: [CivilDate] { snapshot.preparedDays }

    /// Lays out the days that people may ask about before the next midnight on the city's clocks,
    /// so that no question waits for that.
    ///
    /// It works on a thread that gives way as those of the questions do, and not more: a question
    /// about a day that is being laid out waits for this thread. If the task is cancelled, it
    /// returns at once, and the thread ends when the days are laid out.
    ///
    /// - Parameter now: the moment of the call.
    /// - Returns: that midnight, when it should be called again.
    @discardableResult
    package func prepare(at now: Instant) async -> Instant {
        let period = period(from: now)
        let (done, end) = AsyncStream<Void>.makeStream()
        Thread.detachNewThread { [snapshot] in
            TripWorkers.giveWay()
            snapshot.prepare(from: period.today, days: period.days)
            end.finish()
        }
        for await _ in done {}
        return max(period.midnight, now.adding(seconds: 1))
    }

    /// Lays out the same days on the thread of the caller.
    func layOut(from now: Instant) {
        let period = period(from: now)
        snapshot.prepare(from: period.today, days: period.days)
    }

    /// The days that people may ask about before the next midnight.
    private func period(
        from now: Instant
    ) -> (today: CivilDate, days: Int32, midnight: Instant) {
        let zone = snapshot.city.timetable.zone
        let today = zone.local(now).date
        let midnight = zone.instant(today.adding(days: 1), second: 0)
        let last = zone.local(midnight.adding(seconds: Self.coverageSeconds - 1)).date
        // The clocks of a damaged file may be days apart, and their midnight long gone.
        let days = min(
            last.daysSince1970 &- today.daysSince1970 &+ 1,
            LaidOutTimetable.preparedDayLimit
        )
        return (today, days, midnight)
    }
}
