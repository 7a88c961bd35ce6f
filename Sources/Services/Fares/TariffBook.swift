package import Chronology

/// The tariffs of a city, each in force from its first day until the next one.
package struct TariffBook: Hashable, Sendable {
    /// The tariffs by first day, which is unique, all in one currency.
    package private(set) var tariffs: [Tariff] = []

    /// Creates an empty book, by which every fare is unknown.
    package init() {}

    /// Returns the tariff in force on a day; nil before the first one.
    package func tariff(on date: CivilDate) -> Tariff? {
        tariffs.last { $0.validFrom <= date }
    }

    /// The day before the next tariff begins; nil for the last tariff of the book.
    package func lastDay(of tariff: Tariff) -> CivilDate? {
        tariffs.first { $0.validFrom > tariff.validFrom }?.validFrom.adding(days: -1)
    }

    /// Adds all tariffs of another file of the same city.
    ///
    /// - Throws: ``TariffFailure`` if two begin on the same day or the currencies differ; then
    ///   nothing is added.
    package mutating func add(_ other: TariffBook) throws(TariffFailure) {
        var all = self
        for tariff in other.tariffs { try all.add(tariff, line: nil) }
        self = all
    }

    /// Adds a tariff to the book.
    ///
    /// - Parameters:
    ///   - tariff: the tariff.
    ///   - line: the first line of the tariff, for errors.
    /// - Throws: ``TariffFailure`` if another one begins on that day or has another currency.
    mutating func add(_ tariff: Tariff, line: Int?) throws(TariffFailure) {
        if tariffs.contains(where: { $0.validFrom == tariff.validFrom }) {
            throw .repeatedDate(tariff.validFrom, line: line)
        }
        if let currency = tariffs.first?.currency, currency != tariff.currency {
            throw .otherCurrency(tariff.currency.code, line: line)
        }
        let place = tariffs.firstIndex { tariff.validFrom < $0.validFrom } ?? tariffs.endIndex
        tariffs.insert(tariff, at: place)
    }
}

/// An error in a tariff file.
package enum TariffFailure: Error, Hashable, Sendable {
    /// The value is not permitted for the key.
    case badValue(key: String, value: String, allowed: String, line: Int)
    /// The key does not exist.
    case unknownKey(String, line: Int)
    /// The key occurs twice in one tariff.
    case repeatedKey(String, line: Int)
    /// The line is not `key: value`.
    case badLine(String, line: Int)
    /// The tariff that begins on that line lacks a required key.
    case missingKey(String, line: Int)
    /// A fixed fare refers to a place that the tariff does not describe.
    case unknownPlace(String, key: String, line: Int)
    /// Two tariffs begin on the same day.
    case repeatedDate(CivilDate, line: Int?)
    /// Two tariffs have different currencies.
    case otherCurrency(String, line: Int?)
    /// The file contains no tariff.
    case empty

    /// The error message in one sentence.
    package var sentence: String {
        switch self {
        case .badValue(let key, let value, let allowed, let line):
            "Line \(line): \(key) cannot be \"\(value)\": it takes \(allowed)."
        case .unknownKey(let key, let line): "Line \(line): there is no key \"\(key)\"."
        case .repeatedKey(let key, let line): "Line \(line): \(key) stands twice."
        case .badLine(let text, let line): "Line \(line): \"\(text)\" is not \"key: value\"."
        case .missingKey(let key, let line):
            "The tariff that begins on line \(line) lacks \(key)."
        case .unknownPlace(let place, let key, let line):
            "Line \(line): \(key) names \(place), but there is no place.\(place)."
        case .repeatedDate(let date, let line):
            (line.map { "Line \($0): " } ?? "")
                + "there is another tariff valid from \(date.iso8601)."
        case .otherCurrency(let code, let line):
            (line.map { "Line \($0): " } ?? "")
                + "a tariff in \(code) cannot stand beside one in another currency."
        case .empty: "The file holds no tariff."
        }
    }
}
