import Agenda
import CityData
import Localization

/// Where appointments may be (V34, V35).
extension CalendarPages {
    /// What the city says of a place; nil if nothing, or if the place is not on the map.
    func covers(_ place: EntryPlace?) -> CoverageAreas.Verdict? {
        place?.position.flatMap { coverage?.verdict(at: $0) }
    }

    /// Whether an entry may be at a place; if not, the form says why beside it.
    ///
    /// An entry that is there already may be changed in all else: it may have been imported, or the
    /// city may have drawn its areas since.
    ///
    /// - Parameters:
    ///   - place: the place.
    ///   - former: where the entry was before.
    ///   - form: the form; it learns whether few means of travel go there.
    /// - Returns: whether it may be there.
    func isAllowed(
        _ place: EntryPlace?,
        since former: EntryPlace?,
        _ form: inout EntryForm
    ) -> Bool {
        let verdict = covers(place)
        if case .covered(.partly)? = verdict { form.isPartlyCovered = true }
        guard let problem = verdict?.refusal, place != former else { return true }
        form.problems["place"] = problem
        return false
    }
}

extension CoverageAreas.Verdict {
    /// Why no appointment may be there; nil if one may.
    var refusal: Text? {
        switch self {
        case .covered(.well), .covered(.fully), .covered(.partly): nil
        case .covered(.uncovered): EntryTexts.uncovered
        case .prohibited(let name?): EntryTexts.prohibitedIn(name)
        case .prohibited(nil): EntryTexts.prohibited
        }
    }
}
