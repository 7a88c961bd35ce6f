import Chronology
import Geo

extension TariffReader {
    mutating func currency() throws(TariffFailure) -> Currency {
        let digits =
            try optional("currency.digits", "a number from 0 to 4") { text in
                Int(text).flatMap { (0...4).contains($0) ? $0 : nil }
            } ?? 2
        return try required("currency", "a code of three capital letters") {
            Currency(code: $0, digits: digits)
        }
    }

    /// Parses the night hours, whose two keys must both be present or absent.
    mutating func night() throws(TariffFailure) -> Tariff.Night? {
        let clock = "a time such as 06:00"
        let from = try optional("night.from", clock, Self.second)
        guard let from else {
            if take("night.to") != nil { throw .missingKey("night.from", line: line) }
            return nil
        }
        let to = try required("night.to", clock + " other than night.from") { text in
            Self.second(text).flatMap { $0 == from ? nil : $0 }
        }
        return Tariff.Night(from: from, to: to)
    }

    /// Parses a time such as `06:00` into the second of the day.
    private static func second(_ text: String) -> Int32? {
        LocalTime(iso8601: "1970-01-01T" + text).map { $0.second }
    }

    mutating func holidays() throws(TariffFailure) -> Tariff.Holidays {
        var holidays = Tariff.Holidays()
        holidays.sundays =
            try optional("holidays.sundays", "true or false") {
                $0 == "true" ? true : $0 == "false" ? false : nil
            } ?? false
        let allowed = "a list in [ ] of dates such as 2026-04-06, or 12-25 for every year"
        let days = try optional("holidays", allowed) { text in
            Self.list(text).flatMap { Self.days($0) }
        }
        for day in days ?? [] {
            switch day {
            case .once(let date): holidays.dates.append(date)
            case .yearly(let number): holidays.yearly.append(number)
            }
        }
        return holidays
    }

    private enum Day {
        case once(CivilDate)
        case yearly(Int32)
    }

    /// Parses a list of days; nil if an element is invalid.
    private static func days(_ parts: [String]) -> [Day]? {
        var days: [Day] = []
        for part in parts {
            if let date = CivilDate(iso8601: part) {
                days.append(.once(date))
            } else if let date = CivilDate(iso8601: "2000-" + part) {
                days.append(.yearly(date.numbers.month * 100 + date.numbers.day))
            } else {
                return nil
            }
        }
        return days
    }

    /// Parses the initial charges; those of night and holidays are present exactly
    /// if such times are.
    mutating func initial(
        _ currency: Currency,
        _ hasNight: Bool,
        _ hasHolidays: Bool
    ) throws(TariffFailure) -> Tariff.Initial {
        guard let day = try amount("initial.day", currency) else {
            throw .missingKey("initial.day", line: line)
        }
        let night = try amount("initial.night", currency)
        let holiday = try amount("initial.holiday", currency)
        if hasNight != (night != nil) {
            throw .missingKey(hasNight ? "initial.night" : "night.from", line: line)
        }
        if hasHolidays != (holiday != nil) {
            throw .missingKey(hasHolidays ? "initial.holiday" : "holidays", line: line)
        }
        return Tariff.Initial(day: day, night: night ?? day, holiday: holiday ?? day)
    }

    /// Parses the places between which fixed fares apply.
    mutating func places() throws(TariffFailure) -> [Tariff.Place] {
        var places: [Tariff.Place] = []
        for entry in take(beginning: "place.") {
            guard Self.isWord(entry.key) else {
                throw .unknownKey("place." + entry.key, line: entry.line)
            }
            guard let extent = Self.extent(entry.value) else {
                throw .badValue(
                    key: "place." + entry.key,
                    value: entry.value,
                    allowed: "all zones, zones [NAME, ...] or area [LATITUDE LONGITUDE, ...] with"
                        + " at least three corners and no crossing",
                    line: entry.line
                )
            }
            places.append(Tariff.Place(name: entry.key, extent: extent))
        }
        return places
    }

