public import Columns
public import Transit

/// The fares of a city: a read-only view of the `fares.*` sections of a city file.
///
/// A file without them, such as one of an earlier version, knows no fares. Feeds are told apart by
/// their rows in the timetable. A feed with rules for legs (GTFS fares v2) is priced by them, any
/// other by its rules for zones (fares v1).
public struct FareBook: Sendable {
    /// The bytes that the columns point into.
    public let file: SectionFile
    /// The texts of identifiers, names and currency codes.
    public let texts: Texts
    /// The rows of the products.
    public let products: Products
    /// The rows of the currencies.
    public let currencies: Currencies
    /// The rows of the rider categories.
    public let categories: Categories
    let zoneRules: ZoneRules
    let legRules: LegRules
    let joins: JoinRules
    let transfers: TransferRules
    let frames: Frames
    let isRanked: Column<UInt8>
    let routeNetworks: Column<UInt32>
    let stopZones: Column<UInt32>
    private let areaOffsets: Column<UInt32>
    private let areas: Column<UInt32>

    /// Reads the fares in a file.
    public init(_ file: SectionFile) {
        self.file = file
        texts = Texts("transit.text", in: file)
        products = Products(file)
        currencies = Currencies(file)
        categories = Categories(file)
        zoneRules = ZoneRules(file)
        legRules = LegRules(file)
        joins = JoinRules(file)
        transfers = TransferRules(file)
        frames = Frames(file)
        isRanked = file.column("fares.feed.ranked")
        routeNetworks = file.column("fares.route.network")
        stopZones = file.column("transit.stop.farezone")
        areaOffsets = file.column("fares.stop.areas")
        areas = file.column("fares.stop.area")
    }

    /// Whether no fare is known.
    public var isEmpty: Bool { products.count == 0 }

    /// The products of all feeds that have an identifier.
    public func products(withID id: [UInt8]) -> [FareProductIndex] {
        products.indices.filter { texts.utf8(Int(products.id[$0])) == id }
    }

    /// The rider categories of all feeds that have an identifier.
    public func categories(withID id: [UInt8]) -> [RiderCategoryIndex] {
        categories.indices.filter { texts.utf8(Int(categories.id[$0])) == id }
    }

    /// The areas of a stop.
    func areas(of stop: StopIndex) -> Range<Int> {
        areaOffsets.range(stop.row, limit: areas.count)
    }

    /// Whether a stop lies in an area.
    func isIn(_ area: UInt32, _ stop: StopIndex) -> Bool {
        for position in areas(of: stop) where areas[position] == area { return true }
        return false
    }

    /// The area at a position of ``areas(of:)``.
    func area(_ position: Int) -> UInt32 { areas[position] }

    /// The columns of the products.
    public struct Products: Sendable {
        /// The feed that sells it.
        public let feed: IndexedColumn<FareProductIndex, FeedIndex>
        /// `fare_id` or `fare_product_id`, as a text number.
        public let id: IndexedColumn<FareProductIndex, UInt32>
        /// The name, as a text number; 0 for none.
        public let name: IndexedColumn<FareProductIndex, UInt32>
        let agency: IndexedColumn<FareProductIndex, UInt32>
        let transfers: IndexedColumn<FareProductIndex, UInt8>
        let seconds: IndexedColumn<FareProductIndex, Int32>
        let prices: Column<UInt32>
        let amount: Column<Int64>
        let currency: Column<UInt32>
        let category: Column<UInt32>
        /// How many products there are.
        public var count: Int { id.count }
        /// The rows of all products.
        public var indices: Range<FareProductIndex> { id.indices }

        init(_ file: SectionFile) {
            feed = file.column("fares.product.feed")
            id = file.column("fares.product.id")
            name = file.column("fares.product.name")
            agency = file.column("fares.product.agency")
            transfers = file.column("fares.product.transfers")
            seconds = file.column("fares.product.seconds")
            prices = file.column("fares.product.prices")
            amount = file.column("fares.price.amount")
            currency = file.column("fares.price.currency")
            category = file.column("fares.price.category")
        }
    }

    /// The columns of the currencies.
    public struct Currencies: Sendable {
        /// The ISO 4217 code, as a text number.
        public let code: IndexedColumn<FareCurrencyIndex, UInt32>
        /// The number of decimals of an amount.
        public let digits: IndexedColumn<FareCurrencyIndex, UInt8>
        /// The rows of all currencies.
        public var indices: Range<FareCurrencyIndex> { code.indices }

        init(_ file: SectionFile) {
            code = file.column("fares.currency.code")
            digits = file.column("fares.currency.digits")
        }
    }

    /// The columns of the rider categories.
    public struct Categories: Sendable {
        /// The feed that distinguishes it.
        public let feed: IndexedColumn<RiderCategoryIndex, FeedIndex>
        /// `rider_category_id`, as a text number.
        public let id: IndexedColumn<RiderCategoryIndex, UInt32>
        let isDefault: IndexedColumn<RiderCategoryIndex, UInt8>
        /// The rows of all categories.
        public var indices: Range<RiderCategoryIndex> { id.indices }

        init(_ file: SectionFile) {
            feed = file.column("fares.category.feed")
            id = file.column("fares.category.id")
            isDefault = file.column("fares.category.default")
        }
    }
}
