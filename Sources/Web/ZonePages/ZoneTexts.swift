import Localization
import TaxiPages

extension ZoneTexts {
    static let notices: [String: Text] = [
        "saved": ZoneTexts.savedInTheDraft,
        "imported": ZoneTexts.fileIsDraft,
        "removed": ZoneTexts.zoneRemoved,
        "undone": ZoneTexts.theLastChangeIsUndone,
        "discarded": ZoneTexts.theDraftIsDiscarded,
        "published": ZoneTexts.zonesInForce,
    ]

    // MARK: One zone

    static func stretch(_ first: Int, _ count: Int, _ all: Int) -> Text {
        ZoneTexts.vertexRange(first + 1, first + count, all)
    }
}
