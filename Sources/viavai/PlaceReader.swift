import Chronology
import CityData
import Columns
import Foundation
import Geo
import Journeys
import Transit

/// Understands places and times as people write them on the command line and in files.
struct PlaceReader {
    /// Why a text is no place: a sentence that names the field.
    struct Failure: Error {
        let text: String
    }

    private let city: City
    private let addresses: AddressBook
    private let stops: [String: [StopIndex]]

    /// A reader for a city.
    init(city: City) {
        self.city = city
        addresses = AddressBook(city.file)
        let timetable = city.timetable
        var stops: [String: [StopIndex]] = [:]
        for stop in 0..<timetable.stops.count {
            let id = timetable.texts[Int(timetable.stops.id[stop])]
            stops[id, default: []].append(StopIndex(rawValue: UInt32(stop)))
        }
        self.stops = stops
    }

    /// A local time, read on the city's clocks; nil where it is none.
    func time(_ text: String) -> Instant? {
        LocalTime(iso8601: text)?.instant(in: city.timetable.zone)
    }

    /// A place that was understood.
    struct Place {
        let endpoint: Endpoint
        /// What to call it.
        let name: String
        /// What a person should know about how it was understood; "" for nothing.
        var note = ""
    }

    /// A place.
    ///
    /// - Parameters:
    ///   - text: `stop:ID`, `stop:FEED/ID`, `lat,lon` or an address.
    ///   - field: what the place is for, for errors.
    /// - Returns: the place and what to call it.
    /// - Throws: ``Failure`` where there is no such place.
    func place(_ text: String, _ field: String) throws(Failure) -> Place {
        if text.hasPrefix("stop:") {
            let stop = try stop(String(text.dropFirst(5)), field)
            let name = city.timetable.stops.name[Int(stop.rawValue)]
            return Place(endpoint: .stop(stop), name: city.timetable.texts[Int(name)])
        }
        if let coordinate = coordinate(text) {
            return Place(endpoint: .place(coordinate), name: name(of: coordinate))
        }
        guard let match = addresses.search(text, limit: 1).first else {
            throw Failure(
                text: "\(field): nothing is called \"\(text)\"; try another spelling, or write "
                    + "lat,lon or stop:ID"
            )
        }
        // A stop is sought on the streets too, so that its neighbours serve as well.
        return Place(
            endpoint: .place(match.coordinate),
            name: match.label,
            note: Self.note(match, text)
        )
    }

    /// What somebody should know about an address that was not found as written; "" if nothing.
    private static func note(_ match: AddressMatch, _ text: String) -> String {
        switch match.exactness {
        case .nearestHouse(let known, let asked):
            "number \(asked) is not on the map; the nearest known one is \(known): \(match.label)"
        case .street(let asked):
            asked.map { "number \($0) is not on the map; taking the street: \(match.label)" } ?? ""
        case .house, .place: ""
        }
    }

    /// The address at a coordinate, or the coordinate itself where none is near.
    func name(of coordinate: Coordinate) -> String {
        if let nearest = addresses.reverse(coordinate) { return nearest.match.label }
        return String(
            format: "%.5f,%.5f",
            coordinate.latitudeDegrees,
            coordinate.longitudeDegrees
        )
    }

    /// `45.4641,9.1919`; nil where it is no such text.
    private func coordinate(_ text: String) -> Coordinate? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2, let north = Double(parts[0].filter { $0 != " " }),
            let east = Double(parts[1].filter { $0 != " " })
        else { return nil }
        return Coordinate(latitudeDegrees: north, longitudeDegrees: east)
    }

    private func stop(_ id: String, _ field: String) throws(Failure) -> StopIndex {
        let matches = stops[id] ?? []
        if matches.count == 1, let only = matches.first { return only }
        if matches.count > 1 {
            let names = matches.map { "stop:\(feedName($0))/\(id)" }.joined(separator: " or ")
            throw Failure(text: "\(field): more than one feed has a stop \(id): write \(names)")
        }
        // A stop's own identifier may hold a slash, so the whole text was tried first.
        if let slash = id.firstIndex(of: "/") {
            let feed = String(id[..<slash])
            let rest = String(id[id.index(after: slash)...])
            if let match = (stops[rest] ?? []).first(where: { feedName($0) == feed }) {
                return match
            }
        }
        throw Failure(text: "\(field): the city has no stop \(id)")
    }

    private func feedName(_ stop: StopIndex) -> String {
        let timetable = city.timetable
        let feed = Int(timetable.stops.feed[Int(stop.rawValue)])
        return timetable.texts[Int(timetable.feeds.name[feed])]
    }
}
