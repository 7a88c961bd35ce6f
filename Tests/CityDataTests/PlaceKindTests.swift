import Geo
import OpenData
import SeededRandom
import TestSupport
import Testing

@testable import CityData

/// Issue 31, "Addresses": kinds of places, districts and numbers.
@Suite("Kinds of places")
struct PlaceKindTests {
    /// A town with named and nameless places on two streets.
    private static let town: AddressTown = {
        var town = AddressTown.borgo
        town.node(
            100,
            110,
            "amenity=pharmacy",
            "name=Farmacia Rossi",
            "opening_hours=Mo-Fr 08:30-19:30"
        )
        town.node(150, 410, "amenity=pharmacy")
        town.node(60, 405, "amenity=atm", "operator=Banca di Borgo")
        town.node(200, 810, "shop=supermarket", "name=Esse", "addr:street=Via 25 Aprile")
        town.node(200, 210, "shop=supermarket", "name=Esse")
        town.node(210, 215, "shop=vacant", "name=Ex Negozio")
        town.node(300, 110, "amenity=toilets", "access=private")
        town.node(50, 600, "amenity=parking")
        return town
    }()

    private func labels(_ text: String, _ limit: Int = 2) throws -> [String] {
        try Self.town.book().search(text, limit: limit).map(\.label)
    }

