import Chronology
import Encoding
import Foundation
import Geo
import Simulation

/// Reads recorded trips to replay: a CSV file of time,from_lat,from_lon,to_lat,to_lon,passengers.
enum DemandFile {
    /// The passengers of a file, by time, and midnight of the first one's day.
    ///
    /// - Throws: ``CommandFailure`` that names the line and the field.
    static func read(_ path: String) throws -> (start: Moment, customers: [Customer]) {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw CommandFailure.badInput("--demand \(path): no such file, or not UTF-8")
        }
        var customers: [Customer] = []
        var rows = CSVScanner(Array(text.utf8))
        var isHeader = true
        while rows.next() {
            let fields = (0..<rows.fieldCount).map { rows.text($0) }
            guard isHeader else {
                customers.append(try customer(fields, "\(path): line \(rows.line)"))
                continue
            }
            guard fields == columns else {
                throw CommandFailure.badInput(
                    "\(path): line 1: write \(columns.joined(separator: ","))"
                )
            }
            isHeader = false
        }
        guard let first = customers.map(\.at).min() else {
            throw CommandFailure.badInput("\(path): there are no trips in it")
        }
        let day: Int64 = 86_400_000
        let midnight = first.milliseconds - (first.milliseconds % day + day) % day
        let sorted = customers.enumerated().sorted {
            ($0.element.at, $0.offset) < ($1.element.at, $1.offset)
        }.map(\.element)
        return (Moment(milliseconds: midnight), sorted)
    }

    private static let columns = [
        "time", "from_lat", "from_lon", "to_lat", "to_lon", "passengers",
    ]

    /// What meters record for a place that they do not know.
    private static let nowhere = Coordinate(latitude: 0, longitude: 0)

    private static func customer(_ fields: [String], _ place: String) throws -> Customer {
        guard fields.count == columns.count else {
            throw CommandFailure.badInput("\(place): \(columns.count) fields are needed")
        }
        guard let at = moment(fields[0]) else {
            throw CommandFailure.badInput("\(place): time: write it as 2013-08-01T08:14:37")
        }
        guard let origin = coordinate(fields[1], fields[2]),
            let destination = coordinate(fields[3], fields[4])
        else {
            throw CommandFailure.badInput("\(place): from_lat to to_lon: write degrees")
        }
        guard let passengers = Int(fields[5]) else {
            throw CommandFailure.badInput("\(place): passengers: write a whole number")
        }
        // Taximeters report 0 passengers when no number was entered.
        return Customer(
            at: at,
            origin: origin,
            // Taximeters record 0, 0 if they know no destination.
            destination: destination == nowhere ? nil : destination,
            passengers: UInt8(min(max(1, passengers), 6))
        )
    }

    private static func coordinate(_ latitude: String, _ longitude: String) -> Coordinate? {
        guard let latitude = Double(latitude), let longitude = Double(longitude) else {
            return nil
        }
        return Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    }

    private static func moment(_ text: String) -> Moment? {
        let parts = text.split(whereSeparator: { $0 == "T" || $0 == " " })
        guard parts.count == 2, let date = CivilDate(iso8601: String(parts[0])) else { return nil }
        let clock = parts[1].split(separator: ":").compactMap { Int64($0) }
        guard clock.count == 3, (0..<24).contains(clock[0]), (0..<60).contains(clock[1]),
            (0..<60).contains(clock[2])
        else { return nil }
        let days = Int64(date.daysSince1970)
        return Moment(
            milliseconds: ((days * 24 + clock[0]) * 60 + clock[1]) * 60_000 + clock[2] * 1_000
        )
    }
}
