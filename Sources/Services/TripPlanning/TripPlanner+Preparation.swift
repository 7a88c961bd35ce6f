package import Chronology
import CityData
import Foundation
import Journeys
import Transit

extension TripPlanner {
    /// How far ahead trips can be planned, in seconds (V54).
    private static let coverageSeconds: Int64 = 120 * 3_600

    /// The days that are laid out for questions; empty until the first ``prepare(at:)`` has
    /// finished.
    package var preparedDays: [CivilDate] { snapshot.preparedDays }

    /// Lays out the days that people may ask about before the city's next midnight, arranges the
    /// stops and lines, and answers a question, so that nobody has to wait for this.
    ///
    /// It works on a thread that gives way just as those of the questions do: a question about a
    /// day that is being laid out waits for this thread. If the task is cancelled, it returns at
    /// once, and the thread ends when the days are laid out.
    ///
    /// - Parameter now: the current time.
    /// - Returns: when to prepare again: at the city's next midnight, and not within a second.
    @discardableResult
    package func prepare(at now: Instant) async -> Instant {
        let zone = snapshot.city.timetable.zone
        let today = zone.local(now).date
        let midnight = zone.instant(today.adding(days: 1), second: 0)
        let last = zone.local(midnight.adding(seconds: Self.coverageSeconds - 1)).date
        // The clocks of a damaged file may be days apart, and their midnight long gone.
        let days = min(
            last.daysSince1970 &- today.daysSince1970 &+ 1,
            LaidOutTimetable.preparedDayLimit
        )
        let (done, end) = AsyncStream<Void>.makeStream()
        Thread.detachNewThread { [snapshot, guide] in
            TripWorkers.giveWay()
            snapshot.prepare(from: today, days: days)
            guide.prepare()
            end.finish()
        }
        for await _ in done {}
        await warmUp(at: now)
        return max(midnight, now.adding(seconds: 1))
    }

    /// Answers a question across the city as pages ask it.
    ///
    /// The first question reads much of the city file, and computes the data that all questions
    /// share.
    private func warmUp(at now: Instant) async {
        guard let (from, to) = guide.distantPlaces else { return }
        let question = TripQuestion(
            from: ResolvedPlace(name: "", kind: .coordinate, coordinate: from),
            to: ResolvedPlace(name: "", kind: .coordinate, coordinate: to),
            time: now,
            modes: TripModes(walk: true, bicycle: true, car: true),
            windowSeconds: 3_600
        )
        // Only the side effects matter, not the answer.
        _ = try? await answer(question)
    }
}
