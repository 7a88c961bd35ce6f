import CityData
import Columns
import Foundation
import Geo
import OpenData
import TestSupport
import Testing
import Transit

/// Issue 31, "Addresses": what people type in real cities, and what they expect to find first.
@Suite("Places as people type them")
struct TypedPlaceTests {
    /// A city with its addresses and stops.
    struct City {
        let resolver: PlaceResolver
        let book: AddressBook

        init(_ osm: String, _ feeds: [String]) throws {
            var timetable: Timetable?
            if !feeds.isEmpty {
                var sections = SectionWriter()
                let inputs = try feeds.map { feed in
                    FeedInput(
                        try GTFSReader.read(
                            FeedSource.at(path: RealData.url(feed).path),
                            name: feed
                        ).feed
                    )
                }
                _ = try TimetableBuilder.add(inputs, walks: nil, to: &sections)
                timetable = Timetable(try sections.opened())
            }
            var sections = SectionWriter()
            let file = try OSMFile(path: RealData.url(osm).path)
            let time = try ContinuousClock().measure {
                try AddressBuilder.add(osm: file, timetable: timetable, to: &sections)
            }
            book = AddressBook(try sections.opened())
            resolver = PlaceResolver(addresses: book, stops: timetable.map { StopDirectory($0) })
            AddressReport.note("\(osm): \(book.counts), built in \(time)")
        }

        /// Describes the differences from a table of texts and the expected beginnings of the first
        /// names found, divided by bars, compared as a person would.
        func differences(_ table: String) -> [String] {
            table.split(separator: "\n").compactMap { line in
                let columns = line.split(separator: ":")
                let wanted = columns[1].split(separator: "|").map { letters(String($0)) }
                let text = columns[0].trimmingPrefix { $0 == " " }
                guard case .found(let place) = resolver.find(String(text), .takesBest) else {
                    return "\(text): nothing"
                }
                let name = letters(place.name)
                return wanted.contains { name.hasPrefix($0) } ? nil : "\(text): \(place.name)"
            }
        }

        private func letters(_ text: String) -> String {
            text.lowercased().filter { $0.isLetter || $0.isNumber }
        }
    }

    private static let milanFiles = [
        "milan/milan.osm.pbf", "milan/atm_gtfs_2014.zip", "milan/trenord_gtfs_2026.zip",
    ]
    private static let portoFiles = ["porto/porto.osm.pbf", "porto/metro_do_porto_gtfs_2025.zip"]
    private static let newportFile = "newport/newport.osm.pbf"
    private static let milan = Result {
        try City(milanFiles[0], Array(milanFiles.dropFirst()))
    }
    private static let porto = Result { try City(portoFiles[0], [portoFiles[1]]) }
    private static let newport = Result { try City(newportFile, []) }
    private static let milanTexts =
        """
        centrale: milano centrale
        stazione centrale: milano centrale
        staz. centrale: milano centrale
        central station: milano centrale
        milan central station: milano centrale|centrale
        centrale milano: milano centrale
        centr: milano centrale|centrale
        cadorna: cadorna|milano cadorna|milano nord cadorna
        stazione cadorna: cadorna|milano cadorna|milano nord cadorna|stazione cadorna
        porta garibaldi: milano porta garibaldi
        p.ta garibaldi: milano porta garibaldi
        stazione garibaldi: milano porta garibaldi|garibaldi f
        lambrate: milano lambrate|lambrate
        rogoredo: milano rogoredo|rogoredo
        p.ta genova: milano porta genova|p.ta genova
        porta genova: milano porta genova|p.ta genova
        loreto: loreto
        metro duomo: duomo
        duomo: duomo
        piazza duomo: piazza del duomo
        p.za duomo: piazza del duomo
        p.zza del duomo: piazza del duomo
        duomo piazza: piazza del duomo
        cathedral: duomo
        navigli: alzaia naviglio
        naviglio grande: alzaia naviglio grande
        via torino 3: via torino
        v. torino 3: via torino
        3 via torino milano: via torino
        torino, 3: via torino
        v.le monza: viale monza
        viale monza 10: viale monza
        c.so buenos aires: corso buenos aires
        corso como: corso como
        20 settembre: via 20 settembre|via venti settembre
        xx settembre: via 20 settembre|via venti settembre
        via xx settembre: via 20 settembre|via venti settembre
        via venti settembre: via 20 settembre|via venti settembre
        5 giornate: piazza 5 giornate|piazza cinque giornate|cinque giornate|p.za
        piazza cinque giornate: piazza 5 giornate|piazza cinque giornate
        piazza xxv aprile: piazza 25 aprile|piazza xxv aprile
        piazza venticinque aprile: piazza 25 aprile|piazza xxv aprile
        corso xxii marzo: corso 22 marzo|corso ventidue marzo
        via 22 marzo: corso 22 marzo|corso ventidue marzo
        via s. gottardo: corso san gottardo|c.so s
        corso s.gottardo: corso san gottardo|c.so s
        s. ambrogio: s.ambrogio|sant'ambrogio
        santambrogio: s.ambrogio|sant'ambrogio
        piazza s. stefano: piazza santo stefano|piazza s
        san babila: san babila|s.babila
        san siro: san siro|s. siro
        stadio san siro: san siro stadio|stadio|s. siro
        ospedale niguarda: ospedale|niguarda
        osp. niguarda: osp|niguarda
        la scala: teatro alla scala
        scala teatro: teatro alla scala
        castello sforzesco: castello sforzesco
        linate: milano linate|linate|aeroporto
        aeroporto linate: milano linate|linate|aeroporto
        politecnico: politecnico
        parco sempione: parco sempione
        quarto oggiaro: quarto oggiaro|milano quarto oggiaro
        via padvoa: via padova
        piaza duomo: piazza del duomo
        garibladi: milano porta garibaldi|garibaldi
        via dante 7: via dante
        via manzoni 10 milano: via a
        milan: milano
        zona 1: zona 1
        cernusco: cernusco
        sesto: sesto s
        """
    private static let duomo = Coordinate(latitude: 454_642_000, longitude: 91_900_000)

