import Chronology
import Journeys
import Transit

/// Writes answers as `viavai plan --batch` does.
enum AnswerLine {
    /// The line with the column names.
    static let header = "id,transfers,departure,arrival,walk_m,modes,duration_s,distance_m\n"

    /// The lines of a query's answers; one line with empty fields where there is none.
    static func lines(_ id: [UInt8], _ answers: [Itinerary], _ zone: ZoneTable) -> [UInt8] {
        if answers.isEmpty { return id + Array(",,,,,,,\n".utf8) }
        var bytes: [UInt8] = []
        for answer in answers {
            bytes += id
            let fields = [
                String(answer.transfers),
                answer.departure.iso8601(in: zone),
                answer.arrival.iso8601(in: zone),
                String(answer.walkMetres),
                modes(answer),
                String(answer.arrival.seconds &- answer.departure.seconds),
                String(answer.metres),
            ]
            for field in fields {
                bytes.append(UInt8(ascii: ","))
                bytes += Array(field.utf8)
            }
            bytes.append(UInt8(ascii: "\n"))
        }
        return bytes
    }

    /// The names of an answer's modes in order of first use.
    private static func modes(_ answer: Itinerary) -> String {
        var text = ""
        var isFirst = true
        var seen: [UInt8] = []
        for leg in answer.legs {
            let (key, name) = mode(leg.means)
            if seen.contains(key) { continue }
            seen.append(key)
            text += isFirst ? name : "+" + name
            isFirst = false
        }
        return text
    }

    /// A number for a means of transport, and its name in the output.
    private static func mode(_ means: Means) -> (key: UInt8, name: String) {
        switch means {
        case .walk: (100, "walk")
        case .bicycle: (101, "bike")
        case .car: (102, "car")
        case .taxi: (103, "taxi")
        case .rental: (104, "rental")
        case .ride(let ride): (ride.mode.rawValue, name(ride.mode))
        }
    }

    private static func name(_ mode: TransitMode) -> String {
        switch mode {
        case .tram: "tram"
        case .metro: "metro"
        case .rail: "rail"
        case .bus: "bus"
        case .trolleybus: "trolleybus"
        case .coach: "coach"
        case .ferry: "ferry"
        case .cableTram: "cableTram"
        case .aerialLift: "aerialLift"
        case .funicular: "funicular"
        case .monorail: "monorail"
        case .air: "air"
        case .other: "other"
        }
    }
}
