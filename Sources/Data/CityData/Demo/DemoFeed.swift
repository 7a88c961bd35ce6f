import Chronology
import Geo
import OpenData

/// One operator's GTFS feed of the demo city.
///
/// Source: GTFS Schedule reference.
struct DemoFeed {
    private let transit: TransitPlan
    private let isRail: Bool
    private let map: MapDraft
    private let city: String
    private let firstDay: CivilDate
    private let days: Int
    private var archive = ZipWriter()
    /// How many trips and stop times it has, the latter also on a weekday.
    private(set) var counts = (trips: 0, stopTimes: 0, weekdayStopTimes: 0, stops: 0, lines: 0)

    /// The feed of the trains, or of everything else.
    init(
        _ transit: TransitPlan,
        isRail: Bool,
        map: MapDraft,
        city: String,
        firstDay: CivilDate,
        days: Int
    ) {
        self.transit = transit
        self.isRail = isRail
        self.map = map
        self.city = city
        self.firstDay = firstDay
        self.days = days
    }

    /// The feed's bytes, a zip archive.
    mutating func bytes(_ timetable: DemoTimetable) throws(ZipWriter.Failure) -> [UInt8] {
        addOperator()
        addStops()
        addRoutes()
        addTrips(timetable)
        addCalendar()
        if isRail {
            addZoneFares()
        } else {
            addTickets()
            addTransfers()
            addPathways()
        }
        let finished = archive
        archive = ZipWriter()
        return try finished.finish()
    }

    private func includes(_ line: TransitPlan.Line) -> Bool { (line.mode == .rail) == isRail }

    private mutating func addOperator() {
        var agency = FeedTable("agency_id,agency_name,agency_url,agency_timezone,agency_lang")
        let name = isRail ? "Ferrovie Suburbane di \(city)" : "Azienda Trasporti \(city)"
        let id = isRail ? "fs" : "at"
        let url = "https://\(id).example/"
        agency.add(row: [id, name, url, "Europe/Rome", "it"])
        archive.add("agency.txt", agency.bytes)
        var info = FeedTable(
            "feed_publisher_name,feed_publisher_url,feed_lang,feed_start_date,feed_end_date,"
                + "feed_version"
        )
        let last = firstDay.adding(days: Int32(days - 1))
        info.add(row: [name, url, "it", Self.text(firstDay), Self.text(last), "demo"])
        archive.add("feed_info.txt", info.bytes)
        var translations = FeedTable(
            "table_name,field_name,language,translation,field_value"
        )
        let words = [
            ("Duomo", "Cathedral"), ("Centrale", "Central Station"),
            ("Tribunale", "Court House"), ("Università", "University"),
        ]
        let known = Set(transit.stops.filter { $0.isRail == isRail }.map(\.name))
        for (italian, english) in words where known.contains(italian) {
            translations.add(row: ["stops", "stop_name", "en", english, italian])
        }
        archive.add("translations.txt", translations.bytes)
    }

    private mutating func addStops() {
        var table = FeedTable(
            "stop_id,stop_name,stop_lat,stop_lon,zone_id,location_type,parent_station,"
                + "wheelchair_boarding,platform_code,level_id"
        )
        for (index, stop) in transit.stops.enumerated() where stop.isRail == isRail {
            let place = map.coordinate(of: stop.place)
            table.add(index + 1, prefix: 115)
            table.add(stop.name)
            table.add(degrees: place.latitude)
            table.add(degrees: place.longitude)
            if stop.locationType == 0 { table.add("Z\(stop.zone)") } else { table.addNothing() }
            table.add(stop.locationType)
            if let parent = stop.parent {
                table.add(parent + 1, prefix: 115)
            } else {
                table.addNothing()
            }
            table.add(stop.isAccessible.map { $0 ? 1 : 2 } ?? 0)
            table.add(stop.platform)
            table.add(stop.level.map { "L\($0)" } ?? "")
            table.endRow()
            if stop.locationType == 0 { counts.stops += 1 }
        }
        archive.add("stops.txt", table.bytes)
    }

