package import CityData
package import Columns
package import Fares
package import Streets
import WebCore

/// A city file, mapped: its streets, its addresses, and all else that pages show of the land.
package struct OpenedCity: Sendable {
    /// The file.
    package let file: SectionFile
    /// The streets.
    package let streets: StreetNetwork
    /// The addresses.
    package let addresses: AddressBook

    /// Maps a city file.
    ///
    /// - Parameter path: where it is.
    /// - Throws: `CityFile.Failure`.
    package init(_ path: String) throws {
        file = try CityFile.open(path)
        streets = StreetNetwork(file)
        addresses = AddressBook(file)
    }

    /// Who knows what a place is called: the address register of the file.
    package var addressSource: AddressSource {
        AddressSource { [addresses] place in addresses.reverse(place)?.match.label }
    }
}
