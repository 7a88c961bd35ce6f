import Chronology
import Columns
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
        ISO8601.localTime(text).map { city.timetable.zone.instant($0.date, second: $0.second) }
    }

    /// A place.
    ///
    /// - Parameters:
    ///   - text: `stop:ID` or `stop:FEED/ID`.
    ///   - field: what the place is for, for errors.
    func place(_ text: String, _ field: String) throws(Failure) -> Endpoint {
        guard text.hasPrefix("stop:") else {
            throw Failure(text: "\(field): \"\(text)\" is no place: write stop:ID")
        }
        return .stop(try stop(String(text.dropFirst(5)), field))
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
