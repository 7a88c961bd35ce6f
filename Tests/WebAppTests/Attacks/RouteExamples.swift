import Agenda
import Dispatching
import Drivers
import FeedRegister
import HTTPTypes
import Identity
import LiveFeeds
import Taxi
import TestClock
import Testing
import WebTestSupport
import Webhooks

@testable import TaxiPages
@testable import WebApp
@testable import WebCore

/// An existing value for every parameter of every path, so that attacks reach the pages.
struct RouteExamples {
    /// Keyed by the path up to and including the parameter; longer paths below it need no line of
    /// their own unless their example differs.
    private let values: [String: String]

    /// The examples that are the same in every installation.
    private static let fixed = [
        "/assets/{hash}": "0",
        "/assets/{hash}/{name}": "style.css",
        "/assets/leaflet/{hash}": "0",
        "/assets/leaflet/{hash}/{name}": "leaflet.css",
        "/assets/leaflet/{hash}/images/{name}": "layers.png",
        "/register/done/{what}": "confirmation",
        "/login/with/{provider}": "none",
        "/login/again/{provider}": "none",
        "/login/from/{provider}": "none",
        "/account/sign-ins/{provider}": "none",
        "/calendar/vehicles/{vehicle}": "car",
        "/calendar/vehicles/{vehicle}/point/{end}": "from",
        "/tiles/{zoom}": "8",
        "/tiles/{zoom}/{x}": "134",
        "/tiles/{zoom}/{x}/{name}": "91.svg",
        "/console/zones/draft/{code}": "W",
        "/console/feed/{feed}": "bikes",
        "/taxi/point/{end}": "from",
        "/plan/point/{end}": "from",
        "/stops/point/{end}": "from", "/calendar/point/{end}/map.svg": "from",
        "/reach/point/{end}": "from",
        "/reach/{reach}": "none",
        "/developers/{group}": "rides",
        "/developers/examples/{file}": "trip.py",
        "/developers/try/{operation}": "rides.call",
        "/gofs/{language}": "en",
        "/gofs/{language}/{file}": "zones.json",
        "/stops/near/{place}": "none",
        "/rentals/near/{place}": "none",
        "/stops/{stop}": "none",
        "/lines/{line}": "none",
        "/plan/{trip}": "none",
        "/plan/{trip}/{option}": "none",
        "/plan/{trip}/{option}/legs/{leg}": "0",
        "/console/operations/notices/{notice}": "1",
        "/console/operations/streets/{restriction}": "1",
        "/console/operations/queues/{zone}": "0",
        "/console/import/{kind}": "passengers",
        "/calendar/day/{date}": "2027-01-16",
        "/calendar/week/{date}": "2027-01-16",
        "/calendar/month/{date}": "2027-01-16",
    ]

