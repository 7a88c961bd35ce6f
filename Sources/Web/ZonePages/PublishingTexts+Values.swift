import Localization
import TaxiPages
import Zones

extension ZoneGap {
    /// The gap in plain words.
    ///
    /// - Parameter names: of all zones, in their order.
    /// - Returns: a sentence.
    func text(_ names: [String]) -> Text {
        let around = zones.map { names[Int($0.rawValue)] }.joined(separator: ", ")
        let size = BorderText.measures(area: areaSquareMetres, width: widthMetres, at: place)
        return ZonePagesTexts.between(size, around)
    }
}

extension ZoneRepair {
    /// What was healed, in plain words.
    ///
    /// - Parameter names: of all zones, in their order.
    /// - Returns: a sentence.
    func text(_ names: [String]) -> Text {
        let zone = names[Int(zone.rawValue)]
        let both = other.map { "\(zone) – \(names[Int($0.rawValue)])" } ?? zone
        let what =
            switch kind {
            case .overlap: ZonePagesTexts.overlaps
            case .gap: ZonePagesTexts.gaps
            case .crossing: ZonePagesTexts.crossingsOfABorder
            }
        let size = BorderText.measures(area: areaSquareMetres, width: widthMetres, at: place)
        return ZonePagesTexts.places(both, what, places, size)
    }
}
