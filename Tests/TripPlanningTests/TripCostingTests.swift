import Chronology
import CityData
import Fares
import Journeys
import Testing
import Transit
import TripPlanning

/// Issue 33: what trips cost and emit (V68, V74, V79, V80).
@Suite("Price and emissions of trips")
struct TripCostingTests {
    /// A ticket of line 1, one with a transfer for lines 2 and 3, and a monthly pass for these.
    private static let fares = [
        "fare_attributes.txt": """
        fare_id,price,currency_type,payment_method,transfers,transfer_duration
        single,2.20,EUR,1,0,
        change,1.50,EUR,1,1,3600
        month,39,EUR,1,,
        """,
        "fare_rules.txt": """
        fare_id,route_id
        single,one
        change,two
        change,three
        month,two
        month,three
        """,
    ]

    private static func options(
        _ town: TripTown,
        _ modes: TripModes = .all,
        costs: TripCosts = .standard,
        taxi: TaxiEstimate? = nil,
        _ change: (inout TripQuestion) -> Void = { _ in }
    ) throws -> [TripOption] {
        var search = TripSearch(CitySnapshot(town.city), costs: costs)
        var question = try town.question(modes: modes)
        change(&question)
        return try search.answer(question, taxi: taxi).options
    }

    private static func money(_ option: TripOption?) -> String {
        guard let option else { return "none" }
        return "\(option.price.name) \(option.price.money?.text ?? "")"
    }

    @Test("V74: tickets of the feed are exact; with a transfer one ticket is enough")
    func tickets() throws {
        let options = try Self.options(try TripTown(fares: Self.fares), TripModes())
        let direct = options.first { $0.kind == .transit && $0.transfers == 0 }
        let change = options.first { $0.kind == .transit && $0.transfers == 1 }
        #expect(Self.money(direct) == "exact 2.20 EUR")
        #expect(Self.money(change) == "exact 1.50 EUR")
    }

    @Test("without fares the price of public transport is unknown, and never zero")
    func unknown() throws {
        let options = try Self.options(try TripTown())
        let transit = options.filter { $0.kind == .transit }
        #expect(!transit.isEmpty && transit.allSatisfy { $0.price == .unknown })
    }

    @Test("V79: a car costs its fuel by distance only, an estimate; feet and bicycle are free")
    func ownVehicles() throws {
        let options = try Self.options(try TripTown())
        let car = try #require(options.first { $0.kind == .car })
        // 6.0 l/100 km at 1.743 EUR/l, over the distance.
        let cents = (Double(car.metres) / 100_000 * 6.0 * 174.3).rounded()
        #expect(car.price == .estimated(Money(Int64(cents), .euro)))
        #expect(cents > 30)
        for kind in [TripKind.walk, .bicycle] {
            let option = options.first { $0.kind == kind }
            #expect(Self.money(option) == "exact 0.00 EUR")
            #expect(option?.emissions?.grams == 0)
        }
    }

    @Test("a taxi costs what the service estimates, and is unknown if it estimates nothing")
    func taxi() throws {
        let town = try TripTown()
        let known = try Self.options(town, taxi: TaxiEstimate(fare: Money(1_240, .euro)))
        #expect(Self.money(known.first { $0.kind == .taxi }) == "estimated 12.40 EUR")
        #expect(Self.money(try Self.options(town).first { $0.kind == .taxi }) == "unknown ")
    }

    @Test("V80: the lines of a pass that one owns cost nothing, for its owner alone")
    func passes() throws {
        let town = try TripTown(fares: Self.fares)
        func change(_ passes: [String], _ party: Int) throws -> String {
            let options = try Self.options(town, TripModes()) {
                $0.passes = passes
                $0.party = party
            }
            return Self.money(options.first { $0.kind == .transit && $0.transfers == 1 })
        }
        #expect(try change(["month"], 1) == "exact 0.00 EUR")
        #expect(try change(["month"], 2) == "exact 1.50 EUR")
        #expect(try change([], 3) == "exact 4.50 EUR")
        #expect(TripCosting(town.city).unknownPasses(["month", "atm"]) == ["atm"])
    }

