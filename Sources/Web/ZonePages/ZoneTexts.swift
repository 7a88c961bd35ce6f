import Localization
import TaxiPages

extension ZoneTexts {
    static let notices: [String: Text] = [
        "saved": ZoneTexts.savedInTheDraft,
        "imported": ZoneTexts.theFileIsNowThe,
        "removed": ZoneTexts.theZoneIsTakenOut,
        "undone": ZoneTexts.theLastChangeIsUndone,
        "discarded": ZoneTexts.theDraftIsDiscarded,
        "published": ZoneTexts.theNewZonesAreIn,
    ]

    // MARK: One zone

    static func stretch(_ first: Int, _ count: Int, _ all: Int) -> Text {
        ZoneTexts.verticesToOf("\(first + 1)", "\(first + count)", all)
    }
}
