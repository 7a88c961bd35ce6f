import Chronology
import Fares
import Journeys
import Testing
import TripPlanning

/// V75: limits hold for all journeys, or for one service.
@Suite("Limits of single means")
struct ModeLimitTests {
    private let town: TripTown

    init() throws {
        town = try TripTown()
    }

    private func answer(
        _ kinds: [TripKind],
        limits: [String],
        taxi: TaxiEstimate? = nil,
        _ change: (inout TripQuestion) -> Void = { _ in }
    ) throws -> TripAnswer {
        var search = TripSearch(CitySnapshot(town.city))
        var question = try town.question(modes: TripModes(walk: false, transit: 0).with(kinds))
        question.limits.modes = try limits.map { try #require(ModeLimit($0), "\($0)") }
        change(&question)
        return try search.answer(question, taxi: taxi)
    }

    @Test("V75: they are written as a means with a distance, a time or an amount")
    func texts() {
        for (text, same) in [
            ("bike@5km", "bike@5000m"), ("bike@0.8km", "bike@800m"), ("car@15min", "car@15min"),
            ("taxi@10.5", "taxi@10.50"), ("taxi@10.50EUR", "taxi@10.50EUR"),
            ("carshare@900JPY", "carshare@900JPY"), ("bicycle@5km", "bike@5000m"),
        ] {
            #expect(ModeLimit(text)?.text == same, "\(text)")
            #expect(ModeLimit(same)?.text == same, "\(same)")
        }
        for wrong in [
            "", "bike", "bike@", "bike@5", "bike@-5km", "bike@0km", "walk@5km", "transit@5km",
            "car@10.00", "car@1.5min", "taxi@10.505EUR", "taxi@10eur", "bike@5km@6km",
            "metro@15min", "bike@5 km", "car@99999min",
        ] {
            #expect(ModeLimit(wrong) == nil, "\(wrong)")
        }
    }

    @Test("V75: a bicycle beyond its limit is missing, with the reason; within it nothing changes")
    func distance() throws {
        let kinds: [TripKind] = [.walk, .bicycle, .car]
        let all = try answer(kinds, limits: [])
        let bicycle = try #require(all.options.first { $0.kind == .bicycle })
        #expect(try answer(kinds, limits: ["bike@\(bicycle.metres)m"]).options == all.options)
        let limit = "bike@\(bicycle.metres - 1)m"
        let less = try answer(kinds, limits: [limit])
        #expect(less.options == all.options.filter { $0.kind != .bicycle })
        let reason = less.missing.first { $0.mode == .kind(.bicycle) }?.reason
        #expect(reason == ModeLimit(limit).map { .limit($0, known: true) })
        #expect(reason?.text(in: .utc) == "more than \(bicycle.metres - 1) m")
        let drive = try #require(all.options.first { $0.kind == .car })
        let minutes = drive.seconds / 60
        let slow = try answer(kinds, limits: ["car@\(minutes + 1)min", "bike@100km"])
        #expect(slow.options == all.options)
        let quick = try answer(kinds, limits: ["car@\(max(1, minutes - 1))min"])
        #expect(!quick.options.contains { $0.kind == .car })
    }

    @Test("V75: a taxi keeps to a limit on money only if its price is known")
    func money() throws {
        let known = TaxiEstimate(fare: Money(1_240, .euro))
        func kinds(_ limit: String, _ taxi: TaxiEstimate?) throws -> [TripKind] {
            try answer([.walk, .taxi], limits: [limit], taxi: taxi).options.map(\.kind)
        }
        #expect(try kinds("taxi@12.40EUR", known).contains(.taxi))
        #expect(try !kinds("taxi@12.39", known).contains(.taxi))
        #expect(try !kinds("taxi@50.00CHF", known).contains(.taxi))
        #expect(try !kinds("taxi@50.00EUR", nil).contains(.taxi))
        let unknown = try answer([.walk, .taxi], limits: ["taxi@50.00EUR"])
        let reason = unknown.missing.first { $0.mode == .kind(.taxi) }?.reason
        #expect(reason == ModeLimit("taxi@50.00EUR").map { .limit($0, known: false) })
    }

    @Test("V75: a stricter limit on the way to the stop never gives more, and nothing is missed")
    func toTheStop() throws {
        func ways(_ limits: [String]) throws -> [TripOption] {
            try answer([.transit, .bicycle, .car, .walk], limits: limits) {
                $0.windowSeconds = nil
            }.options
        }
        func ridden(_ option: TripOption) -> UInt32 {
            option.steps.filter { $0.kind == .bicycle }.reduce(0) { $0 + $1.metres }
        }
        let all = try ways([])
        for metres in [100, 1_000, 2_500, 5_000, 7_000] {
            let kept = try ways(["bike@\(metres)m"])
            #expect(kept.allSatisfy { ridden($0) <= metres }, "\(metres)")
            for option in all where ridden(option) <= metres {
                let isServed = kept.contains {
                    $0.arrival <= option.arrival && $0.transfers <= option.transfers
                }
                #expect(isServed, "\(metres) m: \(option.id)")
            }
        }
    }

    @Test("V52, V75: where nothing else goes, the limit is given up and the trip says so")
    func relaxed() throws {
        #expect(throws: TripFailure.self) { try answer([.bicycle], limits: ["bike@100m"]) }
        let found = try answer([.bicycle], limits: ["bike@100m"]) {
            $0.relaxing = TripConstraint.inOrder()
        }
        #expect(found.givenUp == [.modes])
        let limit = try #require(ModeLimit("bike@100m"))
        #expect(found.options.first?.excesses == [.limit(limit, known: true)])
    }
}
