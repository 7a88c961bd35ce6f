import Chronology
import CityData
import TaxiPages
import TripPlanning
import WebCore

/// The replacement of a leg of a trip by another one between the same two stops.
struct LegChange: Hashable, Sendable {
    /// The number of the leg, from 0.
    let leg: Int
    /// The option that replaces it, among the trips between the two stops.
    let option: String

    init(leg: Int, option: String) {
        self.leg = leg
        self.option = option
    }

    /// Reads a change from an address; nil for any other text.
    init?(_ text: String) {
        let parts = text.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let leg = Int(parts[0]), (0...99).contains(leg) else { return nil }
        self.init(leg: leg, option: String(parts[1]))
    }

    /// The change as addresses contain it.
    var text: String { "\(leg).\(option)" }
}

extension TravelPages {
    /// How long before and after a departure alternatives are offered, in seconds.
    private static let around: (before: Int64, window: Int32) = (1_800, 5_400)

    /// The alternatives to a ride: everything between its stops around its time.
    ///
    /// The first ride may leave earlier, as the traveller then leaves home earlier; a later one
    /// must not leave before the traveller arrives.
    ///
    /// - Returns: nil if the leg is not a ride.
    func alternatives(
        to leg: Int,
        of option: TripOption,
        _ question: TripQuestion,
        _ context: RequestContext
    ) async throws -> TripAnswer? {
        guard option.steps.indices.contains(leg) else { return nil }
        let step = option.steps[leg]
        guard step.ride != nil, let from = step.from, let to = step.to else { return nil }
        let isFirst = !option.steps[..<leg].contains { $0.ride != nil }
        let earliest =
            isFirst
            ? step.departure.adding(seconds: -Self.around.before)
            : option.steps[leg - 1].arrival
        var other = question
        other.from = ResolvedPlace(stop: from)
        other.to = ResolvedPlace(stop: to)
        other.time = earliest
        other.isArriveBy = false
        other.modes = TripModes(walk: true, transit: question.modes.transit)
        other.windowSeconds = Self.around.window
        return try await answer(other, context)
    }

    /// The trip with one leg changed; the legs after a changed ride are planned again.
    ///
    /// - Returns: nil if the replacement is no longer in the timetable.
    func changed(
        _ option: TripOption,
        by change: LegChange,
        _ question: TripQuestion,
        _ context: RequestContext
    ) async throws -> TripOption? {
        guard
            let answer = try await alternatives(to: change.leg, of: option, question, context),
            let other = answer.option(change.option)
        else { return nil }
        let step = option.steps[change.leg]
        var before = Array(option.steps[..<change.leg])
        if !before.contains(where: { $0.ride != nil }) {
            let delay = other.departure.seconds - step.departure.seconds
            before = before.map { $0.moved(by: delay) }
        }
        let after = option.steps[(change.leg + 1)...]
        var rest = after.map { $0.moved(by: other.arrival.seconds - step.arrival.seconds) }
        if after.contains(where: { $0.ride != nil }), let stop = step.to {
            var onward = question
            onward.from = ResolvedPlace(stop: stop)
            onward.time = other.arrival
            onward.isArriveBy = false
            onward.modes = TripModes(walk: true, transit: question.modes.transit)
            onward.windowSeconds = nil
            guard let best = try await self.answer(onward, context).options.first else {
                return nil
            }
            rest = best.steps
        }
        return context.cities.priced(option.with(before + other.steps + rest), for: question)
    }
}

extension ResolvedPlace {
    /// Converts a stop of a trip into a place for another trip.
    fileprivate init(stop: TripStop) {
        self.init(name: stop.name, kind: .stop, coordinate: stop.coordinate, stops: [stop.index])
    }
}

extension TripStep {
    /// The leg moved to another time.
    fileprivate func moved(by seconds: Int64) -> TripStep {
        var step = self
        step.departure = departure.adding(seconds: seconds)
        step.arrival = arrival.adding(seconds: seconds)
        return step
    }
}

extension TripOption {
    /// The option with other legs.
    fileprivate func with(_ steps: [TripStep]) -> TripOption {
        guard let first = steps.first, let last = steps.last else {
            preconditionFailure("a trip has legs")
        }
        return TripOption(
            id: id,
            kind: kind,
            steps: steps,
            departure: first.departure,
            arrival: last.arrival,
            walkMetres: steps.reduce(0) { $0 + ($1.kind == .walk ? $1.metres : 0) },
            metres: steps.reduce(0) { $0 + $1.metres },
            transfers: max(0, steps.count { $0.ride != nil } - 1),
            taxi: taxi
        )
    }
}
