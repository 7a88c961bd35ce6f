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
        let problem: Text
        switch covers(place) {
        case nil, .covered(.well)?, .covered(.fully)?: return true
        case .covered(.partly)?:
            form.isPartlyCovered = true
            return true
        case .covered(.uncovered)?: problem = EntryTexts.uncovered
        case .prohibited(let name?)?: problem = EntryTexts.prohibitedIn(name)
        case .prohibited(nil)?: problem = EntryTexts.prohibited
        }
        guard place != former else { return true }
        form.problems["place"] = problem
        return false
    }
}
