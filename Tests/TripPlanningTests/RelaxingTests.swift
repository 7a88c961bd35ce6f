import Chronology
import CityData
import Journeys
import LiveFeeds
import OpenData
import SeededRandom
import TestSupport
import Testing
import TripPlanning

/// What is given up where no trip keeps to all limits (V52): issue 33, point 3.
@Suite("Trips beyond the limits")
struct RelaxingTests {
    private let town: TripTown

    init() throws {
        town = try TripTown()
    }

    /// The answer at 8:00, while it rains.
    private func answer(_ question: TripQuestion) throws -> TripAnswer {
        let rain = try Forecast.rain(6..<9, percent: 80, made: try town.time("08:00"))
        let (world, now) = try LiveTown().conditions(try town.time("08:00"), forecasts: [rain])
        var search = TripSearch(CitySnapshot(town.city))
        return try search.answer(question, conditions: TripConditions(world, now: now))
    }

    private func question(_ kinds: [TripKind]) throws -> TripQuestion {
        var question = try town.question(modes: TripModes(walk: false, transit: 0).with(kinds))
        question.relaxing = TripConstraint.inOrder()
        return question
    }

    @Test("V52: where every walk is too long, the walk is shown with what it exceeds")
    func walk() throws {
        var question = try question([.walk])
        question.maxWalkMetres = 500
        var strict = question
        strict.relaxing = []
        #expect(throws: TripFailure.noWay) { try answer(strict) }
        let found = try answer(question)
        #expect(found.givenUp == [.walk])
        let option = try #require(found.options.first)
        #expect(option.kind == .walk && option.walkMetres > 5_000)
        #expect(option.excesses == [.walk(metres: option.walkMetres, limit: 500)])
        // The page and the command line apply the limits on money once more.
        #expect(try found.chosen(valueOfHour: 1_200).options == found.options)
    }

    @Test("V52: of several limits the one is given up that its owner gives up first")
    func order() throws {
        var question = try question([.walk, .bicycle])
        question.maxWalkMetres = 500
        question.avoidsRain = true
        #expect(try answer(question).givenUp == [.walk])
        question.relaxing = TripConstraint.inOrder(first: .dryCycling)
        let found = try answer(question)
        #expect(found.givenUp == [.dryCycling])
        #expect(found.options.map(\.kind) == [.bicycle])
        let excesses = try #require(found.options.first).excesses
        guard case .rain(_, let share?, _) = try #require(excesses.first) else {
            Issue.record("\(excesses)")
            return
        }
        #expect(share == 0.8 && excesses.count == 1)
    }

    @Test("V74: a trip that costs or emits too much is shown if nothing else is left")
    func money() throws {
        var question = try question([.car])
        (question.limits.minorUnits, question.limits.grams) = (1, 1)
        let found = try answer(question)
        #expect(found.givenUp == [.money, .emissions])
        #expect(
            found.options.first?.excesses == [.price(known: true), .emissions(known: true)]
        )
        question.limits.grams = nil
        #expect(try answer(question).givenUp == [.money])
    }

    @Test("V72: hours are given up as a whole, and each trip says whose")
    func hours() throws {
        var question = try question([.transit])
        let rule = try #require(ModeHours("bus@07:00-10:00"))
        question.avoided = [rule, try #require(ModeHours("tram@07:00-10:00"))]
        let found = try answer(question)
        #expect(found.givenUp == [.hours])
        #expect(found.options.allSatisfy { !$0.excesses.isEmpty })
    }

    @Test("V52, V69: what keeps to all limits gives up none, and what does not help is not tried")
    func unchanged() throws {
        var kept = try question([.walk, .transit])
        kept.maxWalkMetres = 2_000
        let found = try answer(kept)
        #expect(found.givenUp.isEmpty && found.options.allSatisfy { $0.excesses.isEmpty })
        // No feed says that a vehicle takes wheelchairs, and no limit changes that.
        var wheelchair = try question([.transit])
        wheelchair.wheelchair = true
        wheelchair.maxTransfers = 0
        let failure = #expect(throws: TripFailure.self) { try answer(wheelchair) }
        wheelchair.relaxing = []
        let strict = #expect(throws: TripFailure.self) { try answer(wheelchair) }
        #expect(failure == strict)
    }

    @Test("V52: as few limits as possible are given up, the first ones first", arguments: 0..<40)
    func least(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var question = try question(
            TripKind.allCases.filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
        )
        func maybe() -> Bool { Int.random(in: 0..<2, using: &random) == 0 }
        if maybe() {
            question.maxWalkMetres = [100, 500, 3_000][Int.random(in: 0..<3, using: &random)]
        }
        if maybe() {
            question.limits.minorUnits = [0, 50, 300][Int.random(in: 0..<3, using: &random)]
        }
        if maybe() {
            question.limits.grams = [0, 100, 1_000][Int.random(in: 0..<3, using: &random)]
        }
        if maybe() { question.maxWetMinutes = [0, 10, 30][Int.random(in: 0..<3, using: &random)] }
        if maybe() { question.avoidsRain = true }
        if maybe() { question.maxTransfers = 0 }
        if maybe() { question.avoided = [try #require(ModeHours("bus@07:00-10:00"))] }
        if maybe() { question.limits.modes = [try #require(ModeLimit("bike@1km"))] }
        question.relaxing = TripConstraint.allCases.shuffled(using: &random)
        let order = question.relaxing
        /// Whether there is a trip without some limits, asked strictly.
        func hasTrip(without given: [TripConstraint]) throws -> Bool {
            var strict = question
            strict.relaxing = []
            for constraint in given { Self.remove(constraint, from: &strict) }
            guard let found = try? answer(strict) else { return false }
            return !strict.limits.applied(to: found).options.isEmpty
        }
        let subsets = (0..<(1 << order.count)).map { bits in
            order.indices.filter { bits >> $0 & 1 == 1 }
        }
        let possible = try subsets.filter { subset in
            try hasTrip(without: subset.map { order[$0] })
        }
        // The obvious choice among all that are possible.
        let best = possible.min {
            $0.count == $1.count ? $0.lexicographicallyPrecedes($1) : $0.count < $1.count
        }
        let found = try? answer(question)
        #expect(found?.givenUp == best?.map { order[$0] }, "seed \(seed)")
        guard let found, !found.givenUp.isEmpty else { return }
        for option in found.options { #expect(!option.excesses.isEmpty, "seed \(seed)") }
    }

    private static func remove(_ constraint: TripConstraint, from question: inout TripQuestion) {
        switch constraint {
        case .money: question.limits.minorUnits = nil
        case .emissions: question.limits.grams = nil
        case .modes: question.limits.modes = []
        case .wet: question.maxWetMinutes = nil
        case .transfers: question.maxTransfers = JourneyQuery.defaultMaxTransfers
        case .walk: question.maxWalkMetres = nil
        case .hours: question.avoided = []
        case .dryCycling: question.avoidsRain = false
        }
    }
}
