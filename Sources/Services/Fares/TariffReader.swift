import Chronology
import Encoding

/// Creates a tariff from the entries of a file.
struct TariffReader {
    /// A line of a tariff file.
    struct Entry {
        var key: String
        var value: String
        var line: Int
    }

    /// The first line of the tariff.
    let line: Int
    /// The entries that were not processed yet.
    private var left: [Entry]

    init(_ entries: [Entry]) {
        left = entries
        line = entries.first?.line ?? 1
    }

    /// Parses the tariff; all entries must be known.
    mutating func tariff() throws(TariffFailure) -> Tariff {
        let currency = try currency()
        let night = try night()
        let holidays = try holidays()
        let places = try places()
        let initial = try initial(currency, night != nil, holidays != Tariff.Holidays())
        let tariff = Tariff(
            name: take("name")?.value ?? "",
            validFrom: try required("valid_from", "a date such as 2026-01-31") {
                CivilDate(iso8601: $0)
            },
            currency: currency,
            initial: initial,
            perKilometre: try required("per_km", Self.amounts(currency.digits + 4)) {
                Decimal.units($0, digits: currency.digits + 4)
            },
            perHour: try required("per_hour", Self.amounts(currency.digits + 4)) {
                Decimal.units($0, digits: currency.digits + 4)
            },
            threshold: try optional("threshold_kmh", "a speed such as 24.6") {
                Decimal.units($0, digits: 3)
            },
            minimum: try amount("minimum", currency) ?? 0,
            step: try optional("meter.step", "an amount above 0") {
                Decimal.units($0, digits: currency.digits).flatMap { $0 > 0 ? $0 : nil }
            } ?? 1,
            rounding: try optional("meter.rounding", "down, nearest or up") {
                Tariff.Rounding(rawValue: $0)
            } ?? .down,
            night: night,
            holidays: holidays,
            places: places,
            fixed: try fixedFares(places, currency),
            surcharges: try surcharges(currency)
        )
        if let entry = left.first { throw .unknownKey(entry.key, line: entry.line) }
        return tariff
    }

    // MARK: Single entries

    /// Removes and returns an entry.
    mutating func take(_ key: String) -> Entry? {
        left.firstIndex { $0.key == key }.map { left.remove(at: $0) }
    }

    /// Removes and returns all entries whose keys have a prefix, in file order and
    /// without the prefix.
    mutating func take(beginning: String) -> [Entry] {
        let found = left.filter { $0.key.hasPrefix(beginning) }
        left.removeAll { $0.key.hasPrefix(beginning) }
        return found.map { entry in
            var entry = entry
            entry.key.removeFirst(beginning.count)
            return entry
        }
    }

    /// Parses an optional value; nil if the key is absent.
    mutating func optional<Value>(
        _ key: String,
        _ allowed: String,
        _ read: (String) -> Value?
    ) throws(TariffFailure) -> Value? {
        guard let entry = take(key) else { return nil }
        guard let value = read(entry.value) else {
            throw .badValue(key: key, value: entry.value, allowed: allowed, line: entry.line)
        }
        return value
    }

    /// Parses a required value.
    mutating func required<Value>(
        _ key: String,
        _ allowed: String,
        _ read: (String) -> Value?
    ) throws(TariffFailure) -> Value {
        guard let value = try optional(key, allowed, read) else {
            throw .missingKey(key, line: line)
        }
        return value
    }

    /// Parses an amount of money in minor units.
    mutating func amount(_ key: String, _ currency: Currency) throws(TariffFailure) -> Int64? {
        try optional(key, Self.amounts(currency.digits)) {
            Decimal.units($0, digits: currency.digits)
        }
    }

    static func amounts(_ digits: Int) -> String {
        digits == 0 ? "a whole amount" : "an amount with at most \(digits) decimals"
    }

    /// Returns the elements of a list in brackets; nil if it is not a list.
    static func list(_ text: some StringProtocol) -> [String]? {
        let text = text.unquoted
        guard text.first == "[", text.last == "]", text.count >= 2 else { return nil }
        return text.dropFirst().dropLast().split(separator: ",").map(\.unquoted)
    }
}