    /// Enters a driver, a traveller, an application, zones and a table to import, through pages
    /// where that is simplest.
    init(for visitor: Visitor, at site: ServedSite) async throws {
        let session = try await site.session(of: visitor)
        let accounts = site.installation.accounts
        try await Self.addFeed(at: site)
        let now = site.clock.now
        let driver = try await Self.driver(by: session, at: site)
        _ = try await site.enter(.traveller)
        let traveller = try #require(
            try await accounts.findPerson("cast" + Player.traveller.rawValue)
        )
        let (application, _) = try await accounts.registerApplication(
            ApplicationForm(
                name: "Rides Plus",
                contact: "office@rides.example.org",
                redirects: ["https://rides.example.org/back"],
                scopes: [.reserve],
                requestsPerMinute: 60
            ),
            by: session,
            at: now
        )
        let (webhook, _) = try await site.installation.webhooks.add(
            WebhookForm(address: "https://rides.example.org/hook", kinds: [.rideFound]),
            to: application,
            at: now
        )
        _ = try await ZoneDrawings.paste(ZoneDrawings.zones(), visitor)
        try await ZoneDrawings.publish(visitor)
        let history = try await visitor.get("/console/zones/history").text
        let version = try #require(
            history.firstMatch(of: /\/console\/zones\/history\/([0-9a-f]+)/)
        )
        _ = try await ZoneDrawings.paste(ZoneDrawings.zones(9.25), visitor)
        let table = "email;name;surname;phone;language\nanna@example.org;Anna;Rossi;;it\n;;;;\n"
        let sent = try await visitor.upload(Array(table.utf8), on: "/console/import/passengers")
        let upload = try #require(sent.header("location")?.split(separator: "/").last)
        let passenger = try #require(session.person).passenger
        let rides = try await site.rides(of: passenger)
        try await site.installation.taxi.makeTripLink(to: rides.live, for: passenger)
        let link = try #require(
            try await site.installation.taxi.tripLink(to: rides.live, for: passenger)
        )
        let taxi = try #require(
            try await site.installation.taxi.dispatch.read { $0.taxis.last?.number }
        )
        let owner = try #require(session.person)
        try await site.installation.agenda.makeAddress(of: owner)
        let feed = try #require(try await site.installation.agenda.address(of: owner))
        let found = [
            "/calendar/feed/{token}": "\(feed).ics",
            "/console/driver/{person}": "\(driver.rawValue)",
            "/console/person/{person}": "\(traveller.rawValue)",
            "/console/apps/{number}": "\(application)",
            "/console/apps/{number}/webhooks/{webhook}": "\(webhook)",
            "/console/zones/history/{number}": String(version.1),
            "/ride/{request}": "\(rides.live.rawValue)",
            "/ride/{request}/feedback": "\(rides.ended.rawValue)",
            "/receipt/{request}": "\(rides.ended.rawValue)",
            "/trip/{token}": link,
            "/console/operations/requests/{request}": "\(rides.live.rawValue)",
            "/console/operations/taxis/{taxi}": "\(taxi.rawValue)",
            "/console/import/{kind}/file/{upload}": String(upload),
            "/calendar/entry/{entry}": try await Self.entry(of: visitor, at: site),
        ]
        values = Self.fixed.merging(found) { _, found in found }
    }

    /// Adds a live feed, which is stopped so that nothing is asked for.
    private static func addFeed(at site: ServedSite) async throws {
        let register = site.installation.feedRegister
        let url = "https://bikes.example.org/gbfs.json"
        let source = try #require(register.source(name: "bikes", kind: .sharing, url: url))
        try await register.add(AddedFeed(source, isStopped: true)) { _ in }
    }

    /// The number of an entry of the visitor's calendar.
    private static func entry(of visitor: Visitor, at site: ServedSite) async throws -> String {
        let fields = [
            "title": "Review", "timing": "fixed", "day": "2027-01-16", "start": "10:00",
            "end": "11:00",
        ]
        let sent = try await visitor.submit(fields, on: "/calendar/new")
        #expect(sent.status == 303, "\(sent.text)")
        let list = try await visitor.get("/calendar/list").text
        let link = try #require(list.firstMatch(of: /\/calendar\/entry\/([0-9]+)"/), "\(list)")
        return String(link.1)
    }

    /// A driver whose documents change.
    private static func driver(
        by session: Session,
        at site: ServedSite
    ) async throws
        -> PersonNumber
    {
        let (accounts, now) = (site.installation.accounts, site.clock.now)
        let driver = try await accounts.drivers.enter(
            .numbered(1),
            invites: false,
            by: session,
            at: now
        )
        var papers = DriverEntry.numbered(1).papers
        papers.plate = "FB111BB"
        try await accounts.drivers.proposePapers(papers, of: driver, at: now)
        return driver
    }

    /// Actions that need a request in another state than the example, which is waiting for an
    /// answer; the page says so.
    private static let refused: Set<String> = [
        "/console/operations/requests/{request}/release",
        "/console/operations/requests/{request}/replace",
        "/console/operations/requests/{request}/end",
    ]

    /// Whether a page of the examples may answer with this status.
    ///
    /// Trips, stops, lines and maps of days need a city file, which these sites do not have
    /// (TravelPagesTests, CalendarPagesTests); trying an operation needs a sandbox (TryPageTests),
    /// signing in elsewhere a provider (ProviderTests).
    static func allows(_ status: Int, of route: Route) -> Bool {
        let inCity = [
            "/plan/{trip}", "/stops/near/", "/rentals/near/", "/stops/{stop}", "/lines/{line}",
            "/reach/{reach}", "/calendar/day/{date}/map.svg", "/developers/try/",
            "/login/with/", "/login/again/", "/login/from/", "/account/sign-ins/",
        ]
        if inCity.contains(where: route.path.hasPrefix) { return status == 404 }
        // Asked without where the ride begins and ends.
        if route.path == "/gofs/{language}/wait_time" { return status == 400 }
        return status == (refused.contains(route.path) ? 409 : 200)
    }

    /// The address of a route, with examples in place of its parameters.
    ///
    /// - Parameters:
    ///   - route: the route.
    ///   - attacked: the index of the parameter that gets the payload, among all of the route's.
    ///   - payload: its value, already percent-encoded.
    /// - Returns: the address; nil if a parameter has no example.
    func address(
        of route: Route,
        attacking attacked: Int? = nil,
        with payload: String = ""
    )
        -> String?
    {
        var pattern = ""
        var address = ""
        var place = 0
        for part in route.path.split(separator: "/") {
            pattern += "/" + part
            guard part.hasPrefix("{") else {
                address += "/" + part
                continue
            }
            let own = route.parameterNames.count == 1 ? values[route.path] : nil
            guard let value = own ?? values[pattern] else { return nil }
            address += "/" + (place == attacked ? payload : value)
            place += 1
        }
        return address.isEmpty ? "/" : address
    }
}
