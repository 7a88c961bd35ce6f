import Chronology
import Encoding

/// Reads a GTFS feed: whatever can be understood is kept, whatever cannot is left out or repaired
/// and noted, and only a feed that makes no sense at all is refused.
package struct GTFSReader {
    /// How many rows of one file can be numbered.
    static let rowLimit = Int(Int32.max) / 2

    let source: FeedSource
    let nested: String
    var feed = GTFSFeed()
    var log = DiagnosticLog()
    var agencyNumbers = IdentifierTable()
    var stopNumbers = IdentifierTable()
    var routeNumbers = IdentifierTable()
    var serviceNumbers = IdentifierTable()
    var tripNumbers = IdentifierTable()
    var shapeNumbers = IdentifierTable()

    /// A feed and the repairs made while reading it.
    package struct Result: Sendable {
        /// The feed with repairs applied.
        package let feed: GTFSFeed
        /// The repairs made while reading.
        package let log: DiagnosticLog
    }

    /// Reads and repairs a feed.
    ///
    /// - Parameters:
    ///   - source: the archive or folder of the feed.
    ///   - name: the name of the feed, used in errors and in `stop:FEED/ID`.
    /// - Returns: the feed and the log of repairs.
    /// - Throws: ``GTFSFailure`` where the feed cannot be repaired.
    package static func read(_ source: FeedSource, name: String) throws(GTFSFailure) -> Result {
        var log = DiagnosticLog()
        let feed = try read(source, name: name, log: &log)
        return Result(feed: feed, log: log)
    }

    /// Reads a feed; `log` is set to the repairs, also where the feed is refused.
    package static func read(
        _ source: FeedSource,
        name: String,
        log: inout DiagnosticLog
    ) throws(GTFSFailure) -> GTFSFeed {
        var reader = GTFSReader(source: source, nested: try source.nestedFolder())
        reader.feed.name = name
        defer { log = reader.log }
        try reader.readAll()
        return reader.feed
    }

    private mutating func readAll() throws(GTFSFailure) {
        if !nested.isEmpty { log.note(nested, 0, "", .nestedFolder) }
        try readAgencies()
        try readStops()
        try readRoutes()
        try readServices()
        try readShapes()
        try readTrips()
        try readStopTimes()
        try readFrequencies()
        try readTransfers()
        try readPathways()
        try readTranslations()
        try readInfo()
        try readFares()
    }

    private init(source: FeedSource, nested: String) {
        self.source = source
        self.nested = nested
    }

    /// The table of a file; nil if the feed does not have it.
    mutating func table(_ file: String) throws(GTFSFailure) -> GTFSTable? {
        guard let bytes = try source.bytes(of: file, in: nested) else { return nil }
        return GTFSTable(feed: feed.name, file: file, bytes: bytes, log: &log)
    }

    /// The table of a file that every feed must have.
    mutating func requiredTable(_ file: String) throws(GTFSFailure) -> GTFSTable {
        guard let table = try table(file) else {
            throw .missingFile(feed: feed.name, file: file)
        }
        return table
    }

    private mutating func readAgencies() throws(GTFSFailure) {
        var table = try requiredTable("agency.txt")
        let id = table.column("agency_id")
        let name = table.column("agency_name")
        let zone = try table.required("agency_timezone")
        let url = table.column("agency_url")
        let fareURL = table.column("agency_fare_url")
        while table.next(&log) {
            guard agencyNumbers.insert(table.rows.raw(id)) != nil else {
                table.note("agency_id", .duplicate, &log)
                continue
            }
            let text = table.rows.text(name)
            if text.isEmpty { table.note("agency_name", .missingName, &log) }
            feed.agencies.append(
                GTFSFeed.Agency(
                    id: table.rows.text(id),
                    name: text.isEmpty ? table.rows.text(id) : text,
                    zone: table.rows.text(zone),
                    url: table.rows.text(url),
                    fareURL: table.rows.text(fareURL)
                )
            )
        }
        guard !feed.agencies.isEmpty else {
            throw .nothingUsable(feed: feed.name, file: "agency.txt")
        }
    }

    private mutating func readRoutes() throws(GTFSFailure) {
        var table = try requiredTable("routes.txt")
        let id = try table.required("route_id")
        let type = try table.required("route_type")
        let agency = table.column("agency_id")
        let shortName = table.column("route_short_name")
        let longName = table.column("route_long_name")
        let color = table.column("route_color")
        let textColor = table.column("route_text_color")
        let continuous = table.continuousColumns
        while table.next(&log) {
            guard let number = table.rows.number(type), (0...1_702).contains(number) else {
                table.note(
                    "route_type",
                    table.rows.isEmpty(type) ? .missingValue : .badValue,
                    &log
                )
                continue
            }
            guard let identifier = table.identify(id, "route_id", in: &routeNumbers, &log) else {
                continue
            }
            table.noteContinuous(continuous, &log)
            feed.routes.append(
                GTFSFeed.Route(
                    id: identifier,
                    agency: table.optionalReference(agency, "agency_id", in: agencyNumbers, &log)
                        ?? 0,
                    shortName: table.rows.text(shortName),
                    longName: table.rows.text(longName),
                    type: number,
                    color: Self.color(table, color, "route_color", &log),
                    textColor: Self.color(table, textColor, "route_text_color", &log)
                )
            )
        }
        guard !feed.routes.isEmpty else {
            throw .nothingUsable(feed: feed.name, file: "routes.txt")
        }
    }

    private static func color(
        _ table: GTFSTable,
        _ column: Int?,
        _ field: String,
        _ log: inout DiagnosticLog
    ) -> UInt32? {
        guard !table.rows.isEmpty(column) else { return nil }
        let text = table.rows.text(column)
        if text.utf8.count == 6, let value = UInt32(text, radix: 16) { return value }
        table.note(field, .badOptionalValue, &log)
        return nil
    }

    private mutating func readServices() throws(GTFSFailure) {
        let calendar = try table("calendar.txt")
        let exceptions = try table("calendar_dates.txt")
        guard calendar != nil || exceptions != nil else {
            throw .missingFile(feed: feed.name, file: "calendar.txt or calendar_dates.txt")
        }
        if var calendar { try readCalendar(&calendar) }
        if var exceptions { try readExceptions(&exceptions) }
        for service in feed.services where service.days.isEmpty {
            log.note("calendar.txt", 0, "service_id", .emptyService)
        }
    }

    private mutating func readCalendar(_ table: inout GTFSTable) throws(GTFSFailure) {
        let id = try table.required("service_id")
        let start = try table.required("start_date")
        let end = try table.required("end_date")
        var weekdays: [Int] = []
        for name in ["mon", "tues", "wednes", "thurs", "fri", "satur", "sun"] {
            weekdays.append(try table.required(name + "day"))
        }
        while table.next(&log) {
            guard let first = Self.date(table.rows.raw(start)) else {
                table.note("start_date", .badValue, &log)
                continue
            }
            guard let last = Self.date(table.rows.raw(end)) else {
                table.note("end_date", .badValue, &log)
                continue
            }
            guard let identifier = table.identify(id, "service_id", in: &serviceNumbers, &log)
            else {
                continue
            }
            let runs = weekdays.map { table.rows.number($0) == 1 }
            var days = DaySet()
            var date = max(first, Self.firstDay)
            let horizon = min(last, Self.lastDay)
            while date <= horizon {
                if runs[Int(date.weekday)] { days.insert(date) }
                date = date.adding(days: 1)
            }
            feed.services.append(GTFSFeed.Service(id: identifier, days: days))
        }
    }

    private mutating func readExceptions(_ table: inout GTFSTable) throws(GTFSFailure) {
        let id = try table.required("service_id")
        let date = try table.required("date")
        let type = try table.required("exception_type")
        while table.next(&log) {
            guard !table.rows.isEmpty(id) else {
                table.note("service_id", .missingValue, &log)
                continue
            }
            guard let day = Self.date(table.rows.raw(date)), day >= Self.firstDay,
                day <= Self.lastDay
            else {
                table.note("date", .badValue, &log)
                continue
            }
            let kind = table.rows.number(type)
            guard kind == 1 || kind == 2 else {
                table.note("exception_type", .badValue, &log)
                continue
            }
            var number = serviceNumbers.number(of: table.rows.raw(id))
            if number == nil {
                number = serviceNumbers.insert(table.rows.raw(id))
                feed.services.append(GTFSFeed.Service(id: table.rows.text(id), days: DaySet()))
            }
            guard let number else { continue }
            if kind == 1 {
                feed.services[number].days.insert(day)
            } else {
                feed.services[number].days.remove(day)
            }
        }
    }

    /// The first day that services may run on, 1970-01-01: days before it are typing errors.
    static let firstDay = CivilDate(daysSince1970: 0)
    /// The last day that services may run on, 2099-12-31.
    static let lastDay = CivilDate(daysSince1970: 47_481)

    /// Parses `YYYYMMDD`; nil if it is not a date.
    static func date(_ raw: ArraySlice<UInt8>) -> CivilDate? {
        guard raw.count == 8, let number = CSVScanner.number(raw), number > 0 else { return nil }
        return CivilDate(year: number / 10_000, month: number / 100 % 100, day: number % 100)
    }
}
