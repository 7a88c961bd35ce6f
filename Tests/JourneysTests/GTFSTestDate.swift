import Chronology

/// Creates civil dates from numbers, for tests that otherwise use Foundation's calendar.
enum GTFSTestDate {
    static func date(_ year: Int32, _ month: Int32, _ day: Int32) -> CivilDate? {
        CivilDate(year: year, month: month, day: day)
    }
}
