import Audit
import Chronology
import CityData
import Dispatching
import Drivers
import Foundation
import Geo
import Identity
import LivingCity
import Logging
import Notify
import OpenData
import Storage
import StorageTestSupport
import Synchronization
import Taxi
import TestClock
import Testing
import WebCore
import WebTestSupport

@testable import TaxiPages
@testable import WebApp

/// A served demo city of a few streets, whose clock a test advances second by second.
struct LivingTown: Sendable {
    let site: ServedSite
    let city: LivingCity
    let people: DemoPeople
    /// What decides which drivers an offer has reached.
    let events: TaxiEventPublisher

    var taxi: TaxiService { site.installation.taxi }

    /// Opens a town with a number of simulated taxis, set up from scratch.
    static func open(
        taxis: Int,
        seed: UInt64 = 7,
        _ body: @escaping @Sendable (LivingTown) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            var options = DriverTown.limits
            options["city.file"] = try cityFile(in: folder)
            options["city.time_zone"] = "Europe/Rome"
            let letters = SetUpLetters()
            let home = try #require(Link("http://127.0.0.1"))
            // The clock is the site's, which is not served yet: the mailbox shows no ages here.
            let people = DemoPeople(
                mailbox: DemoMailbox(home: home) { Moment(milliseconds: 0) }
            )
            let composed = Mutex<Site?>(nil)
            try await withSite(
                options,
                outgoing: letters.outgoing,
                demonstration: people.demonstration,
                compose: { site in
                    let whole = site
                    composed.withLock { $0 = whole }
                }
            ) { site in
                let whole = try #require(composed.withLock { $0 })
                let city = LivingCity(
                    site.installation,
                    whole,
                    letters: letters,
                    people: people,
                    size: LivingCity.Size(taxis: taxis, seed: seed),
                    logger: whole.logLevels.logger("demo", clock: site.clock.clock.now)
                ) {}
                try await site.started()
                try await city.begin()
                try await body(
                    LivingTown(
                        site: site,
                        city: city,
                        people: people,
                        events: whole.taxiEvents
                    )
                )
            }
        }
    }

    /// Advances the simulation by a number of seconds, one at a time.
    func live(seconds: Int) async throws {
        for _ in 0..<seconds {
            site.clock.advance(seconds: 1)
            try await city.tick()
        }
    }

    /// Advances the simulation until a condition holds, for at most a number of minutes.
    func live(
        atMost minutes: Int,
        until comment: Comment,
        _ holds: () async throws -> Bool
    ) async throws {
        for _ in 0..<(minutes * 60) {
            if try await holds() { return }
            try await live(seconds: 1)
        }
        Issue.record(comment)
        throw CancellationError()
    }

    /// A visitor who has signed in with the button of a demo account.
    func visitor(_ account: DemoAccount) async throws -> Visitor {
        let visitor = site.visitor()
        try await visitor.be(account)
        return visitor
    }

    /// Delivers all messages that are due to the demo's mailbox.
    func deliver() async throws {
        let office = try PostOffice(
            site.installation,
            home: try #require(Link("http://127.0.0.1")),
            channels: people.mailbox.channels,
            logger: Logger(label: "mail")
        )
        // The first round chooses the channels, the second delivers.
        for _ in 0..<2 { _ = try await office.worker.round(at: site.clock.now) }
    }

    /// The taxi of a visitor.
    func taxi(of account: DemoAccount) async throws -> TaxiNumber {
        let accounts = site.installation.accounts
        let person = try #require(try await accounts.findPerson(account.userName))
        let own = try #require(try await accounts.drivers.taxi(of: person))
        return try #require(try await site.installation.fleet.number(of: own))
    }

    /// A taxi as the dispatcher has it, with its offer or ride.
    func state(_ taxi: TaxiNumber) async throws -> (taxi: Taxi?, request: Request?) {
        try await self.taxi.dispatch.read { state in
            let taxi = state.taxi(taxi)
            switch taxi?.work {
            case .offer(let request), .ride(let request):
                return (taxi, state.request(request))
            default: return (taxi, nil)
            }
        }
    }

    /// All entries of the dispatcher's log.
    func entries() async throws -> [Entry] {
        let log = taxi.dispatch.eventLog
        var entries: [Entry] = []
        var head = try await log.genesis()
        while true {
            let page = try await log.records(after: head)
            guard let last = page.last else { return entries }
            entries += try page.map { try Entry(bytes: $0.entry) }
            head = last.head
        }
    }

    /// Nine streets running north, crossed by nine others, 250 m apart, each with house numbers.
    static func cityFile(in folder: String) throws -> String {
        let count = 9
        var osm = OSMWriter()
        func node(_ column: Int, _ row: Int) -> Int64 { Int64(1 + row * count + column) }
        for row in 0..<count {
            for column in 0..<count {
                let place = LocalPlane(at: DriverTown.centro).place(
                    east: Double(column - count / 2) * 250,
                    north: Double(row - count / 2) * 250
                )
                osm.add(node: node(column, row), at: place, tags: [])
            }
        }
        for line in 0..<count {
            let ways = [
                (0..<count).map { node(line, $0) }, (0..<count).map { node($0, line) },
            ]
            for (number, nodes) in ways.enumerated() {
                osm.add(
                    way: Int64(1 + line * 2 + number),
                    nodes: nodes,
                    tags: [
                        OSMTag("highway", "residential"), OSMTag("name", "Via \(line)-\(number)"),
                    ]
                )
            }
        }
        let source = folder + "/town.osm.pbf"
        try Data(osm.finish()).write(to: URL(fileURLWithPath: source))
        let city = folder + "/town.city"
        let made = try CityImport.run(osm: source, feeds: [], zone: "Europe/Rome") { _, _ in }
        try CityFile.write(made.writer, to: city)
        return city
    }
}

extension Visitor {
    /// Signs in with the button of a demo account meant for visitors.
    func be(_ account: DemoAccount) async throws {
        let page = try await get("/")
        let field = "name=\"name\" value=\"\(account.userName)\""
        let forms = page.text.split(separator: "<form").map(String.init)
        let form = try #require(forms.first { $0.contains(field) }, "\(page.text)")
        let sent = try await sendForm("/login", of: form)
        #expect(sent.status == 303, "\(sent.text)")
    }
}
