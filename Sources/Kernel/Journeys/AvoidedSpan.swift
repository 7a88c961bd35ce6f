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
        func seconds(_ moment: Instant) -> Int32 {
            let never = Int64(Raptor.never)
            let seconds = min(max(moment.seconds &- epoch.seconds, 0 - never), never)
            return Int32(truncatingIfNeeded: seconds)
        }
        return RideConditions(
            modes: modes.transit,
            wheelchair: wheelchair,
            avoiding: avoided.filter { $0.modes.transit & modes.transit != 0 }.map {
                AvoidedRides(
                    modes: $0.modes.transit,
                    first: seconds($0.span.lowerBound),
                    end: seconds($0.span.upperBound)
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
            .sorted { $0.span.lowerBound < $1.span.lowerBound }
        guard !spans.isEmpty else { return [self] }
        var parts: [EndWay] = []
        var rest = self
        for avoided in spans {
            var part = rest
            part.last = min(rest.last, avoided.span.lowerBound.seconds &- Int64(walk.seconds))
            if part.first <= part.last { parts.append(part) }
            rest.first = max(rest.first, avoided.span.upperBound.seconds)
        }
        return rest.first <= rest.last ? parts + [rest] : parts
    }
}
