import Columns
package import Fares
package import Journeys
package import OpenData
import Tickets

/// The tickets and passes that the feeds of a city sell, for people who say what they own (V80).
package struct FareProducts: Sendable {
    /// The greatest length of an identifier that people can state, in bytes.
    ///
    /// A question carries several of them in its address.
    package static let idLimit = 64
    /// The most passes of one traveller.
    package static let ownedLimit = 6

    /// The products, each identifier once, in the order of their names.
    package let all: [Product]

    /// The currency in which people state limits: that of the tickets, otherwise that of fuel.
    package var limitCurrency: Currency {
        all.lazy.compactMap(\.price).first?.currency ?? TripCosts.standard.currency
    }

    /// A ticket or pass.
    package struct Product: Sendable, Equatable {
        /// `fare_id` or `fare_product_id`, which the code on the pass contains.
        package var id: String
        /// The name; the identifier if the feed has no name.
        package var name: String
        /// What an adult pays; nil if the feed does not say.
        package var price: Money?
        /// For which days it is valid; nil if neither the city nor a published tariff says it.
        package var period: PassPeriod?
    }

    /// The products of a city without published tickets.
    package init() { all = [] }

    /// The products in the files of a city.
    ///
    /// - Parameters:
    ///   - city: the city.
    ///   - periods: for which days its passes are valid, by their identifiers; those of published
    ///     tariffs are known.
    /// - Complexity: O(n log n) for n products.
    package init(_ city: City, periods: [String: PassPeriod] = [:]) {
        let book = FareBook(city.file)
        let prices = Prices(book)
        let periods = PublishedTariff.periods.merging(periods) { $1 }
        var known: [String: Product] = [:]
        for index in book.products.indices {
            let id = book.texts[Int(book.products.id[index])]
            guard Self.canBeStated(id), known[id] == nil else { continue }
            let name = book.texts[Int(book.products.name[index])]
            known[id] = Product(
                id: id,
                name: name.isEmpty ? id : name,
                price: prices.price(of: index),
                period: periods[id]
            )
        }
        all = Self.inOrder(known.values)
    }

    /// The products of several cities; the first one that has an identifier describes it.
    init(_ cities: [FareProducts]) {
        var known: [String: Product] = [:]
        for product in cities.flatMap(\.all) where known[product.id] == nil {
            known[product.id] = product
        }
        all = Self.inOrder(known.values)
    }

    /// The product with an identifier, in capitals or not; nil if there is none, or several that
    /// differ only in that.
    package func product(_ typed: String) -> Product? {
        if let exact = all.first(where: { $0.id == typed }) { return exact }
        let alike = all.filter { $0.id.lowercased() == typed.lowercased() }
        return alike.count == 1 ? alike[0] : nil
    }

    /// Whether an identifier fits into a form and an address: neither lists use its characters, nor
    /// is it too long.
    package static func canBeStated(_ id: String) -> Bool {
        (1...idLimit).contains(id.utf8.count)
            && !id.unicodeScalars.contains {
                $0 == "," || $0.properties.generalCategory == .control
            }
    }

    private static func inOrder(_ products: some Sequence<Product>) -> [Product] {
        products.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    }

    /// The prices of a fare book.
    private struct Prices {
        private let book: FareBook
        private let offsets: Column<UInt32>
        private let amounts: Column<Int64>
        private let currencies: Column<UInt32>

        init(_ book: FareBook) {
            self.book = book
            offsets = book.file.column("fares.product.prices")
            amounts = book.file.column("fares.price.amount")
            currencies = book.file.column("fares.price.currency")
        }

        /// The highest price of a product in its first currency: reductions are for riders of whom
        /// nothing is known here.
        func price(of product: FareProductIndex) -> Money? {
            let rows = offsets.range(product.row, limit: min(amounts.count, currencies.count))
            guard let first = rows.first else { return nil }
            let row = FareCurrencyIndex(rawValue: currencies[first])
            let amount = rows.filter { currencies[$0] == row.rawValue }.map { amounts[$0] }.max()
            guard let amount, row.row < book.currencies.code.count else { return nil }
            let code = book.texts[Int(book.currencies.code[row])]
            return Currency(code: code, digits: Int(book.currencies.digits[row]))
                .map { Money(amount, $0) }
        }
    }
}
