package import Fares
import TripPlanning

extension TaxiPageModule {
    /// A place as people of the city write it; files and messages contain the whole address.
    package func shortPlace(_ place: PlaceDescription) -> String {
        shortPlace(place.text)
    }

    /// An address as people of the city write it; the whole address if several cities are open.
    package func shortPlace(_ address: String) -> String {
        let cities = environment.cities.current.cities
        return cities.count == 1 ? cities[0].short(address) : address
    }
}
