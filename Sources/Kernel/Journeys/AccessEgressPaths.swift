import Chronology
import Transit

/// A walk, or a path by the traveller's own bicycle or car, or by taxi.
public struct Walk: Sendable, Equatable {
    /// The duration in seconds, with the wait for a taxi.
    public var seconds: Int32
    /// How long it is, in metres.
    public var metres: UInt32
    /// The means of transport.
    var means = Means.walk
    /// Metres that count as walked.
    var walkedMetres: UInt32 { means == .walk ? metres : 0 }
}

/// A way to the first stop or from the last, and the moments at which one may set out on it.
struct EndWay: Sendable, Equatable {
    var walk: Walk
    /// What it emits in micrograms, where emissions count; otherwise 0.
    var micrograms: Int64 = 0
    /// The first moment, in seconds since 1970; `Int64.min` where there is none.
    var first = Int64.min
    /// The last moment; `Int64.max` where there is none.
    var last = Int64.max
    /// The rental on the way, whose walks ``walk`` has together; nil for a way by other means.
    var rental: RentalRoute?

    /// Whether another way is never worth taking.
    func beats(_ other: EndWay) -> Bool {
        walk.seconds <= other.walk.seconds && walk.walkedMetres <= other.walk.walkedMetres
            && micrograms <= other.micrograms && first <= other.first && last >= other.last
    }

    /// The same for a search in a window.
    func path(_ platform: PlatformIndex, since epoch: Instant) -> Raptor.AccessEgress {
        func seconds(_ moment: Int64) -> Int32 {
            Instant(seconds: moment).windowSeconds(since: epoch)
        }
        return Raptor.AccessEgress(
            platform: platform,
            seconds: walk.seconds,
            metres: walk.walkedMetres,
            micrograms: micrograms,
            first: first == .min ? .min : seconds(first),
            last: last == .max ? .max : seconds(last)
        )
    }
}

extension Instant {
    /// The moment in the seconds of a window, no further from its epoch than `Raptor.never`.
    func windowSeconds(since epoch: Instant) -> Int32 {
        let never = Int64(Raptor.never)
        return Int32(truncatingIfNeeded: min(max(seconds &- epoch.seconds, -never), never))
    }
}

/// The platforms where a journey may take its first ride or end its last one, and the ways to the
/// former (access) or from the latter (egress).
struct AccessEgressPaths {
    /// What means of travel emit; nil where that does not count.
    let rates: EmissionRates?
    /// The most of a way by the traveller's own vehicle, by taxi or by a rented vehicle.
    let vehicleLimit: VehicleLimit
    /// The rentals among the ways; nil if there are none.
    var rentals: RentalPaths?
    /// When means of transport are not used.
    var avoided: [AvoidedSpan] = []
    /// The ways to or from each platform: those that no other beats in time, metres walked and
    /// emissions.
    private(set) var ways: [PlatformIndex: [EndWay]] = [:]

    /// The same for the search in a window, in the order of platforms and times.
    func sorted(since epoch: Instant) -> [Raptor.AccessEgress] {
        ways.flatMap { platform, ways in
            ways.map { $0.path(platform, since: epoch) }
        }.sorted {
            ($0.platform, $0.seconds, $0.metres, $0.micrograms, $0.first)
                < ($1.platform, $1.seconds, $1.metres, $1.micrograms, $1.first)
        }
    }

    /// Keeps a way unless another to the same platform is as quick, walks and emits as little, and
    /// can be taken whenever it can.
    ///
    /// A way that goes on where the same one ended becomes one with it.
    mutating func add(_ platform: PlatformIndex, _ way: EndWay) {
        guard vehicleLimit.allows(way.walk) else { return }
        guard !avoided.isEmpty else { return insert(platform, way) }
        for part in way.parts(avoiding: avoided) { insert(platform, part) }
    }

    private mutating func insert(_ platform: PlatformIndex, _ way: EndWay) {
        var way = way
        if let rates {
            way.micrograms = Emissions.sum(way.micrograms, rates.micrograms(way.walk))
        }
        var known = ways[platform] ?? []
        if way.first > .min,
            let before = known.firstIndex(where: {
                $0.walk == way.walk && $0.rental == way.rental && $0.last == way.first - 1
            })
        {
            way.first = known.remove(at: before).first
            ways[platform] = known
        }
        guard !known.contains(where: { $0.beats(way) }) else { return }
        known.removeAll { way.beats($0) }
        known.append(way)
        ways[platform] = known
    }

    /// The way that a search took.
    func way(_ path: Raptor.AccessEgress, since epoch: Instant) -> EndWay {
        ways[path.platform]?.first { $0.path(path.platform, since: epoch) == path }
            ?? EndWay(walk: Walk(seconds: path.seconds, metres: path.metres))
    }

    /// The legs of a way between a stop and an end of the journey; none for a way of no length.
    ///
    /// - Parameters:
    ///   - way: the way.
    ///   - stops: where it begins and ends; nil for an end of the journey.
    ///   - departure: when it begins.
    ///   - arrival: when it ends.
    /// - Returns: the legs; several for a rental.
    func legs(
        of way: EndWay,
        _ stops: (from: StopIndex?, to: StopIndex?),
        from departure: Instant,
        until arrival: Instant
    ) -> [Leg] {
        if let route = way.rental, let rentals, let stop = stops.from ?? stops.to {
            return rentals.legs(route, at: stop, from: departure, until: arrival)
        }
        // A feed may give a way of many metres no time; its metres count all the same.
        guard way.walk.seconds > 0 || way.walk.metres > 0 else { return [] }
        return [
            Leg(
                departure: departure,
                arrival: arrival,
                from: stops.from,
                to: stops.to,
                metres: way.walk.metres,
                means: way.walk.means
            )
        ]
    }
}