    @Test(
        "in Milan",
        .enabled(if: milanFiles.allSatisfy { RealData.has($0) }, RealData.advice)
    )
    func milan() throws {
        let differences = try Self.milan.get().differences(Self.milanTexts)
        #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
    }

    @Test(
        "in Porto",
        .enabled(if: portoFiles.allSatisfy { RealData.has($0) }, RealData.advice)
    )
    func porto() throws {
        let differences = try Self.porto.get().differences(
            """
            s. bento: são bento
            sao bento: são bento
            estação de são bento: são bento|estação|porto
            trindade: trindade
            bolhao: bolhão
            av. dos aliados: avenida dos aliados
            praca da liberdade: praça da liberdade
            torre dos clerigos: torre dos clérigos
            ribeira: ribeira
            oporto: porto
            r. santa catarina 112: rua de santa catarina
            31 de janeiro: rua 31 de janeiro
            gaia: vila nova de gaia|gaia
            lello: livraria lello
            ponte luis i: ponte luís i|ponte dom luís i
            largo 1 de dezembro: largo primeiro de dezembro|largo de primeiro de dezembro|largo 1
            largo 1.º de dezembro: largo primeiro de dezembro|largo de primeiro|largo 1
            hospital santo antonio: hospital santo|hospital de santo|hospital geral
            farmacia aliança: farmácia aliança
            campanha: campanhã
            """
        )
        #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
    }

    @Test("in Newport", .enabled(if: RealData.has(newportFile), RealData.advice))
    func newport() throws {
        let differences = try Self.newport.get().differences(
            """
            high st: high street
            chepstow rd: chepstow road
            casnewydd: newport
            maindee: maindee
            maendy: maindee
            royal gwent: royal gwent hospital
            st woolos: st. woolos
            friars walk: friars walk
            caerleon road 10: 10 caerleon road
            liswerry: liswerry
            newport station: newport
            """
        )
        #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
    }

    @Test(
        "a kind of place means the nearest ones, each with its street",
        .enabled(if: portoFiles.allSatisfy { RealData.has($0) }, RealData.advice),
        arguments: [
            ("farmacia", PlaceKind.pharmacy), ("pharmacy", .pharmacy), ("farm", .pharmacy),
            ("farmcia", .pharmacy), ("nearest pharmacy", .pharmacy),
            ("supermercado", .supermarket), ("supermercato", .supermarket), ("cafe", .cafe),
            ("restaurante", .restaurant), ("post office", .postOffice), ("correios", .postOffice),
            ("ufficio postale", .postOffice), ("bancomat", .cashMachine),
            ("cash machine", .cashMachine), ("banco", .bank), ("school", .school),
            ("parque", .park), ("dentist", .dentist),
        ]
    )
    func kinds(text: String, kind: PlaceKind) throws {
        let city = try Self.porto.get()
        let here = Coordinate(latitude: 411_470_000, longitude: -86_110_000)
        let found = city.book.search(text, near: here, limit: 5)
        #expect(!found.isEmpty && found.allSatisfy { $0.placeKind == kind }, "\(found)")
        let nearest = city.resolver.nearest(kind, to: here, limit: 5)
        let least = nearest.first?.coordinate?.distanceMetres(to: here) ?? .infinity
        let metres = found.map { $0.coordinate.distanceMetres(to: here) }
        #expect(least < 2_000 && metres.first ?? .infinity < least + 100, "\(nearest)")
        // Distances count in steps of 100 m.
        #expect(zip(metres, metres.dropFirst()).allSatisfy { $0 < $1 + 100 }, "\(metres)")
        let streets = found.filter { $0.label.contains(",") && !$0.label.hasPrefix(",") }
        #expect(streets.count == found.count, "\(found.map(\.label))")
    }

    @Test(
        "a kind of place beside another place means those near it",
        .enabled(if: milanFiles.allSatisfy { RealData.has($0) }, RealData.advice),
        arguments: ["supermercato duomo", "supermarket near piazza duomo"]
    )
    func kindsNearPlaces(text: String) throws {
        let found = try Self.milan.get().book.search(text, limit: 3)
        #expect(!found.isEmpty && found.allSatisfy { $0.placeKind == .supermarket }, "\(found)")
        let metres = found.map { $0.coordinate.distanceMetres(to: Self.duomo) }
        #expect(metres.first ?? .infinity < 3_000, "\(found)")
    }
}
