import Chronology
import CityData
package import Dispatching
package import Drivers
import Fares
import Foundation
package import Geo
import Identity
import OpenData
import Positions
import Storage
package import StorageTestSupport
package import Taxi
import TaxiPages
import TestClock
import TestSupport
import Testing
package import WebApp
package import Zones

/// A served town with one long street in two zones, whose passengers use pages and whose drivers
/// use the service directly.
package struct RideTown: Sendable {
    package let site: ServedSite
    /// The drivers' taxis, in the order in which they queue.
    package let taxis: [TaxiNumber]

    /// The settings of a town's server: it can send mails and text messages.
    package static let options = [
        "limits.requests_per_second": "100000", "limits.requests_at_once": "100000",
        "mail.server": "smtp://127.0.0.1:2525", "mail.from": "taxi@example.org",
        "sms.address": "https://sms.example.org/send", "sms.token": "secret",
        "city.time_zone": "Europe/Rome",
    ]

    /// The place a number of metres east along the street.
    package static func place(_ metres: Double) -> Coordinate {
        Coordinate(latitude: 454_640_000, longitude: 91_900_000 + Int32(metres * 128))
    }

    /// The same place as text, as people type it.
    package static func typed(_ metres: Double) -> String {
        let place = place(metres)
        return "\(place.latitudeDegrees), \(place.longitudeDegrees)"
    }

    /// Opens a town under a policy, with a number of taxis available at the west end and, if it
    /// has lines, with the public transport of ``TownFeed``; if it has fares, with its tickets.
    package static func open(
        _ policy: Policy,
        taxis count: Int = 1,
        _ further: [String: String] = [:],
        on engine: TestEngine = .sqlite,
        isPosted: Bool = false,
        isOpen: Bool = true,
        hasLines: Bool = false,
        hasFares: Bool = false,
        prepare: @escaping @Sendable (inout Installation) -> Void = { _ in },
        _ body: @escaping @Sendable (RideTown) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            var all = Self.options
            all["city.file"] = try cityFile(
                in: folder,
                hasLines: hasLines,
                hasFares: hasFares
            )
            all.merge(further) { $1 }
            try await withSite(all, on: engine, isPosted: isPosted, prepare: prepare) { site in
                let taxis = isOpen ? try await setUp(site, policy, count) : []
                try await body(RideTown(site: site, taxis: taxis))
            }
        }
    }

    private static func setUp(
        _ site: ServedSite,
        _ policy: Policy,
        _ count: Int
    ) async throws -> [TaxiNumber] {
        let taxi = site.installation.taxi
        try await site.started()
        let (_, admin) = try await site.administrator()
        for number in 0..<max(1, count) {
            try await site.accounts.drivers.enter(
                .numbered(number),
                invites: false,
                by: admin,
                at: site.clock.now
            )
        }
        try await site.installation.fleet.reconcile()
        _ = try await taxi.draw(try await taxi.plan(try zones()))
        try await taxi.adoptTariffs(TariffBook.example, by: nil, note: "")
        _ = try await taxi.dispatch.give(.adopt(policy))
        _ = try await taxi.dispatch.give(.completeSetup)
        let town = RideTown(
            site: site,
            taxis: (0..<UInt32(max(1, count))).map { TaxiNumber(rawValue: $0) }
        )
        for number in town.taxis.prefix(count) {
            try await town.report(number, at: 100)
            _ = try await taxi.dispatch.give(.goOnDuty(number))
        }
        return Array(town.taxis.prefix(count))
    }

    /// The zones of the town; `start` is its western end.
    package static func zones(from start: Double = -200) throws -> ZoneSet {
        func box(_ from: Double, _ to: Double, _ code: String) throws -> Zone {
            let (left, right) = (place(from).longitude, place(to).longitude)
            let corners = [(0, left), (0, right), (1, right), (1, left), (0, left)].map {
                Coordinate(latitude: 454_540_000 + Int32($0) * 200_000, longitude: $1)
            }
            let area = MultiPolygon([Polygon(outline: try Ring(corners))])
            return Zone(code: code, name: code, area: area)
        }
        let draft = try ZoneDraft([box(start, 1_000, "West"), box(1_000, 2_200, "East")])
        return try ZoneSet.read(draft.healed().geoJSON, file: "town")
    }

    /// Writes a city file with the street and its houses, a second street with a similar name, and
    /// a square; returns its path.
    package static func cityFile(
        in folder: String,
        hasLines: Bool,
        hasFares: Bool
    ) throws -> String {
        var osm = OSMWriter()
        var node: Int64 = 0
        func add(_ east: Double, _ north: Int32, _ tags: [OSMTag] = []) -> Int64 {
            node += 1
            var place = place(east)
            place.latitude += north
            osm.add(node: node, at: place, tags: tags)
            return node
        }
        var ways: [([Int64], String)] = []
        for (name, north) in [("Corso Lungo", Int32(0)), ("Corso Lungo Vecchio", 20_000)] {
            ways.append((stride(from: 0.0, through: 2_000, by: 100).map { add($0, north) }, name))
            for number in 1...20 {
                _ = add(
                    Double(number) * 100,
                    north + 900,
                    [
                        OSMTag("addr:housenumber", "\(number)"), OSMTag("addr:street", name),
                    ]
                )
            }
        }
        // A bar that is mapped twice, another of that name far away, and two more far from any
        // house.
        for (name, east, north) in [
            ("Bar Centrale", 300.0, Int32(700)), ("Bar Centrale", 310, 700),
            ("Bar Centrale", 1_600, 700), ("Bar Solo", 650, -500), ("Bar Solo", 1_250, -500),
        ] {
            _ = add(east, north, [OSMTag("amenity", "bar"), OSMTag("name", name)])
        }
        // The two streets meet at both ends, so that cars can drive in a loop.
        ways.append(([ways[0].0[0], ways[1].0[0]], "Via Corta"))
        ways.append(([ways[0].0[20], ways[1].0[20]], "Via Breve"))
        for (number, (nodes, name)) in ways.enumerated() {
            osm.add(
                way: Int64(number + 1),
                nodes: nodes,
                tags: [OSMTag("highway", "residential"), OSMTag("name", name)]
            )
        }
        let source = folder + "/town.osm.pbf"
        try Data(osm.finish()).write(to: URL(fileURLWithPath: source))
        let city = folder + "/town.city"
        let lines = hasLines ? try TownFeed.write(in: folder, hasFares: hasFares) : nil
        let feeds = [lines].compactMap(\.self)
        let made = try CityImport.run(osm: source, feeds: feeds, zone: "Europe/Rome") { _, _ in }
        try CityFile.write(made.writer, to: city)
        return city
    }

    // MARK: Passengers

    /// A passenger with an account, signed in, with phone number and mail address.
    package func passenger(_ name: String = "pia") async throws -> Visitor {
        try await site.person(name)
    }

    /// Fills in the form and continues to the confirmation page.
    package func fill(
        _ visitor: Visitor,
        _ fields: [String: String],
        on form: String = "/taxi"
    ) async throws -> Visitor.Answer {
        let sent = try await visitor.submit(fields, on: form, to: "/taxi")
        // Where the form itself may be confirmed, this page shows the same order.
        guard ["/taxi", "/taxi/check"].contains(sent.header("location")) else { return sent }
        return try await visitor.get("/taxi/check")
    }

    /// Confirms what the page shows.
    package func confirm(_ visitor: Visitor) async throws -> Visitor.Answer {
        try await visitor.submit([:], on: "/taxi/check", to: "/taxi/request")
    }

    /// Calls a taxi through the pages; returns the path of the ride.
    package func call(
        _ visitor: Visitor,
        from metres: Double = 500,
        to: Double? = 1_500
    ) async throws
        -> String
    {
        var fields = ["from": Self.typed(metres), "seats": "1"]
        if let to { fields["to"] = Self.typed(to) }
        let check = try await fill(visitor, fields)
        #expect(check.status == 200, "\(check.text)")
        let sent = try await confirm(visitor)
        let path = try #require(sent.header("location"), "\(sent.text)")
        #expect(path.hasPrefix("/ride/"))
        return path
    }

    /// The number of the request in a ride's path.
    package static func number(_ path: String) throws -> RequestNumber {
        let digits = path.dropFirst("/ride/".count).prefix { $0.isNumber }
        return RequestNumber(rawValue: try #require(UInt64(digits)))
    }

    // MARK: Drivers

    package var taxi: TaxiService { site.installation.taxi }

    /// How people recognise a taxi: its identification.
    package func signs(_ number: TaxiNumber) async throws -> TaxiSigns {
        let code = try await taxi.dispatch.read { $0.taxi(number)?.code }
        let person = try #require(PersonNumber(dispatcherCode: code ?? ""))
        return try #require(try await site.accounts.drivers.signs(of: person))
    }

    /// The papers of a taxi's driver state what it looks like.
    package func describe(_ number: TaxiNumber, make: String, colour: String) async throws {
        let code = try await taxi.dispatch.read { $0.taxi(number)?.code }
        let car = try #require(PersonNumber(dispatcherCode: code ?? ""))
        let drivers = site.accounts.drivers
        let person = try #require(try await drivers.people(driving: car).first)
        var papers = try #require(try await drivers.driver(person)).papers
        (papers.make, papers.colour) = (make, colour)
        let (_, clerk) = try await site.administrator("clerk")
        try await drivers.update(
            person,
            ProfileChange(),
            papers,
            by: clerk,
            at: site.clock.now
        )
    }

    /// Reports a phone's position until the service has received it.
    package func report(_ number: TaxiNumber, at metres: Double) async throws {
        let now = site.clock.now
        let report = PositionReport(at: now, place: Self.place(metres), accuracyMetres: 5)
        let batch = PositionBatch(taxi: number, sentAt: now, reports: [report])
        let taxi = taxi
        try await site.until("the taxi is heard") {
            _ = try taxi.report(batch)
            return try await taxi.dispatch.read { $0.taxi(number)?.isReachable == true }
        }
    }

    /// Advances the clock while all phones keep reporting.
    package func wait(seconds: Int64) async throws {
        var left = seconds
        while left > 0 {
            let step = min(left, 30)
            site.clock.advance(seconds: step)
            for taxi in taxis { try await report(taxi, at: 100) }
            left -= step
        }
    }

    /// The offer to a taxi, with the details that an answer must repeat.
    package func offer(to number: TaxiNumber) async throws -> OfferShown {
        try #require(try await taxi.offer(to: number))
    }

    /// The driver accepts the current offer.
    @discardableResult
    package func accept(_ number: TaxiNumber) async throws -> RequestNumber {
        let offer = try await offer(to: number)
        _ = try await taxi.accept(offer.request, by: number, epoch: offer.epoch)
        return offer.request
    }

    /// The driver refuses the current offer.
    package func refuse(_ number: TaxiNumber) async throws {
        let offer = try await offer(to: number)
        _ = try await taxi.dispatch.give(.refuse(offer.request, number, epoch: offer.epoch))
    }

    /// A taxi reaches the meeting point.
    package func reach(_ number: TaxiNumber) async throws {
        _ = try await taxi.dispatch.give(.reachMeetingPoint(number))
    }

    /// The passengers board, with the code that the driver has.
    package func board(_ number: TaxiNumber) async throws {
        let code = try await taxi.ride(of: number)?.code
        let isAboard = try await taxi.board(number, aboard: 1, code: code)
        #expect(isAboard)
    }

    /// A taxi reaches the destination, and the ride ends.
    package func end(_ number: TaxiNumber) async throws {
        let taxi = taxi
        try await site.until("the meter runs") {
            try await taxi.meterReading(of: number) != nil
        }
        _ = try? await taxi.dispatch.give(.reachDestination(number))
        _ = try await taxi.endRide(number)
    }
}
