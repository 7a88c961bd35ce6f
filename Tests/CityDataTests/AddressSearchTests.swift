import CityData
import Columns
import Geo
import OpenData
import TestSupport
import Testing

/// Issue 2, part "Addresses": search.
@Suite("Address search")
struct AddressSearchTests {
    private static func first(_ text: String, _ town: AddressTown = .borgo) throws -> String? {
        try town.book().search(text).first?.label
    }

    @Test("of two streets whose names differ in how a number is written, the typed one comes first")
    func numerals() throws {
        var town = AddressTown()
        town.street("Via 25 Aprile", north: 0)
        town.street("Via XXV Aprile", north: 3_000)
        let book = try town.book()
        let here = AddressTown.place(0, 0)
        func names(_ text: String) -> [String] { book.search(text, near: here).map(\.label) }
        let near = ["Via 25 Aprile", "Via XXV Aprile"]
        #expect(names("via 25 aprile") == near)
        #expect(names("via xxv aprile") == near.reversed())
        #expect(names("via venticinque aprile") == near)
    }

    @Test(
        "a street is found however its name is written",
        arguments: [
            ("via padova", "Via Padova, Borgo Città"),
            ("VIA PADOVA", "Via Padova, Borgo Città"),
            ("padova via", "Via Padova, Borgo Città"),
            ("V. Padova", "Via Padova, Borgo Città"),
            ("via pado", "Via Padova, Borgo Città"),
            ("via padvoa", "Via Padova, Borgo Città"),
            ("via padva", "Via Padova, Borgo Città"),
            ("via paddova", "Via Padova, Borgo Città"),
            ("via pudova", "Via Padova, Borgo Città"),
            ("via roma", "Via Roma, Borgo Città"),
            ("via roma villanova", "Via Roma, Villanova"),
            ("villanova, via roma", "Via Roma, Villanova"),
            ("via romagn", "Via Romagnosi, Borgo Città"),
            ("piazza duomo", "Piazza del Duomo, Borgo Città"),
            ("p.za duomo", "Piazza del Duomo, Borgo Città"),
            ("P.zza del Duomo", "Piazza del Duomo, Borgo Città"),
            ("via d'azeglio", "Via Massimo d'Azeglio, Borgo Città"),
            ("via dazeglio", "Via Massimo d'Azeglio, Borgo Città"),
            ("via d\u{2019}Azeglio massimo", "Via Massimo d'Azeglio, Borgo Città"),
            ("c.so vittorio emanuele", "Corso Vittorio Emanuele II, Borgo Città"),
            ("corso vitt eman", "Corso Vittorio Emanuele II, Borgo Città"),
            ("v.le montesanto", nil),
            ("V.le Monte S.", "Viale Monte Santo, Borgo Città"),
            ("via c. battisti", "Via Cesare Battisti, Borgo Città"),
            ("Via C.Battisti", "Via Cesare Battisti, Borgo Città"),
            ("via f.lli rosselli", "Via Fratelli Rosselli, Borgo Città"),
            ("via nicolo tommaseo", "Via Niccolò Tommaseo, Borgo Città"),
            ("via NICCOLO' tommaseo", "Via Niccolò Tommaseo, Borgo Città"),
            ("via santandrea", "Via Sant'Andrea, Borgo Città"),
            ("via s. andrea", "Via Sant'Andrea, Borgo Città"),
            ("via 25 aprile", "Via 25 Aprile, Borgo Città"),
            ("scala", "Teatro alla Scala, Borgo Città"),
            ("la scala", "Teatro alla Scala, Borgo Città"),
            ("stazione centrale", "Borgo Centrale, Borgo Città"),
            ("citta studi", "Città Studi, Borgo Città"),
            ("borgo", "Borgo Città"),
        ] as [(String, String?)]
    )
    func names(text: String, label: String?) throws {
        let found = try Self.first(text)
        if let label { #expect(found == label) }
    }

    @Test(
        "a house is found with its number first or last, in Italian and English order",
        arguments: [
            ("Via Padova 10", "Via Padova 10, Borgo Città"),
            ("10 via padova", "Via Padova 10, Borgo Città"),
            ("via padova, 10, borgo città", "Via Padova 10, Borgo Città"),
            ("via padova n. 10", "Via Padova 10, Borgo Città"),
            ("Via Padova 10 - 20131 Borgo Città", "Via Padova 10, Borgo Città"),
            ("via pdaova 10", "Via Padova 10, Borgo Città"),
            ("via 25 aprile 6", "Via 25 Aprile 6, Borgo Città"),
            ("via 25 aprile 25", "Via 25 Aprile 25, Borgo Città"),
            ("via roma 7", "Via Roma 7, Villanova"),
            ("via roma 3", "Via Roma 3, Borgo Città"),
        ]
    )
    func houses(text: String, label: String) throws {
        let match = try #require(try AddressTown.borgo.book().search(text).first)
        #expect(match.label == label)
        guard case .house = match.exactness else {
            Issue.record("\(match.exactness)")
            return
        }
    }

    @Test("a number that is not mapped falls back to the nearest known one and says so")
    func nearestHouse() throws {
        let book = try AddressTown.borgo.book()
        func exactness(_ text: String) -> AddressMatch.Exactness? {
            book.search(text).first?.exactness
        }
        #expect(exactness("via padova 8") == .nearestHouse(known: "10", asked: "8"))
        #expect(exactness("via padova 12") == .nearestHouse(known: "10", asked: "12"))
        #expect(exactness("via padova 15") == .nearestHouse(known: "13", asked: "15"))
        #expect(exactness("via padova 10/b") == .nearestHouse(known: "10", asked: "10/B"))
        #expect(exactness("via padova 900") == .street(asked: "900"))
        #expect(exactness("via romagnosi 4") == .street(asked: "4"))
        #expect(exactness("via romagnosi") == .street(asked: nil))
        #expect(exactness("scala") == .place)
    }

    @Test("in an English town the number stands before the street")
    func englishOrder() throws {
        var town = AddressTown()
        town.node(0, 0, "place=town", "name=Casnewydd", "name:en=Newport")
        town.street("High Street", north: 0, numbers: [10])
        town.street("St. John's Road", north: 100, numbers: [3])
        town.street("Saint Mary Street", north: 200)
        let book = try town.book()
        #expect(book.search("High St 10").first?.label == "10 High Street, Casnewydd")
        #expect(book.search("10 high street, newport").first?.label == "10 High Street, Casnewydd")
        #expect(book.search("3 saint johns rd").first?.label == "3 St. John's Road, Casnewydd")
        #expect(book.search("st john's road").first?.label == "St. John's Road, Casnewydd")
        #expect(book.search("st mary st").first?.label == "Saint Mary Street, Casnewydd")
    }

    @Test("of equal names the one nearer to the asker comes first")
    func nearness() throws {
        let book = try AddressTown.borgo.book()
        let there = AddressTown.place(9_000, 0)
        #expect(book.search("via roma", near: there).first?.label == "Via Roma, Villanova")
        #expect(book.search("via roma").count >= 2)
    }

    @Test(
        "who does not say where they are means the city, not a smaller town (issue 31, point 3)",
        arguments: [
            ("navigli", "Alzaia Naviglio Grande, Milano"),
            ("via torino 3", "Via Torino, Milano"),
            ("torino", "Via Torino, Milano"),
            ("via torino corsico", "Via Torino, Corsico"),
            ("via torino 9 corsico", "Via Torino 9, Corsico"),
            // A name as it is written comes before one that only contains it.
            ("via gramsci", "Via Gramsci, Corsico"),
            ("gramsci", "Via Antonio Gramsci, Milano"),
            ("corsico", "Corsico"),
        ]
    )
    func largestTown(text: String, label: String) throws {
        #expect(try Self.first(text, .milano) == label)
    }

    @Test("a district of the city comes before a street of a smaller town (issue 31, point 3)")
    func district() throws {
        var town = AddressTown.milano
        town.node(-2_000, -2_000, "place=suburb", "name=Navigli")
        #expect(try Self.first("navigli", town) == "Navigli, Milano")
        #expect(try Self.first("via dei navigli", town) == "Via dei Navigli, Corsico")
        let book = try town.book()
        let there = AddressTown.place(9_000, 0)
        #expect(book.search("via torino", near: there).first?.label == "Via Torino, Corsico")
    }

    @Test("nonsense finds nothing, and no text is too long")
    func nonsense() throws {
        let book = try AddressTown.borgo.book()
        for text in ["", " ", ",", "xyzzyq", "via xyzzyq", "\u{301}", "🦆", "10"] {
            #expect(book.search(text).isEmpty, "\(text)")
        }
        #expect(book.search("via padova", limit: 0).isEmpty)
        let long = String(repeating: "via padova ", count: 10_000)
        #expect(book.search(long).first?.label == "Via Padova, Borgo Città")
        #expect(book.search(String(repeating: "a", count: 100_000)).isEmpty)
    }

    @Test("each kind of number is read from the map")
    func mappedNumbers() throws {
        var town = AddressTown()
        town.street("Via Lunga", north: 0)
        let place = "addr:street=Via Lunga"
        town.node(0, 5, "addr:housenumber=12-16", place)
        town.node(10, 5, "addr:housenumber=20;22", place)
        town.node(20, 5, "addr:housenumber=30/A", place)
        town.node(30, 5, "addr:housenumber=40 bis", place)
        town.way(
            [(100, 5), (120, 5), (120, 25), (100, 25)],
            closed: true,
            "building=yes",
            "addr:housenumber=50",
            place
        )
        let hall = town.way([(150, 5), (170, 5), (170, 25), (150, 25)], closed: true)
        town.relation(
            [OSMMember(.way, hall, role: "outer")],
            "type=multipolygon",
            "name=Palazzo Lungo",
            "tourism=museum",
            "addr:housenumber=60",
            place
        )
        let house = town.node(180, 5, "addr:housenumber=70")
        town.relation(
            [OSMMember(.node, house, role: "house")],
            "type=associatedStreet",
            "name=Via Lunga"
        )
        let from = town.node(200, 5, "addr:housenumber=80", place)
        let to = town.node(240, 5, "addr:housenumber=88", place)
        town.way(through: [from, to], "addr:interpolation=even")
        town.node(3_000, 5, "addr:housenumber=1", "addr:place=Cascina Rossa")
        let book = try town.book()
        for number in [
            "12", "14", "16", "20", "22", "30/A", "30a", "30 A", "40 bis", "40bis", "50", "60",
            "70", "80", "82", "84", "86", "88",
        ] {
            let match = book.search("Via Lunga \(number)").first
            guard case .house = match?.exactness else {
                Issue.record("\(number): \(String(describing: match))")
                continue
            }
        }
        let middle = try #require(book.search("via lunga 84").first)
        #expect(middle.coordinate.distanceMetres(to: AddressTown.place(220, 5)) < 1)
        let building = try #require(book.search("via lunga 50").first)
        #expect(building.coordinate.distanceMetres(to: AddressTown.place(110, 15)) < 1)
        #expect(book.search("palazzo lungo").first?.category == "museum")
        #expect(book.search("cascina rossa 1").first?.exactness == .house("1"))
    }
}
