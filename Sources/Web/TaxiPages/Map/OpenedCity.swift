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

    /// Maps a city file into memory.
    ///
    /// - Parameter path: the path of the file.
    /// - Throws: `CityFile.Failure`.
    package init(_ path: String) throws {
        file = try CityFile.open(path)
        streets = StreetNetwork(file)
        addresses = AddressBook(file)
    }

    /// The source of place names, which is the address register of the file.
    package var addressSource: AddressSource {
        AddressSource { [addresses] place in addresses.reverse(place)?.match.label }
    }
}