    @Test("a kind finds its places, also those without a name, each with its street")
    func kinds() throws {
        let both = [
            "Farmacia Rossi, Via Padova, Borgo Città", "Via Massimo d'Azeglio, Borgo Città",
        ]
        for text in ["farmacia", "pharmacy", "farma", "farmacai", "any pharmacy"] {
            #expect(try labels(text) == both, "\(text)")
        }
        let there = AddressTown.place(0, 400)
        let near = try Self.town.book().search("farmacia", near: there)
        #expect(near.map(\.label) == both.reversed())
        #expect(near.map(\.placeKind) == [.pharmacy, .pharmacy])
        #expect(near.map(\.openingHours) == ["", "Mo-Fr 08:30-19:30"])
        #expect(
            try labels("bancomat") == ["Banca di Borgo, Via Massimo d'Azeglio, Borgo Città"]
        )
        #expect(try labels("toilets").isEmpty, "nobody else may use them")
        #expect(try labels("parcheggio").isEmpty)
    }

    @Test("a kind with a street, a town or a place means those there; a name comes first")
    func kindsThere() throws {
        #expect(try labels("supermercato via 25 aprile", 1) == ["Esse, Via 25 Aprile, Borgo Città"])
        #expect(try labels("esse via roma", 1) == ["Esse, Via Roma, Borgo Città"])
        #expect(try labels("farmacia massimo d'azeglio", 1).first?.hasPrefix("Via Massimo") == true)
        #expect(try labels("supermercato borgo", 1) == ["Esse, Via Roma, Borgo Città"])
        // Near the station, which lies beside Via 25 Aprile.
        #expect(try labels("supermercato stazione", 1) == ["Esse, Via 25 Aprile, Borgo Città"])
        #expect(try labels("farmacia rossi", 1).first?.hasPrefix("Farmacia Rossi") == true)
        #expect(try labels("teatro scala", 1) == ["Teatro alla Scala, Borgo Città"])
        #expect(try labels("farmacia zyzzyva").allSatisfy { !$0.isEmpty })
    }

    @Test("a kind alone, or a name that several places have, means any of them (issue 32)")
    func branches() throws {
        let book = try Self.town.book()
        func labels(_ text: String) -> [String]? { book.branches(text)?.map(\.label) }
        let pharmacies = [
            "Farmacia Rossi, Via Padova, Borgo Città", "Via Massimo d'Azeglio, Borgo Città",
        ]
        for text in ["farmacia", "Pharmacy", "any pharmacy"] {
            #expect(labels(text) == pharmacies, "\(text)")
        }
        #expect(
            labels("esse") == ["Esse, Via Roma, Borgo Città", "Esse, Via 25 Aprile, Borgo Città"]
        )
        for text in ["Esse, Via Roma", "farmacia rossi", "via roma", "esse xyzzy", "", "xyzzy"] {
            #expect(labels(text) == nil, "\(text)")
        }
        #expect(labels("piscina") == [], "the town has none")
        var other = AddressTown.borgo
        other.node(100, 110, "amenity=theatre", "name=Piscina")
        #expect(try other.book().branches("piscina") == nil)
    }

    @Test("a label finds the place that it names")
    func labelsAreFound() throws {
        let book = try Self.town.book()
        for match in book.search("farmacia") + book.search("supermercato") {
            let found = book.search(match.label, near: match.coordinate)
            #expect(found.first?.coordinate == match.coordinate || match.label.hasPrefix("Via"))
        }
        let nearest = book.places([.supermarket], around: AddressTown.place(0, 900), limit: 1)
        #expect(nearest.map(\.label) == ["Esse, Via 25 Aprile, Borgo Città"])
        let far = AddressTown.place(0, 9_000)
        #expect(book.places([.supermarket], around: far, reachMetres: 1_000).isEmpty)
    }

    @Test("a square is not the station on it, and articles may be missing")
    func squares() throws {
        var town = AddressTown.borgo
        town.node(200, 310, "railway=station", "name=Duomo")
        town.node(200, 90, "shop=books", "name=Padova")
        let book = try town.book()
        for text in ["piazza duomo", "p.za duomo", "duomo piazza", "piazza del duomo"] {
            #expect(book.search(text).first?.label == "Piazza del Duomo, Borgo Città", "\(text)")
        }
        for text in ["duomo", "stazione duomo"] {
            #expect(book.search(text).first?.placeKind == .station, "\(text)")
        }
        #expect(book.search("via padova").first?.kind == .street)
    }

    @Test("numbers are the same in numerals, Roman numerals and words")
    func numbers() throws {
        var town = AddressTown()
        town.node(0, 0, "place=city", "name=Borgo")
        town.node(9_000, 0, "place=town", "name=Altrove")
        town.street("Via 20 Settembre", north: 100)
        town.street("Piazza Cinque Giornate", north: 200)
        town.street("Corso XXII Marzo", north: 300)
        town.street("Via XX Settembre", east: 9_000, north: 100)
        // Another number means another street, although "via" and "marzo" are words of its name.
        town.street("Via VIII Marzo", east: 9_000, north: 300)
        for number in 1...6 { town.street("Via Altra \(number)00", north: Double(number) * 400) }
        let book = try town.book()
        for text in ["via xx settembre", "via 20 settembre", "venti settembre", "XX sett"] {
            #expect(book.search(text).first?.label == "Via 20 Settembre, Borgo", "\(text)")
        }
        for text in ["5 giornate", "piazza v giornate", "cinque giornate"] {
            #expect(book.search(text).first?.label == "Piazza Cinque Giornate, Borgo", "\(text)")
        }
        for text in ["corso 22 marzo", "via 22 marzo", "via ventidue marzo", "22 marzo"] {
            #expect(book.search(text).first?.label == "Corso XXII Marzo, Borgo", "\(text)")
        }
    }

    @Test("a boundary of a part of the city is a district")
    func districts() throws {
        var town = AddressTown.borgo
        let north = town.way([(0, 1_000), (1_000, 1_000), (1_000, 400)])
        let south = town.way([(1_000, 400), (0, 400), (0, 1_000)])
        // The ends of the two ways are different nodes, so the ring is open, as in cut extracts.
        town.relation(
            [OSMMember(.way, north, role: "outer"), OSMMember(.way, south, role: "outer")],
            "type=boundary",
            "boundary=administrative",
            "admin_level=10",
            "name=Municipio 3"
        )
        town.relation(
            [OSMMember(.way, north, role: "outer"), OSMMember(.way, 9_999, role: "outer")],
            "type=boundary",
            "boundary=administrative",
            "admin_level=10",
            "name=Quartiere Tagliato"
        )
        let book = try town.book()
        let match = try #require(book.search("municipio 3").first)
        #expect(match.label == "Municipio 3, Borgo Città" && match.kind == .locality)
        #expect(match.coordinate.distanceMetres(to: AddressTown.place(500, 700)) < 50)
        #expect(book.search("tagliato").first?.kind != .locality)
    }

    @Test("one typing error is what trying every error finds")
    func errors() {
        var random = SeededRandom(seed: 31)
        func word() -> [UInt8] {
            (0..<Int.random(in: 0...5, using: &random)).map { _ in
                UInt8.random(in: 0x61...0x63, using: &random)
            }
        }
        for _ in 0..<Effort.instances(20_000) {
            let (first, second) = (word(), word())
            let expected = first != second && Self.errors(of: first).contains(second)
            #expect(
                PlaceKind.isOneErrorAway(first, second) == expected,
                "\(first) \(second)"
            )
        }
    }

    /// All words that differ from a word by one error.
    private static func errors(of word: [UInt8]) -> Set<[UInt8]> {
        var words: Set<[UInt8]> = []
        for place in 0...word.count {
            for letter in 0x61...0x63 as ClosedRange<UInt8> {
                words.insert(Array(word[..<place] + [letter] + word[place...]))
                guard place < word.count else { continue }
                words.insert(Array(word[..<place] + [letter] + word[(place + 1)...]))
            }
            guard place < word.count else { continue }
            words.insert(Array(word[..<place] + word[(place + 1)...]))
            guard place + 1 < word.count else { continue }
            var swapped = word
            swapped.swapAt(place, place + 1)
            words.insert(swapped)
        }
        return words
    }

    @Test("whatever is typed, no match comes twice, and the same text finds the same")
    func anyText() throws {
        let book = try Self.town.book()
        var random = SeededRandom(seed: 36)
        let words = [
            "farmacia", "pharm", "via", "padova", "roma", "borgo", "esse", "super", "xx", "25",
            "aprile", "s.", "stazione", "centrale", "vicino", "a", "teatro", "zz", "piaza", "10",
            "municipio", "bancomat", "scala", "citta",
        ]
        for _ in 0..<Effort.instances(500) {
            let text = (0..<Int.random(in: 1...4, using: &random))
                .compactMap { _ in words.randomElement(using: &random) }
                .joined(separator: " ")
            let near = Bool.random(using: &random) ? AddressTown.place(200, 500) : nil
            let found = book.search(text, near: near, limit: 4)
            #expect(found == book.search(text, near: near, limit: 4), "\(text)")
            #expect(found.count <= 4)
            for (number, match) in found.enumerated() {
                #expect(!match.label.isEmpty, "\(text)")
                #expect(!found[..<number].contains(match), "\(text): \(match)")
            }
        }
    }

    @Test("each kind has a word, and its number in files can be read back")
    func codes() {
        for kind in PlaceKind.allCases { #expect(PlaceKind(code: kind.code) == kind) }
        #expect(PlaceKind(code: 0) == nil && PlaceKind(code: 200) == nil)
        #expect(PlaceKind.allCases.count <= 64)
        let named = [
            "station", "metro", "stop", "airport", "pharmacy", "doctor", "supermarket", "park",
            "cafe", "restaurant", "school", "bank", "post office", "cash machine", "sports centre",
        ].reduce(UInt64(0)) { bits, word in
            let words = AddressText.words(word).map(\.bytes)
            return bits | (PlaceKind.phrase(in: words, [.whole])?.kinds ?? 0)
        }
        #expect(PlaceKind.kinds(in: named).count >= 15)
    }
}
