public import Chronology
import Transit

/// A span of time in which travellers do not use some means of transport.
///
/// A ride or a way may end when the span begins, and begin when it ends. Walking is avoided only
/// where it is the whole journey: walks to and from stops are always permitted.
public struct AvoidedSpan: Sendable, Hashable {
    /// The means that are not used.
    public var modes: TravelModes
    /// Whether no taxi is used to the first stop or from the last one.
    public var taxi: Bool
    /// When they are not used.
    public var span: Range<Instant>

    /// A span of some means.
    public init(_ modes: TravelModes, taxi: Bool = false, during span: Range<Instant>) {
        self.modes = modes
        self.taxi = taxi
        self.span = span
    }

    /// Whether it is about a means of transport besides rides.
    func includes(_ means: Means) -> Bool {
        switch means {
        case .walk: modes.walk
        case .bicycle: modes.bicycle
        case .car: modes.car
        case .taxi: taxi
        default: false
        }
    }
}

extension JourneyQuery {
    /// The vehicles and stops that may be used, with times in the seconds of a window.
    func rideConditions(since epoch: Instant) -> RideConditions {
        RideConditions(
            modes: modes.transit,
            wheelchair: wheelchair,
            avoiding: avoided.filter { $0.modes.transit & modes.transit != 0 }.map {
                AvoidedRides(
                    modes: $0.modes.transit,
                    first: $0.span.lowerBound.windowSeconds(since: epoch),
                    end: $0.span.upperBound.windowSeconds(since: epoch)
                )
            }
        )
    }

    /// Whether a means is avoided at some moment of a way without rides.
    func avoids(_ means: Means, during way: Range<Instant>) -> Bool {
        avoided.contains { $0.includes(means) && $0.span.overlaps(way) }
    }
}

extension EndWay {
    /// The way at the moments at which one can take it without touching a span in which its means
    /// is avoided.
    func parts(avoiding avoided: [AvoidedSpan]) -> [EndWay] {
        let spans = avoided.filter { walk.means != .walk && $0.includes(walk.means) }
            .map { $0.span }
            .sorted { $0.lowerBound < $1.lowerBound }
        guard !spans.isEmpty else { return [self] }
        return parts(outside: spans, from: 0, to: Int64(walk.seconds))
    }

    /// The way at the moments at which one can take it so that a stretch of it touches none of some
    /// spans.
    ///
    /// - Parameters:
    ///   - spans: the spans, by their beginning.
    ///   - start: how many seconds after one sets out the stretch begins.
    ///   - end: how many seconds after one sets out it ends.
    /// - Returns: the same way, once for each range of such moments.
    func parts(outside spans: [Range<Instant>], from start: Int64, to end: Int64) -> [EndWay] {
        var parts: [EndWay] = []
        var rest = self
        for span in spans {
            var part = rest
            part.last = min(rest.last, span.lowerBound.seconds &- end)
            if part.first <= part.last { parts.append(part) }
            rest.first = max(rest.first, span.upperBound.seconds &- start)
        }
        return rest.first <= rest.last ? parts + [rest] : parts
    }
}
