import Chronology
import Transit

extension TripSearch {
    /// How long before and after the asked moment a disruption is told of if there are no options,
    /// in seconds.
    private static let nearSeconds: Int64 = 7_200

    /// The disruptions that people who ask a question should know of: those in the time of its
    /// options, if public transport was asked for, and alerts about the lines and stops used.
    static func disruptions(
        _ question: TripQuestion,
        _ options: [TripOption],
        _ conditions: TripConditions
    ) -> [Disruption] {
        guard question.modes.transit != 0 else { return [] }
        return disruptions(options, conditions.disruptions, near: question.time)
    }

    /// The disruptions in the time of some options, or near a moment without options, and the
    /// alerts about the lines and stops that the options use.
    static func disruptions(
        _ options: [TripOption],
        _ known: Disruptions,
        near time: Instant
    ) -> [Disruption] {
        guard !known.all.isEmpty else { return [] }
        let rides = options.flatMap(\.steps).compactMap(\.ride)
        let first = options.map(\.departure).min() ?? time.adding(seconds: -nearSeconds)
        let last = options.map(\.arrival).max() ?? time.adding(seconds: nearSeconds)
        let span = min(first, time)...max(last, time)
        let used = known.alerts(
            on: Set(rides.flatMap { [$0.route] + $0.continuations.map(\.route) }),
            Set(rides.flatMap { [$0.stops.first, $0.stops.last] }.compactMap { $0?.index }),
            during: span
        )
        return known.notable(during: span) + used
    }
}
