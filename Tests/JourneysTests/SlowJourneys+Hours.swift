import Chronology
import Journeys
import OpenData
import Transit

extension SlowJourneys {
    /// Returns vehicles for people who do not ride some modes in some spans of time.
    ///
    /// Between these spans lie the times within which such people ride. For each of them there is a
    /// copy of each vehicle, which is boarded after the time begins and left before it ends.
    /// Vehicles in which people stay seated are copied together, for the spans of all of them.
    ///
    /// - Parameters:
    ///   - vehicles: all vehicles.
    ///   - avoided: the spans.
    /// - Returns: the copies.
    func avoiding(_ vehicles: [Vehicle], _ avoided: [AvoidedSpan]) -> [Vehicle] {
        guard !avoided.isEmpty else { return vehicles }
        var copies: [Vehicle] = []
        for last in vehicles.indices {
            var chain = [vehicles[last]]
            while true {
                for time in Self.times(between: spans(chain, avoided)) {
                    var predecessor: Int?
                    for vehicle in chain.reversed() {
                        copies.append(vehicle.ridden(within: time, after: predecessor))
                        predecessor = copies.count - 1
                    }
                }
                guard let before = chain.last?.predecessor else { break }
                chain.append(vehicles[before])
            }
        }
        return copies
    }

    /// Returns the spans in which some of the vehicles run whose mode is then avoided.
    private func spans(_ vehicles: [Vehicle], _ avoided: [AvoidedSpan]) -> [Range<Int>] {
        let modes = vehicles.reduce(UInt32(0)) { modes, vehicle in
            let route = feed.routes[feed.trips[vehicle.trip].route]
            return modes | TransitMode(routeType: route.type).bit
        }
        let start = vehicles.map(\.start).min() ?? 0
        let end = vehicles.map(\.end).max() ?? 0
        return avoided.filter { $0.modes.transit & modes != 0 }
            .map { Int($0.span.lowerBound.seconds)..<Int($0.span.upperBound.seconds) }
            .filter { $0.lowerBound < end && start < $0.upperBound }
    }

    /// Returns the times that touch no span, by trying all pairs of a beginning and an end.
    private static func times(between spans: [Range<Int>]) -> [ClosedRange<Int>] {
        let firsts = Set([0 - never] + spans.map(\.upperBound)).sorted()
        let lasts = Set([never] + spans.map(\.lowerBound)).sorted()
        return firsts.flatMap { first in
            lasts.filter { last in
                first <= last
                    && spans.allSatisfy { last <= $0.lowerBound || $0.upperBound <= first }
            }.map { first...$0 }
        }
    }
}

extension SlowJourneys.Vehicle {
    /// The same vehicle, boarded and left only within a time.
    fileprivate func ridden(
        within time: ClosedRange<Int>,
        after predecessor: Int?
    ) -> SlowJourneys.Vehicle {
        SlowJourneys.Vehicle(
            trip: trip,
            stops: stops,
            arrivals: arrivals,
            departures: departures,
            mayBoard: zip(mayBoard, departures).map { $0 && $1 >= time.lowerBound },
            mayAlight: zip(mayAlight, arrivals).map { $0 && $1 <= time.upperBound },
            start: start,
            end: end,
            predecessor: predecessor
        )
    }
}
