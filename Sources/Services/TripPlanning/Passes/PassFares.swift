import Columns
import Tickets

/// What the tickets of a journey cost its traveller, under every set of passes that changes it.
///
/// People who own more never pay more, so the sets under which the price falls say the price under
/// every set.
package struct PassFares: Sendable, Hashable, Codable {
    /// A price and the passes that it takes.
    package struct Way: Sendable, Hashable, Codable {
        /// The identifiers of the passes.
        package var passes: [String]
        /// The price of all other tickets in minor units.
        package var minorUnits: Int64

        /// A price under some passes.
        package init(_ passes: [String], _ minorUnits: Int64) {
            self.passes = passes
            self.minorUnits = minorUnits
        }
    }

    /// The ISO 4217 code of the currency; nil if no price is known.
    package var currency: String?
    /// The prices, those that take fewer passes first; none if nothing is known of any.
    package var ways: [Way]

    /// Prices in a currency.
    package init(currency: String?, ways: [Way]) {
        self.currency = currency
        self.ways = ways
    }

    /// The price for somebody who owns passes, in minor units; nil if it is unknown.
    package func minorUnits(owning passes: Set<String>) -> Int64? {
        ways.lazy.filter { passes.isSuperset(of: $0.passes) }.map(\.minorUnits).min()
    }
}

extension TripCosting {
    /// The most passes under whose sets a journey is priced; each doubles the work.
    package static let passLimit = 6

    /// What the tickets of an option cost one traveller under every set of some passes; nil for an
    /// option without public transport.
    ///
    /// For each set the cheapest grouping of all rides is found again.
    ///
    /// - Parameters:
    ///   - option: the option; taxis and vehicles that are part of it cost the same under each.
    ///   - passes: the identifiers; those beyond ``passLimit`` are left out.
    /// - Returns: what they cost; nil without public transport.
    /// - Complexity: 2ⁿ groupings for n passes.
    package func fares(of option: TripOption, under passes: [String]) -> PassFares? {
        let rides = rides(of: option)
        guard !rides.isEmpty else { return nil }
        let passes = Array(passes.prefix(Self.passLimit))
        let products = passes.map { book.products(withID: Array($0.utf8)) }
        var fares = PassFares(currency: nil, ways: [])
        let sets = (0..<(1 << passes.count)).sorted {
            ($0.nonzeroBitCount, $0) < ($1.nonzeroBitCount, $1)
        }
        for set in sets {
            let chosen = passes.indices.filter { set >> $0 & 1 == 1 }
            let traveller = FareTraveller(owned: chosen.flatMap { products[$0] })
            guard let fare = book.fare(rides, for: traveller) else { continue }
            let code = book.texts[Int(book.currencies.code[fare.currency])]
            guard fares.currency.map({ $0 == code }) ?? true else { continue }
            fares.currency = code
            let names = chosen.map { passes[$0] }
            if let known = fares.minorUnits(owning: Set(names)), known <= fare.minorUnits {
                continue
            }
            fares.ways.append(PassFares.Way(names, fare.minorUnits))
        }
        return fares
    }
}
