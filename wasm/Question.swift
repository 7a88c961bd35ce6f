import Chronology
import Columns
import Geo
import Journeys
import Transit

/// A query on one line of the input.
struct Question {
    var id: [UInt8]
    var query: JourneyQuery

    /// The question for all best journeys of a window that begins or ends at the query's time.
    func profile(windowSeconds: Int32) -> ProfileQuery {
        ProfileQuery(
            query.origin,
            [query.destination],
            time: query.time,
            isArriveBy: query.isArriveBy,
            windowSeconds: windowSeconds,
            maxTransfers: query.maxTransfers,
            modes: query.modes,
            wheelchair: query.wheelchair
        )
    }
}

/// The traveller's preferences besides places and time, the same for all queries.
struct Wishes {
    var maxWalkMetres: UInt32?
    var wheelchair = false
    /// The seconds of the window for whose journeys each query asks; nil for those at its time.
    var windowSeconds: Int32?

    /// Parses `--max-walk METRES`, `--wheelchair` and `--window SECONDS`, each word ended by a zero
    /// byte; nil where they are invalid.
    init?(_ bytes: [UInt8]) {
        var words = bytes.split(separator: 0)[...]
        while let word = words.popFirst() {
            if word.elementsEqual("--wheelchair".utf8) {
                wheelchair = true
            } else if word.elementsEqual("--max-walk".utf8), let metres = words.popFirst() {
                guard let number = Decimal.value(metres), number >= 0 else { return nil }
                maxWalkMetres = UInt32(clamping: number / Decimal.unit)
            } else if word.elementsEqual("--window".utf8), let seconds = words.popFirst() {
                guard let number = Decimal.value(seconds), number >= 0 else { return nil }
                windowSeconds = Int32(clamping: number / Decimal.unit)
            } else {
                return nil
            }
        }
    }
}

/// Parses queries as `viavai plan --batch` does, except for addresses.
struct QuestionReader {
    /// The required columns, in the required order.
    static let header = "id,from,to,time,arrive_by,max_transfers"

    private let zone: ZoneTable
    private let wishes: Wishes
    /// Stops by identifier, and by feed and identifier; nil where several stops share it.
    private var stops: [[UInt8]: StopIndex?] = [:]

    init(_ city: City, _ wishes: Wishes) {
        let timetable = city.timetable
        self.wishes = wishes
        zone = timetable.zone
        for stop in timetable.stops.indices {
            let id = timetable.texts.utf8(Int(truncatingIfNeeded: timetable.stops.id[stop]))
            let feed = timetable.stops.feed[stop]
            let name = Int(truncatingIfNeeded: timetable.feeds.name[feed])
            let known = stops.updateValue(stop, forKey: id)
            if known != nil { stops.updateValue(nil, forKey: id) }
            stops.updateValue(stop, forKey: timetable.texts.utf8(name) + [UInt8(ascii: "/")] + id)
        }
    }

    /// Parses the query on a line; nil where it is invalid.
    func question(_ line: ArraySlice<UInt8>) -> Question? {
        let fields = Self.fields(line)
        guard fields.count == 6, let from = place(fields[1]), let to = place(fields[2]),
            let time = LocalTime(iso8601: String(decoding: fields[3], as: UTF8.self)),
            let isArriveBy = Self.truth(fields[4])
        else { return nil }
        var query = JourneyQuery(
            from: from,
            to: to,
            time: time.instant(in: zone),
            isArriveBy: isArriveBy,
            maxWalkMetres: wishes.maxWalkMetres,
            wheelchair: wishes.wheelchair
        )
        if !fields[5].isEmpty {
            guard let most = Decimal.value(fields[5][...]), most >= 0 else { return nil }
            query.maxTransfers = Int(most / Decimal.unit)
        }
        return Question(id: fields[0], query: query)
    }

    private func place(_ text: [UInt8]) -> Endpoint? {
        if text.starts(with: "stop:".utf8) {
            return stops[Array(text.dropFirst(5))].flatMap { $0 }.map { .stop($0) }
        }
        let parts = text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard parts.count == 2, let latitude = Decimal.value(parts[0]),
            let longitude = Decimal.value(parts[1]), abs(latitude) <= 90 * Decimal.unit,
            abs(longitude) <= 180 * Decimal.unit
        else { return nil }
        return .place(Coordinate(latitude: Int32(latitude), longitude: Int32(longitude)))
    }

    private static func truth(_ text: [UInt8]) -> Bool? {
        if text.elementsEqual("true".utf8) { return true }
        return text.elementsEqual("false".utf8) ? false : nil
    }

    /// Splits a line of CSV into fields; a comma between quotation marks is part of the field.
    private static func fields(_ line: ArraySlice<UInt8>) -> [[UInt8]] {
        var fields: [[UInt8]] = [[]]
        var isQuoted = false
        for byte in line where byte != UInt8(ascii: "\r") {
            if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if byte == UInt8(ascii: ","), !isQuoted {
                fields.append([])
            } else {
                fields[fields.count - 1].append(byte)
            }
        }
        return fields
    }
}

/// Parses decimal numbers exactly.
enum Decimal {
    /// The number of units of ``value(_:)`` in one.
    static let unit: Int64 = 10_000_000

    /// A number in units of 1e-7; nil where it is not a number or has more than seven decimals.
    static func value(_ text: ArraySlice<UInt8>) -> Int64? {
        let isNegative = text.first == UInt8(ascii: "-")
        var value: Int64 = 0
        var decimals: Int?
        for byte in text.dropFirst(isNegative ? 1 : 0) {
            if byte == UInt8(ascii: "."), decimals == nil {
                decimals = 0
            } else if byte >= 0x30, byte <= 0x39, (decimals ?? 0) < 7, value < unit * 1_000 {
                value = value * 10 + Int64(byte - 0x30)
                decimals = decimals.map { $0 + 1 }
            } else {
                return nil
            }
        }
        for _ in (decimals ?? 0)..<7 { value *= 10 }
        return text.isEmpty ? nil : isNegative ? -value : value
    }
}
