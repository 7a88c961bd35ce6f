package import Chronology
import Foundation

extension ZoneTable {
    /// The table of an IANA time zone from 1970 to 2070, from this machine's data; nil if
    /// the zone is unknown.
    package init?(identifier: String) {
        guard let zone = TimeZone(identifier: identifier) else { return nil }
        let end = Date(timeIntervalSince1970: 100 * 365.25 * 86_400)
        var moment = Date(timeIntervalSince1970: 0)
        var starts: [Int64] = [0]
        var offsets = [Int32(zone.secondsFromGMT(for: moment))]
        while let next = zone.nextDaylightSavingTimeTransition(after: moment), next < end {
            starts.append(Int64(next.timeIntervalSince1970))
            offsets.append(Int32(zone.secondsFromGMT(for: next)))
            moment = next
        }
        self.init(starts: starts, offsets: offsets)
    }
}
