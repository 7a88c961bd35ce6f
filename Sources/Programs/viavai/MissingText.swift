import Chronology
import TripPlanning

/// What is said about modes that were asked for and are missing.
enum MissingText {
    /// One line for each mode, such as `bicycle: not between 20:00 and 07:00`.
    static func lines(_ missing: [TripMissing], in zone: ZoneTable) -> [String] {
        missing.map { "\($0.mode.englishText): \($0.reasonText(in: zone))" }
    }

    /// The same in one line.
    static func sentence(_ missing: [TripMissing], in zone: ZoneTable) -> String {
        lines(missing, in: zone).joined(separator: "; ")
    }
}
