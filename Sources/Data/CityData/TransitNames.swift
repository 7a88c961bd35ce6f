import Columns
package import Transit

/// The names of a city's public transport: translated where a feed provides it,
/// otherwise as in the feed.
///
/// Source: GTFS reference, `translations.txt`. A translation of a record takes precedence over one
/// of a text, and one in the exact language over one in a variant of it (`en-GB` for `en`).
package struct TransitNames: Sendable {
    private let timetable: Timetable
    private var translations: [Key: (rank: Int, text: UInt32)] = [:]
    /// The languages that feeds have translations for, in the order of their codes.
    package private(set) var languages: [String] = []
    /// Whether there is a translation in the requested language.
    package var isTranslated: Bool { !translations.isEmpty }

    /// Identifies what a translation replaces.
    private struct Key: Hashable {
        let feed: FeedIndex
        let field: Field
        /// Whether `number` is the text of a record's identifier, and not of the name itself.
        let isRecord: Bool
        let number: UInt32
    }

    /// The names that are shown; raw values are table and field.
    ///
    /// Headsigns of single stops have no records here, since one would need the stop's number too.
    private enum Field: String {
        case stop = "stops.stop_name"
        case shortName = "routes.route_short_name"
        case longName = "routes.route_long_name"
        case agency = "agency.agency_name"
        case headsign = "trips.trip_headsign"
        case stopHeadsign = "stop_times.stop_headsign"
    }

    /// The names of a timetable.
    ///
    /// - Parameters:
    ///   - timetable: the timetable.
    ///   - language: a language (BCP 47); nil for the names as the feeds have them.
    package init(_ timetable: Timetable, language: String? = nil) {
        self.timetable = timetable
        let rows = Rows(timetable.file)
        var ranks: [UInt32: Int] = [:]
        for row in rows.language.indices where ranks[rows.language[row]] == nil {
            let code = timetable.texts[Int(rows.language[row])]
            languages.append(code)
            ranks[rows.language[row]] = language.map { Self.rank(code, for: $0) } ?? 0
        }
        languages.sort()
        for row in rows.language.indices {
            let rank = ranks[rows.language[row]] ?? 0
            let name =
                "\(timetable.texts[Int(rows.table[row])]).\(timetable.texts[Int(rows.field[row])])"
            guard rank > 0, let field = Field(rawValue: name) else { continue }
            let isRecord = rows.record[row] != 0
            guard !isRecord || field != .stopHeadsign else { continue }
            let key = Key(
                feed: rows.feed[row],
                field: field,
                isRecord: isRecord,
                number: isRecord ? rows.record[row] : rows.value[row]
            )
            if rank > translations[key]?.rank ?? 0 { translations[key] = (rank, rows.text[row]) }
        }
    }

    /// How well a language matches the wanted one: 2 exactly, 1 a variant of it, 0 not at all.
    private static func rank(_ code: String, for wanted: String) -> Int {
        let code = code.lowercased()
        let wanted = wanted.lowercased()
        if code == wanted { return 2 }
        return code.split(separator: "-").first == wanted.split(separator: "-").first ? 1 : 0
    }

    /// Columns of translations.
    private struct Rows {
        let feed: Column<FeedIndex>
        let table: Column<UInt32>
        let field: Column<UInt32>
        let language: Column<UInt32>
        let text: Column<UInt32>
        let record: Column<UInt32>
        let value: Column<UInt32>

        init(_ file: SectionFile) {
            feed = file.column("transit.translation.feed")
            table = file.column("transit.translation.table")
            field = file.column("transit.translation.field")
            language = file.column("transit.translation.language")
            text = file.column("transit.translation.text")
            record = file.column("transit.translation.record")
            value = file.column("transit.translation.value")
        }
    }

    /// The name of a stop in the wanted language.
    package func stop(_ stop: StopIndex) -> String {
        let stops = timetable.stops
        return text(stops.name[stop], .stop, feed: stops.feed[stop], record: stops.id[stop])
    }

    /// The short name of a route of a feed; "" where it has none.
    package func shortName(_ route: RouteIndex, feed: FeedIndex) -> String {
        let routes = timetable.routes
        return text(routes.shortName[route], .shortName, feed: feed, record: routes.id[route])
    }

    /// The long name of a route of a feed; "" where it has none.
    package func longName(_ route: RouteIndex, feed: FeedIndex) -> String {
        let routes = timetable.routes
        return text(routes.longName[route], .longName, feed: feed, record: routes.id[route])
    }

    /// The name of the agency of a route of a feed.
    package func agency(_ route: RouteIndex, feed: FeedIndex) -> String {
        let agency = timetable.routes.agency[route]
        return text(timetable.agencies.name[agency], .agency, feed: feed, record: 0)
    }

    /// A headsign, given as a text number, that a trip of a feed shows; "" where it has none.
    package func headsign(_ number: UInt32, trip: TripIndex, feed: FeedIndex) -> String {
        let isStop = number != timetable.trips.headsign[trip]
        return text(
            number,
            isStop ? .stopHeadsign : .headsign,
            feed: feed,
            record: isStop ? 0 : timetable.trips.id[trip]
        )
    }

    private func text(_ number: UInt32, _ field: Field, feed: FeedIndex, record: UInt32) -> String {
        func found(_ isRecord: Bool, _ key: UInt32) -> UInt32? {
            guard key != 0 else { return nil }
            let key = Key(feed: feed, field: field, isRecord: isRecord, number: key)
            return translations[key]?.text
        }
        return timetable.texts[Int(found(true, record) ?? found(false, number) ?? number)]
    }
}
