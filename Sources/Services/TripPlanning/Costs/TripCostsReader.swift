import Encoding
import Fares

/// Why a table of costs cannot be read.
package enum TripCostsFailure: Error, Equatable, Sendable {
    /// The first line lacks a column.
    case missingColumn(String)
    /// The value of a field is not understood.
    case badValue(line: Int, field: String, text: String)
    /// A key appears twice.
    case duplicate(line: Int, key: String)
}

/// Reads tables of costs: CSV with `key,value,unit,scope,source,year`.
package enum TripCostsReader {
    private static let columns = ["key", "value", "unit", "scope", "source", "year"]

    /// Reads a table; every value must name its source, and every emission its scope.
    ///
    /// - Throws: ``TripCostsFailure`` for the first line that is wrong.
    package static func costs(_ bytes: [UInt8]) throws(TripCostsFailure) -> TripCosts {
        var rows = CSVScanner(bytes)
        let header = rows.next() ? (0..<rows.fieldCount).map { rows.text($0) } : []
        var positions: [Int] = []
        for name in columns {
            guard let position = header.firstIndex(of: name) else { throw .missingColumn(name) }
            positions.append(position)
        }
        var values: [TripCosts.Key: TripCosts.Value] = [:]
        while rows.next() {
            let texts = positions.map { rows.text($0) }
            func wrong(_ field: Int) -> TripCostsFailure {
                .badValue(line: rows.line, field: columns[field], text: texts[field])
            }
            guard let key = TripCosts.Key(rawValue: texts[0]) else { throw wrong(0) }
            guard let value = thousandths(texts[1]) else { throw wrong(1) }
            guard isUnit(texts[2], of: key) else { throw wrong(2) }
            guard !texts[3].isEmpty || !isEmission(key) else { throw wrong(3) }
            guard !texts[4].isEmpty else { throw wrong(4) }
            guard let year = Int32(texts[5]), (1_900...2_200).contains(year) else { throw wrong(5) }
            guard values[key] == nil else { throw .duplicate(line: rows.line, key: texts[0]) }
            values[key] = TripCosts.Value(
                thousandths: value,
                unit: texts[2],
                scope: texts[3],
                source: texts[4],
                year: year
            )
        }
        return TripCosts(values)
    }

    private static func isEmission(_ key: TripCosts.Key) -> Bool {
        key != .carConsumption && key != .fuelPrice
    }

    private static func isUnit(_ unit: String, of key: TripCosts.Key) -> Bool {
        switch key {
        case .carConsumption: return unit == "l/100km"
        case .fuelPrice:
            return unit.hasSuffix("/l") && Currency(code: String(unit.dropLast(2))) != nil
        default: return unit == "g/km"
        }
    }

    /// A plain number up to 100,000 with at most three decimals, in thousandths.
    private static func thousandths(_ text: String) -> Int64? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let whole = parts.first, (1...6).contains(whole.utf8.count),
            parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            let units = Int64(whole), units <= 100_000
        else { return nil }
        guard parts.count == 2 else { return units * 1_000 }
        guard (1...3).contains(parts[1].utf8.count) else { return nil }
        let decimals = parts[1] + String(repeating: "0", count: 3 - parts[1].utf8.count)
        return Int64(decimals).map { units * 1_000 + $0 }
    }
}
