package import CityData
package import Journeys
package import Streets

/// A city whose file is open, with all that answers questions about it.
///
/// It never changes. A new file makes another one (``CityRenewal``); whoever has begun a question
/// keeps this one, and its memory map is released when the last of them lets it go.
package final class OpenedCity: Sendable {
    /// Its file.
    package let source: CityFile.Identified
    /// What is in the file.
    package let city: City
    /// Its addresses.
    package let addresses: AddressBook
    /// Finds its places.
    package let places: PlaceResolver
    /// Plans trips in it.
    package let planner: TripPlanner
    /// The town of all addresses, which people of the city do not write; nil where they are in
    /// several.
    private let onlyTown: String?

    /// Opens the city in a file.
    ///
    /// - Parameters:
    ///   - source: the file.
    ///   - workers: how many questions are answered at the same time.
    ///   - taxi: what the taxi service says about a ride; nil where there is none.
    package init(_ source: CityFile.Identified, workers: Int, taxi: TaxiEstimator? = nil) {
        self.source = source
        city = City(source.file)
        addresses = AddressBook(source.file)
        places = PlaceResolver(addresses: addresses, stops: StopDirectory(city.timetable))
        planner = TripPlanner(CitySnapshot(city), workers: workers, taxi: taxi)
        onlyTown = addresses.onlyTown
    }

    /// What it is called where several cities are open: the name of its file.
    package var name: String { source.name }

    /// Its stops and lines.
    package var guide: TransitGuide { planner.guide }

    /// Its streets.
    package var streets: StreetNetwork { city.streets }

    /// An address as people of the city write it: without the town where there is only one.
    package func short(_ address: String) -> String {
        guard let onlyTown, address.hasSuffix(", \(onlyTown)") else { return address }
        return String(address.dropLast(onlyTown.count + 2))
    }
}