    /// Whether a name can be part of a key: lower-case letters, digits, `_` and `-`.
    private static func isWord(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x5F
                    || byte == 0x2D
            }
    }

    private static func extent(_ text: String) -> Tariff.Place.Extent? {
        if text == "all zones" { return .allZones }
        if text.hasPrefix("zones") {
            let names = list(text.dropFirst(5)) ?? []
            return names.isEmpty ? nil : .zones(names)
        }
        guard text.hasPrefix("area"), let corners = list(text.dropFirst(4)) else { return nil }
        var points: [Coordinate] = []
        for corner in corners {
            let numbers = corner.split(separator: " ").compactMap { Self.degrees($0) }
            guard numbers.count == 2, corner.split(separator: " ").count == 2 else { return nil }
            points.append(Coordinate(latitude: numbers[0], longitude: numbers[1]))
        }
        if let first = points.first, points.last != first { points.append(first) }
        guard let outline = try? Ring(points) else { return nil }
        let polygon = Polygon(outline: outline)
        return polygon.flaw == nil ? .area(polygon) : nil
    }

    /// Parses degrees with at most 7 decimals, in units of 1e-7 degrees.
    private static func degrees(_ text: Substring) -> Int32? {
        let isNegative = text.first == "-"
        return Decimal.units(isNegative ? text.dropFirst() : text, digits: 7).flatMap {
            Int32(exactly: isNegative ? -$0 : $0)
        }
    }

    /// Parses the fixed fares, `fixed.ONE.OTHER: AMOUNT`.
    mutating func fixedFares(
        _ places: [Tariff.Place],
        _ currency: Currency
    ) throws(TariffFailure) -> [Tariff.FixedFare] {
        var fares: [Tariff.FixedFare] = []
        for entry in take(beginning: "fixed.") {
            let key = "fixed." + entry.key
            let names = entry.key.split(separator: ".", omittingEmptySubsequences: false)
            guard names.count == 2 else { throw .unknownKey(key, line: entry.line) }
            var ends: [Int] = []
            for name in names {
                guard let place = places.firstIndex(where: { $0.name == name }) else {
                    throw .unknownPlace(String(name), key: key, line: entry.line)
                }
                ends.append(place)
            }
            guard let amount = Decimal.units(entry.value, digits: currency.digits) else {
                throw .badValue(
                    key: key,
                    value: entry.value,
                    allowed: Self.amounts(currency.digits),
                    line: entry.line
                )
            }
            fares.append(Tariff.FixedFare(from: ends[0], to: ends[1], amount: amount))
        }
        return fares
    }

    /// Parses the surcharges, `surcharge.NAME: AMOUNT once|each|each over NUMBER`.
    mutating func surcharges(_ currency: Currency) throws(TariffFailure) -> [Tariff.Surcharge] {
        var surcharges: [Tariff.Surcharge] = []
        for entry in take(beginning: "surcharge.") {
            guard Self.isWord(entry.key) else {
                throw .unknownKey("surcharge." + entry.key, line: entry.line)
            }
            let words = entry.value.split(separator: " ")
            guard let first = words.first,
                let amount = Decimal.units(first, digits: currency.digits),
                let free = Self.freeCount(words.dropFirst().map(String.init))
            else {
                throw .badValue(
                    key: "surcharge." + entry.key,
                    value: entry.value,
                    allowed: Self.amounts(currency.digits)
                        + ", then once, each or each over NUMBER",
                    line: entry.line
                )
            }
            surcharges.append(
                Tariff.Surcharge(name: entry.key, amount: amount, free: free < 0 ? nil : free)
            )
        }
        return surcharges
    }

    /// The number of free items by the words after the amount; -1 for `once`; nil if invalid.
    private static func freeCount(_ words: [String]) -> Int64? {
        switch words.count {
        case 1 where words[0] == "once": -1
        case 1 where words[0] == "each": 0
        case 3 where words[0] == "each" && words[1] == "over":
            Decimal.units(words[2], digits: 0)
        default: nil
        }
    }
}
