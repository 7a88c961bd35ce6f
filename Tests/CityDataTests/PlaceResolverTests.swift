import CityData
import Columns
import Geo
import Journeys
import OpenData
import Testing
import Transit

/// Issue 31, point 3: the same text means the same place for every program.
@Suite("What the text of a place means")
struct PlaceResolverTests {
    private let resolver: PlaceResolver
    private let stops: StopDirectory

    init() throws {
        var writer = SectionWriter()
        let inputs = try ["north", "south"].map { name in
            FeedInput(
                try GTFSReader.read(
                    .texts(Self.feed(name == "north" ? "Alba" : "Bruna")),
                    name: name
                ).feed
            )
        }
        _ = try TimetableBuilder.add(inputs, walks: nil, to: &writer)
        let timetable = Timetable(try writer.opened())
        var addresses = SectionWriter()
        try AddressBuilder.add(osm: AddressTown.borgo.osm, timetable: timetable, to: &addresses)
        stops = StopDirectory(timetable)
        resolver = PlaceResolver(addresses: AddressBook(try addresses.opened()), stops: stops)
    }

    /// A feed with a station S that others have too, and a stop of its own.
    private static func feed(_ own: String) -> [String: String] {
        [
            "agency.txt":
                "agency_id,agency_name,agency_url,agency_timezone\nA,A,http://a.it,Europe/Rome",
            "routes.txt": "route_id,route_short_name,route_type\nBus,Bus,3",
            "calendar.txt": """
            service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
            D,1,1,1,1,1,1,1,20141001,20141130
            """,
            "stops.txt": """
            stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station
            S,Stazione \(own),45.47,9.19,1,
            P,Stazione \(own),45.47,9.19,0,S
            \(own.prefix(1)),Fermata \(own),45.48,9.19,0,
            """,
            "trips.txt": "trip_id,route_id,service_id\nT,Bus,D",
            "stop_times.txt": """
            trip_id,stop_id,stop_sequence,arrival_time,departure_time
            T,P,0,08:00:00,08:00:00
            T,\(own.prefix(1)),1,08:10:00,08:10:00
            """,
        ]
    }

    private func best(_ text: String) -> ResolvedPlace? {
        guard case .found(let place) = resolver.find(text, .takesBest) else { return nil }
        return place
    }

    @Test(
        "every kind of place is told from the others",
        arguments: [
            ("via padova 10", "Via Padova 10, Borgo Città", ResolvedPlace.Kind.address),
            ("via romagnosi", "Via Romagnosi, Borgo Città", .street),
            ("citta studi", "Città Studi, Borgo Città", .locality),
            ("teatro alla scala", "Teatro alla Scala, Borgo Città", .feature),
            ("fermata alba", "Fermata Alba, Borgo Città", .stop),
            ("stazione alba", "Stazione Alba, Borgo Città", .station),
            ("stop:A", "Fermata Alba", .stop), ("stop:north/S", "Stazione Alba", .station),
        ]
    )
    func kinds(text: String, name: String, kind: ResolvedPlace.Kind) throws {
        let place = try #require(best(text))
        #expect(place.name == name)
        #expect(place.kind == kind)
        #expect(place.coordinate != nil && place.endpoint != nil)
        #expect(place.stops.isEmpty == ![.stop, .station].contains(kind))
    }

    @Test("a position is named by the nearest address, or by itself where none is near")
    func positions() throws {
        let near = AddressTown.place(40, 105)
        let place = try #require(best(near.text))
        #expect(place.kind == .coordinate && place.name.hasPrefix("Via Padova"))
        let far = try #require(best("44.5, 8.25"))
        #expect(far.name == "44.50000,8.25000" && far.stops.isEmpty)
        #expect(far.endpoint == .place(try #require(far.coordinate)))
    }

    @Test("a stop that two feeds have is asked about under both policies")
    func sharedStops() {
        for policy in [PlaceResolver.Policy.takesBest, .asks] {
            guard case .several(let places) = resolver.find("stop:S", policy) else {
                Issue.record("not several")
                continue
            }
            let names = places.flatMap(\.stops).map(stops.identifier)
            #expect(names == ["north/S", "south/S"])
        }
        #expect(resolver.find("stop:nowhere/S", .takesBest) == .nothing)
        #expect(resolver.find("stop:Z", .takesBest) == .nothing)
        #expect(resolver.stops(named: "fermata bruna").first.map(stops.identifier) == "south/B")
    }

    @Test("a command takes the best place and notes the rest, a page asks (policies)")
    func policies() throws {
        let taken = try #require(best("via roma"))
        #expect(taken.name == "Via Roma, Borgo Città")
        #expect(taken.notes == [.namesakes(["Via Roma, Villanova"])])
        guard case .several(let offered) = resolver.find("via roma", .asks) else {
            Issue.record("not several")
            return
        }
        #expect(offered.prefix(2).map(\.name) == ["Via Roma, Borgo Città", "Via Roma, Villanova"])
        let near = try #require(best("via padova 8"))
        #expect(near.name == "Via Padova 10, Borgo Città")
        #expect(near.notes == [.nearestHouse(known: "10", asked: "8")])
        let street = try #require(best("via padova 900"))
        #expect(street.notes == [.wholeStreet(asked: "900")])
        // The exact name is unambiguous.
        let exact = resolver.find("Piazza Cinque Giornate, Borgo Città", .asks)
        guard case .found(let place) = exact else {
            Issue.record("\(exact)")
            return
        }
        #expect(place.notes.isEmpty)
    }

    @Test("a name that only one place has needs no municipality, if it is the best match")
    func onlyOne() throws {
        var town = AddressTown.borgo
        town.street("Viale Padova", north: 130, numbers: [10])
        town.street("Via Padova Vecchia", north: 160, numbers: [10])
        town.street("Via Antonio Gramsci", north: 1_300)
        town.street("Via Gramsci", east: 9_000, north: 300)
        var sections = SectionWriter()
        try AddressBuilder.add(osm: town.osm, timetable: nil, to: &sections)
        let resolver = PlaceResolver(addresses: AddressBook(try sections.opened()))
        #expect(resolver.suggestions("via padova 10").count > 1)
        guard case .found(let place) = resolver.find("via padova 10", .asks) else {
            Issue.record("an exact address is asked again")
            return
        }
        #expect(place.name == "Via Padova 10, Borgo Città")
        // What another municipality calls so may not be meant, and what two have is asked.
        for name in ["Via Gramsci", "Via Roma"] {
            guard case .several = resolver.find(name, .asks) else {
                Issue.record("\(name) is not asked")
                continue
            }
        }
    }

    @Test("nothing is nothing, with names that begin alike")
    func nothing() {
        for policy in [PlaceResolver.Policy.takesBest, .asks] {
            #expect(resolver.find("Zzyzx 1", policy) == .nothing)
            #expect(resolver.find("", policy) == .nothing)
        }
        #expect(resolver.corrections(of: "Romagnosizzz").contains("Via Romagnosi, Borgo Città"))
        #expect(resolver.corrections(of: "zz").isEmpty)
        #expect(PlaceResolver(addresses: nil).find("via roma", .asks) == .nothing)
    }
}
