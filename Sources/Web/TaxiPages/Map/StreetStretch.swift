import Fares
package import Geo
import TripPlanning

extension TaxiPageModule {
    /// The streets that lead from one place to another, each from crossing to crossing; nil if none
    /// do.
    package func stretch(from start: Coordinate, to end: Coordinate) -> [Coordinate]? {
        guard let city = environment.city else { return nil }
        return Arrivals(city.streets).stretch(from: start, to: end)
    }
}
