import CityData
import Geo
package import Localization
import Taxi
import Zones

extension TaxiPageModule {
    /// The hint of a field for a place: what can be entered here.
    package var placeHint: Text {
        city == nil
            ? OrderTexts.coordinatesHint(coordinatesExample)
            : OrderTexts.addressHint
    }

    /// Coordinates as an example for people who enter some: a place in this city if its extent is
    /// known.
    package var coordinatesExample: String {
        let zones = taxi.zonesInForce?.zones.compactMap(\.area.bounds) ?? []
        guard let box = map.bounds ?? zones.first else { return "45.46427, 9.18951" }
        let middle = box.centre
        return "\(Self.degrees(middle.latitude)), \(Self.degrees(middle.longitude))"
    }

    /// Formats 1e-7 degrees as decimal degrees with five decimals, about a metre.
    private static func degrees(_ value: Int32) -> String {
        let rounded = (value.magnitude + 50) / 100
        let part = String(rounded % 100_000)
        let zeros = String(repeating: "0", count: 5 - part.count)
        return "\(value < 0 ? "-" : "")\(rounded / 100_000).\(zeros)\(part)"
    }
}