    private mutating func addRoutes() {
        var table = FeedTable(
            "route_id,agency_id,route_short_name,route_long_name,route_type,route_color,"
                + "route_text_color"
        )
        let metro = [
            "E2001A", "5B8C2A", "F2B705", "3B3FB6", "8F63A8", "00939A", "B5651D", "6B6B6B",
        ]
        for (index, line) in transit.lines.enumerated() where includes(line) {
            var colour = "1F6FB2"
            switch line.mode {
            case .metro: colour = metro[index % metro.count]
            case .tram: colour = "C8671B"
            case .rail: colour = "2A7F3F"
            case .bus: if case .night = line.service { colour = "2B2F55" }
            }
            table.add(index + 1, prefix: 114)
            table.add(isRail ? "fs" : "at")
            table.add(line.number)
            table.add(line.name)
            table.add(line.mode.routeType)
            table.add(colour)
            table.add(colour == "F2B705" ? "000000" : "FFFFFF")
            table.endRow()
            counts.lines += 1
        }
        archive.add("routes.txt", table.bytes)
    }

    private mutating func addTrips(_ timetable: DemoTimetable) {
        var trips = FeedTable(
            "route_id,service_id,trip_id,trip_headsign,direction_id,block_id,shape_id,"
                + "wheelchair_accessible,bikes_allowed"
        )
        var times = FeedTable("trip_id,arrival_time,departure_time,stop_id,stop_sequence")
        var frequencies = FeedTable("trip_id,start_time,end_time,headway_secs,exact_times")
        var known = (line: -1, direction: -1, delay: -1)
        var offsets: [(arrival: Int, departure: Int)] = []
        for (index, trip) in timetable.trips.enumerated() {
            let line = transit.lines[trip.line]
            guard includes(line) else { continue }
            if known != (trip.line, trip.direction, trip.delay) {
                known = (trip.line, trip.direction, trip.delay)
                offsets = DemoTimetable.times(line, direction: trip.direction, delay: trip.delay)
            }
            let direction = line.directions[trip.direction]
            add(trip, number: index + 1, of: line, to: &trips)
            addTimes(trip, number: index + 1, direction, offsets, to: &times)
            if case .frequencies(let exact) = line.service {
                frequencies.add(index + 1, prefix: 116)
                frequencies.add(time: trip.start)
                frequencies.add(time: trip.start + 14_400)
                frequencies.add(Int(line.headways.day) * 60)
                frequencies.add(exact ? 1 : 0)
                frequencies.endRow()
            }
            counts.trips += 1
            counts.stopTimes += offsets.count
            if trip.days != .weekendNights { counts.weekdayStopTimes += offsets.count }
        }
        archive.add("trips.txt", trips.bytes)
        archive.add("stop_times.txt", times.bytes)
        if !isRail { archive.add("frequencies.txt", frequencies.bytes) }
        addShapes()
    }

    private func add(
        _ trip: DemoTimetable.Trip,
        number: Int,
        of line: TransitPlan.Line,
        to table: inout FeedTable
    ) {
        table.add(trip.line + 1, prefix: 114)
        table.add(trip.days.id)
        table.add(number, prefix: 116)
        table.add(line.directions[trip.direction].headsign)
        table.add(trip.direction)
        if trip.block > 0 { table.add(trip.block, prefix: 98) } else { table.addNothing() }
        table.add(trip.line * 2 + trip.direction + 1, prefix: 104)
        // Every seventh bus is an old one that a wheelchair cannot board.
        table.add(line.mode == .bus && number.isMultiple(of: 7) ? 2 : 1)
        table.add(line.mode == .rail || line.mode == .metro ? 1 : 2)
        table.endRow()
    }

