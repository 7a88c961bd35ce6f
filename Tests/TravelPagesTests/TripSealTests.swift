import Chronology
import CityData
import Geo
import Testing
import TripPlanning

@testable import TravelPages

@Suite("The addresses of trips")
struct TripSealTests {
    private static let seal = TripSeal(key: Array(repeating: 7, count: 32))

    private static func question(named name: String = "Via Dante 7, Valdoria") -> TripQuestion {
        TripQuestion(
            from: ResolvedPlace(
                name: name,
                kind: .address,
                coordinate: Coordinate(latitude: 454_640_000, longitude: -91_900_000)
            ),
            to: ResolvedPlace(name: "Stazione Centrale", kind: .station, coordinate: nil),
            time: Instant(seconds: 1_800_000_000),
            isArriveBy: true,
            modes: TripModes(walk: false, bicycle: true, car: false, taxi: true, transit: 5),
            maxTransfers: 2,
            maxWalkMetres: 500,
            wheelchair: true,
            windowSeconds: 3_600
        )
    }

    @Test("a sealed question opens again, and says nothing to others (R130)")
    func roundTrip() throws {
        let question = Self.question()
        let sealed = Self.seal.seal(question)
        #expect(try #require(Self.seal.open(sealed)) == question)
        #expect(sealed.utf8.allSatisfy { $0 < 0x7F && $0 != UInt8(ascii: "/") })
        #expect(!sealed.contains("Dante"))
        // The same question has another address each time, so that addresses cannot be compared.
        #expect(Self.seal.seal(question) != sealed)
        #expect(TripSeal(key: Array(repeating: 8, count: 32)).open(sealed) == nil)
    }

    @Test("a sealed question keeps its rules and shared vehicles (V70, V72)")
    func rules() throws {
        var question = Self.question()
        question.modes = question.modes.with([.bikeshare, .carshare])
        question.avoided = try ["bike@20:00-07:00", "metro@22:00-", "car"].map {
            try #require(ModeHours($0))
        }
        question.avoidsRain = true
        question.maxWetMinutes = 10
        let opened = try #require(Self.seal.open(Self.seal.seal(question)))
        #expect(opened == question)
        #expect(!opened.modes.scooter)
    }

    @Test("V74, V80: a sealed question keeps its passes, party, aim and limits, at any length")
    func costs() throws {
        let longest = String(repeating: "x", count: 300)
        var question = Self.question(named: String(repeating: "🚋", count: 120))
        question.to.name = String(repeating: "🚋", count: 120)
        question.party = 20
        question.preference = .balanced
        question.limits = TripLimits(minorUnits: 350, currencyCode: "EUR", grams: 500)
        question.passes = (1...FareProducts.ownedLimit).map { number in
            "\(number)" + String(repeating: "è", count: (FareProducts.idLimit - 1) / 2)
        }
        #expect(Self.seal.open(Self.seal.seal(question)) == question)
        // What no form lets people state is left out, rather than read as something else.
        question.passes = [longest, "a,b", "two\nlines"]
        #expect(try #require(Self.seal.open(Self.seal.seal(question))).passes.isEmpty)
    }

    @Test("an address that was changed opens nothing")
    func altered() {
        let sealed = Self.seal.seal(Self.question())
        #expect(Self.seal.open(String(sealed.dropLast())) == nil)
        #expect(Self.seal.open("") == nil)
        #expect(Self.seal.open(String(repeating: "A", count: 4_000)) == nil)
        let first = sealed.first == "A" ? "B" : "A"
        #expect(Self.seal.open(first + sealed.dropFirst()) == nil)
    }

    @Test("names of any length and with line breaks fit into an address")
    func names() throws {
        let long = String(repeating: "🚋", count: 300)
        let sealed = Self.seal.seal(Self.question(named: long))
        #expect(sealed.utf8.count <= TripSeal.limit)
        #expect(try #require(Self.seal.open(sealed)).from.name == String(long.prefix(120)))
        let broken = Self.seal.open(Self.seal.seal(Self.question(named: "a\nb")))
        #expect(broken?.from.name == "a b")
    }
}
