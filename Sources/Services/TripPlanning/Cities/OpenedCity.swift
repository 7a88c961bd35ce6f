package import CityData
package import Journeys
package import OpenData
package import Streets
package import Transit

/// A city whose file is open, with everything that answers questions about it.
///
/// It never changes. A new file makes a new value (``CityRenewal``); questions in progress keep the
/// old one, and its memory map is released when the last of them ends.
package final class OpenedCity: Sendable {
    /// The file, with its path and identity.
    package let source: CityFile.Identified
    /// The contents of the file.
    package let city: City
    /// The register of addresses.
    package let addresses: AddressBook
    /// The resolver of places.
    package let places: PlaceResolver
    /// The tickets and passes that its feeds sell.
    package let products: FareProducts
    /// The planner of trips.
    package let planner: TripPlanner
    /// The town of all addresses, which people of the city leave out; nil if there are several
    /// towns.
    private let onlyTown: String?

    /// Opens the city in a file.
    ///
    /// - Parameters:
    ///   - source: the file.
    ///   - workers: how many questions are answered at the same time.
    ///   - taxi: estimates taxi rides; nil if there is no taxi service.
    ///   - conditions: tells what live feeds say; nil if there are none.
    ///   - disruptions: finds the strikes and alerts of the city.
    ///   - traffic: finds the traffic of the city.
    ///   - delays: the delays of the past; nil if none are known.
    ///   - passPeriods: for which days passes are valid, by the identifiers of the products.
    package init(
        _ source: CityFile.Identified,
        workers: Int,
        taxi: TaxiEstimator? = nil,
        conditions: TripConditionsProvider? = nil,
        disruptions: (Timetable) -> Disruptions = { _ in Disruptions() },
        traffic: (City) -> CityTraffic = { _ in CityTraffic() },
        delays: EmpiricalDelays? = nil,
        passPeriods: [String: PassPeriod] = [:]
    ) {
        self.source = source
        city = City(source.file)
        addresses = AddressBook(source.file)
        places = PlaceResolver(addresses: addresses, stops: StopDirectory(city.timetable))
        products = FareProducts(city, periods: passPeriods)
        planner = TripPlanner(
            CitySnapshot(city),
            workers: workers,
            taxi: taxi,
            conditions: conditions,
            disruptions: disruptions(city.timetable),
            traffic: traffic(city),
            reliability: delays.map { [city] in
                TripReliability(city, DelayTable($0, city.timetable))
            }
        )
        onlyTown = addresses.onlyTown
    }

    private init(_ other: OpenedCity, _ planner: TripPlanner) {
        source = other.source
        city = other.city
        addresses = other.addresses
        places = other.places
        products = other.products
        self.planner = planner
        onlyTown = other.onlyTown
    }

    /// The same city with other disruptions and other traffic; only days that they change are laid
    /// out again.
    package func changed(by disruptions: Disruptions, _ traffic: CityTraffic) -> OpenedCity {
        OpenedCity(self, planner.changed(by: disruptions, traffic))
    }

    /// The name of the city if several are open: that of its file.
    package var name: String { source.name }

    /// The guide to its stops and lines.
    package var guide: TransitGuide { planner.guide }

    /// The network of its streets.
    package var streets: StreetNetwork { city.streets }

    /// An address as people of the city write it: without the town if there is only one.
    package func short(_ address: String) -> String {
        guard let onlyTown, address.hasSuffix(", \(onlyTown)") else { return address }
        return String(address.dropLast(onlyTown.count + 2))
    }
}