    @Test("CO2e counts each passenger, and each car once, by the table of the city")
    func emissions() throws {
        let town = try TripTown()
        func grams(
            _ kind: TripKind,
            _ costs: TripCosts = .standard,
            party: Int = 1
        ) throws
            -> Int64?
        {
            try Self.options(town, kind == .transit ? TripModes() : .all, costs: costs) {
                $0.party = party
            }
            .first { $0.kind == kind && $0.transfers == 0 }?.emissions?.grams
        }
        let options = try Self.options(town, TripModes())
        let bus = try #require(options.first { $0.kind == .transit && $0.transfers == 0 })
        let ride = try #require(bus.steps.first { $0.ride != nil })
        let expected = Int64((Double(ride.metres) * 97 / 1_000).rounded())
        #expect(try grams(.transit) == expected && expected > 500)
        #expect(bus.emissions?.scope == "tank-to-wheel")
        #expect(try grams(.transit, party: 2) ?? 0 >= 2 * expected - 1)
        #expect(try grams(.car, party: 2) == grams(.car))
        let city = try TripCostsReader.costs(
            Array("key,value,unit,scope,source,year\nbus,0.5,g/km,x,depot,2026\n".utf8)
        )
        let own = TripCosts.standard.overridden(by: city)
        #expect(try grams(.transit, own) == Int64((Double(ride.metres) / 2_000).rounded()))
        var nothing = TripCosts.standard
        nothing.countsTransit = false
        #expect(try grams(.transit, nothing) == 0)
        #expect(try grams(.car, nothing) == grams(.car))
    }

    @Test("a means without a value in the table has unknown emissions")
    func unknownEmissions() throws {
        let only = try TripCostsReader.costs(
            Array("key,value,unit,scope,source,year\nwalk,0,g/km,x,none,2026\n".utf8)
        )
        let options = try Self.options(try TripTown(), costs: only)
        #expect(options.first { $0.kind == .walk }?.emissions?.grams == 0)
        let bus = try #require(options.first { $0.kind == .transit })
        #expect(bus.emissions == nil)
        #expect(options.first { $0.kind == .car }?.price == .unknown)
    }

    @Test(
        "a table of costs that is wrong names line and field",
        arguments: [
            ("key,value\n", TripCostsFailure.missingColumn("unit")),
            ("rocket,1,g/km,x,y,2026", .badValue(line: 2, field: "key", text: "rocket")),
            ("bus,-1,g/km,x,y,2026", .badValue(line: 2, field: "value", text: "-1")),
            ("bus,1.0005,g/km,x,y,2026", .badValue(line: 2, field: "value", text: "1.0005")),
            ("bus,1,l/km,x,y,2026", .badValue(line: 2, field: "unit", text: "l/km")),
            ("bus,1,g/km,,y,2026", .badValue(line: 2, field: "scope", text: "")),
            ("bus,1,g/km,x,,2026", .badValue(line: 2, field: "source", text: "")),
            ("bus,1,g/km,x,y,now", .badValue(line: 2, field: "year", text: "now")),
            ("bus,1,g/km,x,y,2026\nbus,1,g/km,x,y,2026", .duplicate(line: 3, key: "bus")),
        ]
    )
    func wrongTables(rows: String, failure: TripCostsFailure) {
        let header = rows.hasPrefix("key") ? "" : "key,value,unit,scope,source,year\n"
        #expect(throws: failure) { try TripCostsReader.costs(Array((header + rows).utf8)) }
    }

    @Test("a preference orders what was found, and limits leave out what is over them or unknown")
    func preferences() throws {
        let town = try TripTown(fares: Self.fares)
        var search = TripSearch(CitySnapshot(town.city))
        let answer = try search.answer(try town.question(modes: .all))
        func kinds(_ aim: TripPreference, _ value: Int64 = 1_200) -> [TripKind] {
            aim.ordered(answer, valueOfHour: value).map(\.kind)
        }
        #expect(Set(kinds(.cheap)) == Set(answer.options.map(\.kind)))
        #expect([.walk, .bicycle].contains(kinds(.cheap)[0]))
        // The taxi's fare is unknown here.
        #expect(kinds(.cheap).last == .taxi && kinds(.balanced).last == .taxi)
        let quick = TripPreference.quick.ordered(answer, valueOfHour: 0)
        #expect(quick.map(\.arrival) == answer.options.map(\.arrival).sorted())
        // If time is worth nothing, only money counts.
        #expect(kinds(.balanced, 0) == kinds(.cheap))
        let limits = TripLimits(minorUnits: 150)
        let kept = answer.options.filter(limits.allow)
        #expect(!kept.isEmpty && kept.allSatisfy { ($0.price.money?.minorUnits ?? 999) <= 150 })
        #expect(!kept.contains { $0.kind == .taxi })
        let green = answer.options.filter(TripLimits(grams: 0).allow)
        #expect(Set(green.map(\.kind)) == [.walk, .bicycle])
    }
}
