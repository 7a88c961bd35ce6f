import Chronology
import Columns
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
    private let stops: [String: [StopIndex]]

    /// A reader for a city.
    init(city: City) {
        self.city = city
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
    ///   - text: `stop:ID`, `stop:FEED/ID` or `lat,lon`.
    ///   - field: what the place is for, for errors.
    /// - Returns: the place and what to call it.
    /// - Throws: ``Failure`` where there is no such place.
    func place(_ text: String, _ field: String) throws(Failure) -> Place {
        if text.hasPrefix("stop:") {
            let stop = try stop(String(text.dropFirst(5)), field)
            let name = city.timetable.stops.name[Int(stop.rawValue)]
            return Place(endpoint: .stop(stop), name: city.timetable.texts[Int(name)])
        }
        guard let coordinate = coordinate(text) else {
            throw Failure(text: "\(field): \"\(text)\" is no place: write stop:ID or lat,lon")
        }
        return Place(endpoint: .place(coordinate), name: text)
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
