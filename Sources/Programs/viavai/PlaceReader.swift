import Chronology
import CityData
import Geo
import Journeys
import Transit

/// Parses places and times as people write them on the command line and in files.
///
/// ``PlaceResolver`` decides what a text means; a command cannot ask, so it takes the best place
/// and states what was ambiguous.
struct PlaceReader {
    /// A text that is not a place, with a sentence that names the field.
    struct Failure: Error {
        let text: String
    }

    private let zone: ZoneTable
    private let stops: [StopDirectory]
    /// The places of the cities.
    let resolver: CityPlaces

    /// Creates a reader for a city.
    init(city: City) { self.init(cities: [city]) }

    /// Creates a reader for cities; times are in the zone of the first.
    init(cities: [City]) {
        precondition(!cities.isEmpty, "places are read in at least one city")
        zone = cities[0].timetable.zone
        let stops = cities.map { StopDirectory($0.timetable) }
        self.stops = stops
        resolver = CityPlaces(
            zip(cities, stops).map { city, stops in
                (city, PlaceResolver(addresses: AddressBook(city.file), stops: stops))
            }
        )
    }

    /// Parses a time in the city's time zone; nil if it is invalid.
    func time(_ text: String) -> Instant? {
        LocalTime(iso8601: text)?.instant(in: zone)
    }

    /// Finds the place that a text describes.
    ///
    /// - Parameters:
    ///   - text: `stop:ID`, `stop:FEED/ID`, `lat,lon` or an address.
    ///   - field: the name of the input field, for errors.
    /// - Returns: the place, with notes about how the text was interpreted.
    /// - Throws: ``Failure`` if there is no such place.
    func place(_ text: String, _ field: String) throws(Failure) -> ResolvedPlace {
        switch resolver.find(text, .takesBest) {
        case .found(let place): return place
        case .several(let places):
            // Only stops of several feeds are left to choose from.
            let names = places.flatMap { place in
                place.stops.map { "stop:\(stops[place.city].identifier($0))" }
            }
            let id = text.dropFirst(Self.stopPrefix.count)
            throw Failure(
                text: "\(field): more than one feed has a stop \(id): write "
                    + names.joined(separator: " or ")
            )
        case .nothing: throw Failure(text: "\(field): \(unknown(text))")
        }
    }

    /// Finds the place that a text describes, and the endpoint for journeys from and to it.
    ///
    /// - Throws: ``Failure`` if there is no such place, or its position is unknown.
    func placeWithEndpoint(
        _ text: String,
        _ field: String
    ) throws(Failure) -> (place: ResolvedPlace, endpoint: Endpoint) {
        let place = try place(text, field)
        guard let endpoint = place.endpoint else {
            throw Failure(text: "\(field): the city knows no position of \(place.name)")
        }
        return (place, endpoint)
    }

    /// The place at a coordinate.
    func place(at coordinate: Coordinate) -> ResolvedPlace { resolver.place(at: coordinate) }

    private static let stopPrefix = "stop:"
    /// The maximum length of an invalid place that the error message repeats, in characters.
    private static let shownLimit = 80

    /// Reports that a text is no place, and what may have been meant.
    private func unknown(_ text: String) -> String {
        guard text.hasPrefix(Self.stopPrefix) else {
            let shown =
                text.count > Self.shownLimit ? text.prefix(Self.shownLimit) + "…" : text[...]
            let names = resolver.corrections(of: text)
            return "nothing is called \"\(shown)\"; "
                + (names.isEmpty
                    ? "try another spelling, or write lat,lon or stop:ID"
                    : "did you mean \(names.joined(separator: "; or "))?")
        }
        let id = String(text.dropFirst(Self.stopPrefix.count))
        let named = resolver.stops(named: id).map { city, stop in
            "stop:\(stops[city].identifier(stop)) (\(stops[city].name(stop)))"
        }
        return "the city has no stop \(id)"
            + (named.isEmpty
                ? "; write its name instead, or lat,lon"
                : "; did you mean \(named.joined(separator: " or "))?")
    }
}

extension ResolvedPlace {
    /// How many places with the same name are listed.
    private static let namedLimit = 5

    /// Remarks for the user about how the text was interpreted.
    var remarks: [String] {
        notes.map { note in
            switch note {
            case .nearestHouse(let known, let asked):
                "number \(asked) is not on the map; the nearest known one is \(known): \(name)"
            case .wholeStreet(let asked):
                "number \(asked) is not on the map; taking the street: \(name)"
            case .namesakes(let labels):
                "taking \(name); there is also "
                    + labels.prefix(Self.namedLimit).joined(separator: "; ")
                    + (labels.count > Self.namedLimit ? "; …" : "")
            }
        }
    }
}
