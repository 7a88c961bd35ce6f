import Chronology
import Journeys

/// Writes all journeys of a window as `viavai plan --profile` does.
enum ProfileLine {
    /// The line with the column names.
    static let header = "id,departure,arrival,transfers\n"

    /// The lines of a query's answer: the way without rides, if there is one, then the journeys.
    static func lines(_ id: [UInt8], _ profile: PlaceProfile, _ zone: ZoneTable) -> [UInt8] {
        var bytes: [UInt8] = []
        if let seconds = profile.directSeconds {
            bytes += id
            bytes += Array(",,\(seconds),0\n".utf8)
        }
        for journey in profile.journeys {
            bytes += id
            for time in [journey.departure, journey.arrival] {
                bytes.append(UInt8(ascii: ","))
                // On the city's clocks, as 2014-10-20T08:30:00.
                bytes += Array(time.iso8601(in: zone).utf8.prefix(19))
            }
            bytes += Array(",\(journey.transfers)".utf8)
            bytes.append(UInt8(ascii: "\n"))
        }
        return bytes
    }
}
