import Chronology
import Columns
import Geo
import Journeys
import Streets
import TestSupport

@testable import CityData

extension SlowDoorToDoor {
    /// Returns the ways by rented vehicles between a place and stops: with each vehicle to each of
    /// its places of return, at each second at which that is permitted.
    func rentals(_ place: Coordinate, isOrigin: Bool, _ offer: RentalOffer) -> [Way] {
        var found: [Way] = []
        for vehicle in offer.vehicles {
            for end in Set(vehicle.ends).map({ offer.ends[$0] }) where end != vehicle.place {
                let (near, far) = isOrigin ? (vehicle.place, end) : (end, vehicle.place)
                guard let ride = ride(vehicle.place, end, offer, near: near),
                    ride.metres <= Int(vehicle.rangeMetres ?? .max),
                    let walk = isOrigin
                        ? self.walk(place, near, maxMetres: 1_500)
                        : self.walk(near, place, maxMetres: 1_500)
                else { continue }
                for beside in ways(far, isOrigin: isOrigin, limit: 500) {
                    let before = isOrigin ? walk.seconds : beside.seconds
                    let handling = 2 * Int(offer.handlingSeconds)
                    let seconds = walk.seconds + ride.seconds + beside.seconds + handling
                    found.append(
                        Way(
                            stop: beside.stop,
                            seconds: seconds,
                            metres: walk.metres + beside.metres,
                            pickups: Pickups(Self.moments(offer, before, ride.seconds))
                        )
                    )
                }
            }
        }
        return found
    }

    /// Returns the quickest ride between two places; nil if it is longer than the offer allows.
    private func ride(
        _ from: Coordinate,
        _ to: Coordinate,
        _ offer: RentalOffer,
        near: Coordinate
    ) -> (seconds: Int, metres: Int)? {
        let limit = Double(offer.rideMetresLimit)
        guard let start = network.snap(from, for: offer.profile).first,
            let end = network.snap(to, for: offer.profile).first
        else { return nil }
        let joined = near == from ? start : end
        guard joined.distanceMetres <= limit else { return nil }
        let cost = network.cost(
            from: start,
            to: end,
            by: network.metric(offer.profile),
            using: workspace
        )
        let reach = UInt32((limit - joined.distanceMetres) * 10)
        guard cost.isPossible, cost.decimetres <= reach else { return nil }
        let (first, last) = (aside(start), aside(end))
        let metres = first.metres + (Int(cost.decimetres) + 5) / 10 + last.metres
        guard metres > 0, metres <= Int(offer.rideMetresLimit) else { return nil }
        return (first.seconds + Self.ends(cost).seconds + last.seconds, metres)
    }

    /// Returns the moments at which one may set out to a vehicle that is some seconds away, and
    /// ride for some seconds, by trying each of them.
    private static func moments(
        _ offer: RentalOffer,
        _ before: Int,
        _ ride: Int
    ) -> [TaxiWait] {
        var spans: [ClosedRange<Int>] = []
        let (first, last) = (offer.moments.lowerBound.seconds, offer.moments.upperBound.seconds)
        for rented in Int(first)...Int(last) {
            let begin = rented + Int(offer.handlingSeconds)
            let isClosed = offer.closures.contains {
                Int($0.lowerBound.seconds) < begin + ride && begin < Int($0.upperBound.seconds)
            }
            guard !isClosed else { continue }
            let moment = rented - before
            if let before = spans.last, before.upperBound == moment - 1 {
                spans[spans.count - 1] = before.lowerBound...moment
            } else {
                spans.append(moment...moment)
            }
        }
        return spans.map { span in
            TaxiWait(
                from: Instant(seconds: Int64(span.lowerBound)),
                through: Instant(seconds: Int64(span.upperBound)),
                seconds: 0
            )
        }
    }
}