    private func addTimes(
        _ trip: DemoTimetable.Trip,
        number: Int,
        _ direction: TransitPlan.LineDirection,
        _ offsets: [(arrival: Int, departure: Int)],
        to table: inout FeedTable
    ) {
        for rank in direction.stops.indices {
            table.add(number, prefix: 116)
            table.add(time: trip.start + offsets[rank].arrival)
            table.add(time: trip.start + offsets[rank].departure)
            table.add(direction.stops[rank] + 1, prefix: 115)
            table.add(rank + 1)
            table.endRow()
        }
    }

    private mutating func addShapes() {
        var table = FeedTable("shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence")
        for (index, line) in transit.lines.enumerated() where includes(line) {
            for (number, direction) in line.directions.enumerated() {
                for (rank, point) in direction.shape.enumerated() {
                    let place = map.coordinate(of: point)
                    table.add(index * 2 + number + 1, prefix: 104)
                    table.add(degrees: place.latitude)
                    table.add(degrees: place.longitude)
                    table.add(rank + 1)
                    table.endRow()
                }
            }
        }
        archive.add("shapes.txt", table.bytes)
    }

    private mutating func addCalendar() {
        var calendar = FeedTable(
            "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,"
                + "end_date"
        )
        let last = firstDay.adding(days: Int32(days - 1))
        let masks: [(DemoTimetable.Days, String)] = [
            (.always, "1111111"), (.mondayToSaturday, "1111110"), (.mondayToFriday, "1111100"),
            (.weekendNights, "0000110"),
        ]
        for (service, mask) in masks {
            let week = mask.map(String.init)
            calendar.add(row: [service.id] + week + [Self.text(firstDay), Self.text(last)])
        }
        archive.add("calendar.txt", calendar.bytes)
        var exceptions = FeedTable("service_id,date,exception_type")
        for day in 0..<Int32(days) {
            let date = firstDay.adding(days: day)
            if Holidays.contains(date) {
                if date.weekday < 6 { exceptions.add(row: ["lun-sab", Self.text(date), "2"]) }
                if date.weekday < 5 { exceptions.add(row: ["lun-ven", Self.text(date), "2"]) }
            }
            // Night buses also run into the New Year.
            if date.numbers.month == 12, date.numbers.day == 31, ![4, 5].contains(date.weekday) {
                exceptions.add(row: ["notti", Self.text(date), "1"])
            }
        }
        archive.add("calendar_dates.txt", exceptions.bytes)
    }

    /// The railway's fares by zone, in version 1 of the format.
    private mutating func addZoneFares() {
        var fares = FeedTable(
            "fare_id,price,currency_type,payment_method,transfers,agency_id,transfer_duration"
        )
        var rules = FeedTable("fare_id,route_id,origin_id,destination_id")
        for zones in 1...4 {
            let price = "\(1 + zones * 4 / 5).\(zones * 8 % 10)0"
            fares.add(row: ["treno-\(zones)", price, "EUR", "1", "", "fs", "7200"])
            for from in 1...4 {
                for to in 1...4 where abs(from - to) + 1 == zones {
                    rules.add(row: ["treno-\(zones)", "", "Z\(from)", "Z\(to)"])
                }
            }
        }
        archive.add("fare_attributes.txt", fares.bytes)
        archive.add("fare_rules.txt", rules.bytes)
    }

