import Chronology
import Columns
import Journeys
import OpenData
import SeededRandom
import Transit

/// The disruptions of the demo city in GTFS Realtime: each day roadworks divert one line.
struct AlertDocument: Sendable {
    /// A line that runs on streets.
    private struct Line: Sendable {
        let id: String
        let number: String
    }

    private let lines: [Line]
    private let zone: ZoneTable
    private let seed: UInt64

    /// The hours of the diversion, in seconds of the day.
    private static let hours: Range<Int32> = 6 * 3_600..<22 * 3_600

    /// Finds the lines that may be diverted.
    init(_ timetable: Timetable, zone: ZoneTable, seed: UInt64) {
        let routes = timetable.routes
        lines = routes.indices.compactMap { route in
            guard [.bus, .tram].contains(TransitMode(rawValue: routes.mode[route])) else {
                return nil
            }
            return Line(
                id: timetable.texts[Int(routes.id[route])],
                number: timetable.texts[Int(routes.shortName[route])]
            )
        }
        self.zone = zone
        self.seed = seed
    }

    /// The file of the disruptions, which is made again each hour.
    var document: FeedDocument {
        FeedDocument(
            path: "/alerts.pb",
            type: "application/x-protobuf",
            seconds: 3_600
        ) { start, _ in message(start) }
    }

    private func message(_ made: Instant) -> [UInt8] {
        var header = ProtobufWriter()
        header.add(1, bytes: "2.0".utf8)
        header.add(3, UInt64(made.seconds))
        var message = ProtobufWriter()
        message.add(1, bytes: header.bytes)
        let today = LocalTime(made, in: zone).date
        if !lines.isEmpty {
            var random = SeededRandom(seed: seed, 8, Int64(today.daysSince1970))
            message.add(2, bytes: entity(random.pick(lines), on: today))
        }
        return message.bytes
    }

    private func entity(_ line: Line, on day: CivilDate) -> [UInt8] {
        var period = ProtobufWriter()
        for (field, second) in [(UInt32(1), Self.hours.lowerBound), (2, Self.hours.upperBound)] {
            let moment = LocalTime(date: day, second: second).instant(in: zone)
            period.add(field, UInt64(moment.seconds))
        }
        var part = ProtobufWriter()
        part.add(2, bytes: line.id.utf8)
        var alert = ProtobufWriter()
        alert.add(1, bytes: period.bytes)
        alert.add(5, bytes: part.bytes)
        alert.add(6, ServiceAlert.Cause.construction.rawValue)
        alert.add(7, ServiceAlert.Effect.detour.rawValue)
        alert.add(
            10,
            bytes: Self.text("Linea \(line.number) deviata", "Line \(line.number) is diverted")
        )
        alert.add(
            11,
            bytes: Self.text(
                "Per lavori stradali la linea \(line.number) è deviata dalle 6 alle 22.",
                "Because of roadworks, line \(line.number) is diverted from 6:00 to 22:00."
            )
        )
        alert.add(14, ServiceAlert.Severity.warning.rawValue)
        var entity = ProtobufWriter()
        entity.add(1, bytes: "roadworks-\(day.daysSince1970)".utf8)
        entity.add(5, bytes: alert.bytes)
        return entity.bytes
    }

    private static func text(_ italian: String, _ english: String) -> [UInt8] {
        var text = ProtobufWriter()
        for (words, language) in [(italian, "it"), (english, "en")] {
            var translation = ProtobufWriter()
            translation.add(1, bytes: words.utf8)
            translation.add(2, bytes: language.utf8)
            text.add(1, bytes: translation.bytes)
        }
        return text.bytes
    }
}
