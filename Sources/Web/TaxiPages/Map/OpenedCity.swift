package import CityData
package import Columns
package import Fares
package import Streets
import WebCore

/// A memory-mapped city file with streets, addresses and map data.
package struct OpenedCity: Sendable {
    /// The memory-mapped file.
    package let file: SectionFile
    /// The street network for routing.
    package let streets: StreetNetwork
    /// The addresses for place search.
    package let addresses: AddressBook
    /// The town of all addresses, which people of the city do not write; nil where they are in
    /// several.
    private let onlyTown: String?

    /// Maps a city file into memory.
    ///
    /// - Parameter path: the path of the file.
    /// - Throws: `CityFile.Failure`.
    package init(_ path: String) throws {
        file = try CityFile.open(path)
        streets = StreetNetwork(file)
        addresses = AddressBook(file)
        onlyTown = addresses.onlyTown
    }

    /// An address as people of the city write it: without the town where there is only one.
    func short(_ address: String) -> String {
        guard let onlyTown, address.hasSuffix(", \(onlyTown)") else { return address }
        return String(address.dropLast(onlyTown.count + 2))
    }

    /// The source of place names, which is the address register of the file.
    package var addressSource: AddressSource {
        AddressSource { [addresses] place in addresses.reverse(place)?.match.label }
    }
}

extension TaxiPageModule {
    /// A place as people of the city write it; files and letters have the whole address.
    package func shortPlace(_ place: PlaceDescription) -> String {
        shortPlace(place.text)
    }

    /// An address as people of the city write it.
    package func shortPlace(_ address: String) -> String {
        city?.short(address) ?? address
    }
}