    /// The city's tickets for adults and for children, in version 2 of the format: each of them
    /// pays for any ride and for changes within 90 minutes.
    private mutating func addTickets() {
        var categories = FeedTable(
            "rider_category_id,rider_category_name,is_default_fare_category"
        )
        categories.add(row: ["adulto", "Adulti", "1"])
        categories.add(row: ["ragazzo", "Ragazzi fino a 14 anni", "0"])
        var products = FeedTable(
            "fare_product_id,fare_product_name,rider_category_id,amount,currency"
        )
        var rules = FeedTable("leg_group_id,fare_product_id")
        let tickets = [
            ("urbano", "Biglietto da 90 minuti", "2.00", "1.00"),
            ("giornaliero", "Biglietto giornaliero", "6.00", "3.00"),
            ("mensile", "Abbonamento mensile", "35.00", "20.00"),
        ]
        for (id, name, adult, child) in tickets {
            products.add(row: [id, name, "adulto", adult, "EUR"])
            products.add(row: [id, name, "ragazzo", child, "EUR"])
            rules.add(row: ["corsa", id])
        }
        var transfers = FeedTable(
            "from_leg_group_id,to_leg_group_id,transfer_count,duration_limit,"
                + "duration_limit_type,fare_transfer_type"
        )
        // Any number of changes is free if the last vehicle is boarded within 90 minutes.
        transfers.add(row: ["corsa", "corsa", "-1", "5400", "1", "0"])
        archive.add("rider_categories.txt", categories.bytes)
        archive.add("fare_products.txt", products.bytes)
        archive.add("fare_leg_rules.txt", rules.bytes)
        archive.add("fare_transfer_rules.txt", transfers.bytes)
    }

    private mutating func addTransfers() {
        var table = FeedTable("from_stop_id,to_stop_id,transfer_type,min_transfer_time")
        for transfer in transit.transfers {
            table.add(transfer.from + 1, prefix: 115)
            table.add(transfer.to + 1, prefix: 115)
            table.add(2)
            table.add(transfer.seconds)
            table.endRow()
        }
        archive.add("transfers.txt", table.bytes)
    }

    private mutating func addPathways() {
        var levels = FeedTable("level_id,level_index,level_name")
        levels.add(row: ["L0", "0", "Strada"])
        levels.add(row: ["L-1", "-1", "Mezzanino"])
        levels.add(row: ["L-2", "-2", "Banchine"])
        archive.add("levels.txt", levels.bytes)
        var table = FeedTable(
            "pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional,traversal_time"
        )
        for (index, pathway) in transit.pathways.enumerated() {
            table.add(index + 1, prefix: 112)
            table.add(pathway.from + 1, prefix: 115)
            table.add(pathway.to + 1, prefix: 115)
            table.add(pathway.mode)
            table.add(pathway.isBothWays ? 1 : 0)
            table.add(pathway.seconds)
            table.endRow()
        }
        archive.add("pathways.txt", table.bytes)
    }

    private static func text(_ date: CivilDate) -> String {
        let (year, month, day) = date.numbers
        return String(year) + (month < 10 ? "0" : "") + String(month) + (day < 10 ? "0" : "")
            + String(day)
    }
}

/// The public holidays of Italy.
enum Holidays {
    /// Whether a day is a public holiday.
    static func contains(_ date: CivilDate) -> Bool {
        let (year, month, day) = date.numbers
        let fixed: [(Int32, Int32)] = [
            (1, 1), (1, 6), (4, 25), (5, 1), (6, 2), (8, 15), (11, 1), (12, 8), (12, 25), (12, 26),
        ]
        if fixed.contains(where: { $0 == (month, day) }) { return true }
        return easter(of: year)?.adding(days: 1) == date
    }

    /// Easter Sunday of a year (Meeus, Jones, Butcher; "Astronomical Algorithms", 1991).
    static func easter(of year: Int32) -> CivilDate? {
        let golden = year % 19
        let century = year / 100
        let rest = year % 100
        let moon =
            (19 * golden + century - century / 4 - (century - (century + 8) / 25 + 1) / 3 + 15)
            % 30
        let week = (32 + 2 * (century % 4) + 2 * (rest / 4) - moon - rest % 4) % 7
        let shift = (golden + 11 * moon + 22 * week) / 451
        let sum = moon + week - 7 * shift + 114
        return CivilDate(year: year, month: sum / 31, day: sum % 31 + 1)
    }
}
