import Chronology
import LiveFeeds
import OpenData

/// The rain on a way, by the forecast of each of its moments.
struct TripRain: Sendable {
    private let conditions: TripConditions

    /// The lowest probability that counts as rain.
    private static let wetProbability = 0.5
    /// The lowest rate that counts as rain, in millimetres per hour; drizzle below it leaves
    /// streets dry.
    private static let wetRate = 0.1

    init(_ conditions: TripConditions) {
        self.conditions = conditions
    }

    /// Why nobody should cycle in a span of time; nil if it stays dry.
    func reason(during span: Range<Instant>) -> TripMissing.Reason? {
        var moment = span.lowerBound
        while moment < span.upperBound {
            guard let interval = interval(at: moment) else { return .rainUnknown(at: moment) }
            if Self.isWet(interval) {
                return .rain(
                    at: moment,
                    probability: interval.probability,
                    millimetresPerHour: interval.millimetresPerHour
                )
            }
            moment = interval.end
        }
        return nil
    }

    /// The longest step over times without a forecast, in seconds.
    private static let unknownSeconds: Int64 = 900

    /// The parts of a span in which rain is expected or nothing is forecast, in order.
    func closedSpans(during span: Range<Instant>) -> [Range<Instant>] {
        var spans: [Range<Instant>] = []
        var moment = span.lowerBound
        while moment < span.upperBound {
            let interval = interval(at: moment)
            let end = interval?.end ?? nextForecast(after: moment)
            if interval.map(Self.isWet) ?? true {
                let start =
                    spans.last?.upperBound == moment ? spans.removeLast().lowerBound : moment
                spans.append(start..<end)
            }
            moment = end
        }
        return spans
    }

    /// The end of a time without a forecast, as far as it is looked for.
    private func nextForecast(after moment: Instant) -> Instant {
        let next = conditions.world.forecasts.flatMap(\.intervals).map(\.start)
            .filter { $0 > moment }.min()
        let last = moment.adding(seconds: Self.unknownSeconds)
        return min(next ?? last, last)
    }

    /// Whether rain is forecast for some moment of the day before or the day after a time.
    func isExpected(around time: Instant) -> Bool {
        let days = time.adding(seconds: -86_400)..<time.adding(seconds: 86_400)
        return conditions.world.forecasts.contains { forecast in
            forecast.intervals.contains { interval in
                Self.isWet(interval) && interval.start < days.upperBound
                    && days.lowerBound < interval.end
            }
        }
    }

    /// The version of what plans depend on: when it is wet, how many days are known, and whether
    /// that is too old to be used.
    ///
    /// A newer forecast that says the same has the same version.
    static func version(_ conditions: TripConditions) -> Int {
        var hasher = Hasher()
        for forecast in conditions.world.forecasts {
            hasher.combine(forecast.isStale(conditions.now))
            hasher.combine((forecast.intervals.last?.end.seconds ?? 0) / 86_400)
            for interval in forecast.intervals where isWet(interval) {
                hasher.combine(interval.start)
                hasher.combine(interval.end)
            }
        }
        return hasher.finalize()
    }

    /// The seconds of a span in which it rains; nil if that is unknown for a part of it.
    func wetSeconds(during span: Range<Instant>) -> Int64? {
        var wet: Int64 = 0
        var moment = span.lowerBound
        while moment < span.upperBound {
            guard let interval = interval(at: moment) else { return nil }
            let end = min(interval.end, span.upperBound)
            if Self.isWet(interval) { wet += end.seconds - moment.seconds }
            moment = end
        }
        return wet
    }

    /// What is expected at a moment; nil if it is unknown.
    private func interval(at moment: Instant) -> Forecast.Interval? {
        conditions.world.rain(at: moment, asOf: conditions.now).flatMap { interval in
            interval.end > moment ? interval : nil
        }
    }

    /// Whether an interval counts as rain: by its probability or by its rate.
    ///
    /// Either is enough: a small rate may come with a high probability, and services without
    /// probabilities state the expected rate.
    private static func isWet(_ interval: Forecast.Interval) -> Bool {
        (interval.probability ?? 0) >= wetProbability || interval.millimetresPerHour >= wetRate
    }
}

/// How long travellers are outdoors while it rains.
struct TripWetness {
    /// A part of a trip.
    struct Part {
        let kind: TripKind
        let departure: Instant
        let arrival: Instant
        /// How much of it is under a roof, 0 to 1.
        var shelter = 0.0
    }

    /// The minutes of an option in the rain.
    static func minutes(_ option: TripOption, _ rain: TripRain) -> Int64? {
        minutes(
            option.steps.map {
                Part(
                    kind: $0.kind,
                    departure: $0.departure,
                    arrival: $0.arrival,
                    shelter: $0.metres > 0
                        ? min(1, Double($0.shelteredMetres) / Double($0.metres)) : 0
                )
            },
            rain
        )
    }

    /// The spans in which travellers are outdoors: on foot, on a bicycle or a scooter, and while
    /// they wait at a stop.
    static func outdoors(_ parts: [Part]) -> [Range<Instant>] { exposed(parts).map(\.span) }

    /// The spans outdoors, each with how much of it is under a roof.
    private static func exposed(_ parts: [Part]) -> [(span: Range<Instant>, shelter: Double)] {
        var spans: [(span: Range<Instant>, shelter: Double)] = []
        var before: Instant?
        for part in parts {
            if part.kind == .transit, let before, before < part.departure {
                spans.append((before..<part.departure, 0))
            }
            if part.kind == .walk || part.kind.isCycling, part.departure < part.arrival {
                spans.append((part.departure..<part.arrival, part.shelter))
            }
            before = part.arrival
        }
        return spans
    }

    /// The minutes in the rain, begun ones whole; nil if the forecast does not reach, or is too
    /// old.
    static func minutes(_ parts: [Part], _ rain: TripRain) -> Int64? {
        var sum: Int64 = 0
        for (span, shelter) in exposed(parts) {
            guard let seconds = rain.wetSeconds(during: span) else { return nil }
            sum += Int64((Double(seconds) * (1 - shelter)).rounded(.up))
        }
        return (sum + 59) / 60
    }
}
