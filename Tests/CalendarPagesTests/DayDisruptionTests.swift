import Agenda
import CalendarPages
import Chronology
import DayPlanning
import Foundation
import Geo
import Identity
import LiveFeeds
import Notify
import OpenData
import Storage
import TaxiPages
import TestClock
import TestSupport
import Testing
import TripPlanning
import WebTestSupport
import Webhooks

@testable import WebApp

/// Issue 33, point 4: strikes and rain in planned days, and what people are told (V47 to V49).
@Suite(
    "Strikes and rain in days",
    .serialized,
    .enabled(if: LocalServers.areAvailable, LocalServers.advice)
)
struct DayDisruptionTests {
    private let folder: TemporaryFolder
    let address: String

    init() async throws {
        folder = try TemporaryFolder()
        let port = try await LocalServers.started().places.http
        address = "http://127.0.0.1:\(port)/files\(folder.url.path)"
    }

    // MARK: Strikes

    /// Publishes the register, with the strike of the town's lines or without.
    private func publish(strike: Bool) throws {
        func item(_ number: Int, _ region: String, _ staff: String) -> String {
            """
            <item><title>Data inizio: 16/01/2027 - Settore: Trasporto pubblico locale - \
            Rilevanza: Locale - Regione: \(region) - Provincia: Tutte</title>
            <description><![CDATA[modalità: 24 ORE<br/>Data fine: 16/01/2027<br/>\
            Settore: Trasporto pubblico locale<br/>Rilevanza: Locale<br/>Regione: \(region)<br/>\
            Provincia: Tutte<br/>Sindacati: OST<br/>Categoria interessata: \(staff)<br/>\
            Data proclamazione: 01/12/2026<br/>Data ricezione: 01/12/2026]]></description>
            <pubDate>Fri, 15 Jan 2027 22:00:00 +0000</pubDate>
            <link>http://scioperi.mit.gov.it</link>
            <guid>http://scioperi.mit.gov.it/\(number)</guid></item>
            """
        }
        let items =
            [item(1, "Puglia", "PERSONALE SOC. ATAF DI FOGGIA")]
            + (strike ? [item(2, "Lombardia", "PERSONALE SOC. LINEE")] : [])
        try folder.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <rss version="2.0"><channel><title>Elenco Scioperi</title>
            <pubDate>Fri, 15 Jan 2027 07:00:00 +0000</pubDate>
            \(items.joined(separator: "\n"))
            </channel></rss>
            """,
            to: "strikes.xml"
        )
    }

    /// Lets the server fetch what is published now, and plan days by it.
    ///
    /// - Parameters:
    ///   - town: the town.
    ///   - pages: the pages of its calendars.
    ///   - hours: how many hours later it fetches, by a clock of the feeds.
    ///   - comment: what is waited for.
    ///   - isKnown: whether it has come.
    /// - Throws: if it does not come.
    private func fetch(
        _ town: RideTown,
        _ pages: CalendarPages,
        after hours: Int64,
        _ comment: Comment,
        until isKnown: @escaping @Sendable () -> Bool
    ) async throws {
        let installation = town.site.installation
        let now = Instant(town.site.clock.now)
        _ = await installation.feeds.poll(now.adding(seconds: hours * 3_600))
        try await town.site.until(comment) {
            _ = await installation.renewal.check(at: now)
            return isKnown()
        }
        try await pages.planAhead(at: town.site.clock.now)
    }

    private func waiting(_ town: RideTown) async throws -> Int {
        try await town.site.installation.database.read { transaction in
            try transaction.rows(
                "SELECT posting FROM notification WHERE kind = 'unreachable' AND channel = ''"
            ).count
        }
    }

    @Test("a strike for tomorrow: its owner is told once, the day says why, and it may be revoked")
    func strike() async throws {
        try publish(strike: false)
        let feed = "italian-strikes \(address)/strikes.xml"
        try await CalendarTown.open(["feeds.strikes": feed]) { town in
            let visitor = try await town.passenger()
            try await visitor.add(CalendarTown.event("Breakfast", "10:00", "11:00", at: 100))
            try await visitor.add(CalendarTown.event("Design review", "11:20", "12:00", at: 1_900))
            let webhooks = town.site.installation.webhooks
            let app = try await ForeignClient.registered(at: town.site, [.followPlans])
            _ = try await app.tokens(of: visitor, [.followPlans])
            let hook = try await webhooks.add(
                WebhookForm(address: "https://plans.example/", kinds: [.planBroken]),
                to: app.number,
                at: town.site.clock.now
            )
            let pages = Site(town.site.installation).features.calendar
            let planner: @Sendable () -> Int = {
                town.site.installation.cities.current.cities[0].planner.disruptions.all.count
            }
            try await fetch(town, pages, after: 1, "the register is read") {
                town.site.installation.feeds.statuses[0].knownSince != nil
            }
            let before = try await visitor.get(CalendarTown.page).text
            #expect(!before.contains("Strike") && before.contains("Leave at"), "\(before)")

            try publish(strike: true)
            try await fetch(town, pages, after: 2, "the strike is known") { planner() == 1 }
            // Nobody looks at the page meanwhile.
            try await town.site.until("a message waits") { try await waiting(town) == 1 }
            let after = try await visitor.get(CalendarTown.page).text
            #expect(after.contains("Strike at Linee. Its lines are not used:"), "\(after)")
            let other = try await visitor.get("/calendar/day/2027-01-17").text
            #expect(!other.contains("Strike of Linee"), "the day after is as usual")
            try await fetch(town, pages, after: 3, "nothing has changed") { planner() == 1 }
            #expect(try await waiting(town) == 1, "people are told once")
            // So is the application that she lets know of plans: which day, and nothing else.
            let told = try await webhooks.deliveries(to: hook.number, of: app.number, limit: 9)
            #expect(told.map(\.kind) == ["plan.broken"])
            #expect(told.first?.body.contains(#""data":{"day":"2027-01-16","person":"#) == true)
            #expect(told.first?.body.contains("review") == false)

            let taken = TakenMail()
            let worker = try taken.worker(town)
            for _ in 0..<3 { _ = try await worker.round(at: town.site.clock.now) }
            #expect(taken.subjects == ["You may not reach Design review in time"])
            #expect(
                taken.all.first?.letter.action?.link.text
                    == "https://taxi.example.org" + CalendarTown.page
            )

            try publish(strike: false)
            try await fetch(town, pages, after: 4, "it is missing") {
                let cities = town.site.installation.cities.current.cities
                return cities[0].planner.disruptions.all.allSatisfy(\.isRevoked)
            }
            let revoked = try await visitor.get(CalendarTown.page).text
            #expect(revoked.contains("it has probably been called off"), "\(revoked)")
            #expect(revoked.contains("Leave at"), "the lines are used again")
        }
    }

    @Test("who changes the day into one that does not work out sees that, and gets no message")
    func ownChange() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            try await visitor.add(CalendarTown.event("Breakfast", "10:00", "11:00", at: 100))
            let path = try await visitor.add(
                CalendarTown.event("Design review", "11:20", "12:00", at: 1_900)
            )
            _ = try await visitor.get(CalendarTown.page)
            let early = CalendarTown.event("Design review", "11:02", "12:00", at: 1_900)
            let warned = try await visitor.change(path, early)
            #expect(warned.status == 422 || warned.text.contains("Save anyway"), "\(warned.text)")
            #expect(try await waiting(town) == 0)
        }
    }

    @Test("a strike that leaves another way: the page says by which means one goes now, and why")
    func otherMeans() async throws {
        try publish(strike: false)
        let feed = "italian-strikes \(address)/strikes.xml"
        try await CalendarTown.open(["feeds.strikes": feed]) { town in
            let visitor = try await town.passenger()
            try await visitor.add(CalendarTown.event("Breakfast", "10:00", "11:00", at: 100))
            // The metro of 11:45 is there seven minutes before, as people like it.
            try await visitor.add(CalendarTown.event("Design review", "11:55", "13:00", at: 1_900))
            let pages = Site(town.site.installation).features.calendar
            try await fetch(town, pages, after: 1, "the register is read") {
                town.site.installation.feeds.statuses[0].knownSince != nil
            }
            let before = try await visitor.get(CalendarTown.page).text
            #expect(before.contains("M1") && !before.contains("so this had to change"), "\(before)")
            try publish(strike: true)
            try await fetch(town, pages, after: 2, "the strike is known") {
                town.site.installation.cities.current.cities[0].planner.disruptions.all.count == 1
            }
            for time in ["at once", "until the next change"] {
                let after = try await visitor.get(CalendarTown.page).text
                #expect(!after.contains("notice warn conflict"), "\(after)")
                #expect(
                    after.contains("The news about strikes changed, so this had to change:"),
                    "\(time): \(after)"
                )
                #expect(after.contains("Journey to Design review: "), "\(time)")
            }
        }
    }

    // MARK: Traffic

    /// Publishes how fast one drives on both streets of the town on Saturdays; nil as usual.
    private func publish(kilometresPerHour: Int?) throws {
        let streets: [Int32] = kilometresPerHour == nil ? [] : [0, 20_000]
        let lines = streets.map { north in
            let ends = [0.0, 2_000].map { metres in
                let place = RideTown.place(metres)
                let latitude = Double(place.latitude + north) / 1e7
                return "[\(place.longitudeDegrees), \(latitude)]"
            }
            return """
                {"type": "Feature",
                "geometry": {"type": "LineString", "coordinates": [\(ends.joined(separator: ","))]},
                "properties": {"both_ways": true, "speeds": [
                {"hours": "Sa 06:00-22:00", "kmh": \(kilometresPerHour ?? 0)}]}}
                """
        }
        try folder.write(
            "{\"type\": \"FeatureCollection\", \"features\": [\(lines.joined(separator: ","))]}",
            to: "traffic.json"
        )
    }

    @Test("V47, V60: a jam in the way of a planned drive: its owner is told, and the day says it")
    func jam() async throws {
        try publish(kilometresPerHour: nil)
        try await CalendarTown.open(["feeds.roads": "traffic \(address)/traffic.json"]) { town in
            let visitor = try await town.passenger()
            let base = CalendarTown.base(at: 0) + ["means": "car", "relax": "none"]
            let kept = try await visitor.submit(base, on: "/calendar/settings")
            #expect(kept.status == 303, "\(kept.text)")
            try await visitor.add(CalendarTown.event("Breakfast", "10:00", "11:00", at: 100))
            try await visitor.add(CalendarTown.event("Design review", "11:30", "12:00", at: 1_900))
            let pages = Site(town.site.installation).features.calendar
            try await fetch(town, pages, after: 1, "the traffic is read") {
                town.site.installation.feeds.statuses[0].knownSince != nil
            }
            let before = try await visitor.get(CalendarTown.page).text
            #expect(before.contains("Leave at") && !before.contains("notice warn conflict"))
            // The streets are two kilometres long: an hour at walking pace.
            try publish(kilometresPerHour: 2)
            let matched: @Sendable () -> Int = {
                town.site.installation.cities.current.cities[0].planner.traffic.matchedCount
            }
            try await fetch(town, pages, after: 2, "the jam is known") { matched() == 2 }
            try await town.site.until("a message waits") { try await waiting(town) == 1 }
            let after = try await visitor.get(CalendarTown.page).text
            #expect(
                after.contains("You can&#39;t reach “Design review” in time after “Breakfast”."),
                "\(after)"
            )
            try await fetch(town, pages, after: 3, "nothing has changed") { matched() == 2 }
            #expect(try await waiting(town) == 1, "people are told once")
        }
    }

    // MARK: Rain

    /// Lets the only person of a calendar use means.
    static func allow(_ means: Set<TravelMeans>, _ town: RideTown) async throws {
        let agenda = town.site.installation.agenda
        let span = CivilDate(daysSince1970: 20_834).span(in: agenda.zone.table)
        let everybody = try await agenda.peopleToPlan(
            on: CivilDate(daysSince1970: 20_834),
            span,
            isAgain: true,
            limit: 9
        )
        let person = try #require(everybody.first)
        var settings = try await agenda.settings(of: person)
        settings.means = means
        try await agenda.keep(settings, of: person)
    }

    /// Publishes a forecast of hours in which it rains, in UTC on the day of the entries.
    func publish(rain hours: Range<Int>) throws {
        let times = (0..<48).map { hour in
            "\"2027-01-\(15 + hour / 24)T\(hour % 24 < 10 ? "0" : "")\(hour % 24):00\""
        }
        let chance = (0..<48).map { hours.contains($0 - 24) ? "80" : "0" }
        let amounts = (0..<48).map { hours.contains($0 - 24) ? "1.5" : "0.0" }
        try folder.write(
            """
            {"latitude": 45.46, "longitude": 9.19, "utc_offset_seconds": 0, "timezone": "GMT",
            "hourly_units": {"time": "iso8601", "precipitation": "mm",
            "precipitation_probability": "%"},
            "hourly": {"time": [\(times.joined(separator: ","))],
            "precipitation": [\(amounts.joined(separator: ","))],
            "precipitation_probability": [\(chance.joined(separator: ","))]}}
            """,
            to: "weather.json"
        )
    }

    @Test("rain that is forecast turns the bicycle of a planned day into another means, with why")
    func rain() async throws {
        try await open(rain: 40..<41) { town, visitor in
            _ = try await visitor.submit(
                CalendarTown.base(at: 0) + ["means": "bicycle", "relax": "none"],
                on: "/calendar/settings"
            )
            let kept = try await visitor.submit(["rain": "dry"], on: "/calendar/hours")
            #expect(kept.status == 303, "\(kept.text)")
            let event = CalendarTown.event("Design review", "09:00", "10:00", at: 1_500)
            try await visitor.add(event)
            let dry = try await visitor.get(CalendarTown.page).text
            #expect(dry.contains("Leave at") && !dry.contains("Not by bicycle"), "\(dry)")
            #expect(dry.contains("cycle"))
            // Until nine in Rome: a sum is that of the hour before, in UTC.
            try publish(rain: 1..<9)
            _ = await town.site.installation.feeds.poll(
                Instant(town.site.clock.now).adding(seconds: 7_200)
            )
            let stuck = try await visitor.get(CalendarTown.page).text
            #expect(stuck.contains("You can&#39;t reach"), "\(stuck)")
            try await Self.allow([.walk, .transit, .bicycle], town)
            let wet = try await visitor.get(CalendarTown.page).text
            #expect(wet.contains("Not by bicycle: rain 80% at 08:"), "\(wet)")
            #expect(wet.contains("Rain: "), "who walks gets wet")
        }
    }

    @Test(
        "V19: an entry alone is not reached by bicycle in the rain, where its owner asks for that"
    )
    func rainOfEntry() async throws {
        try await open(rain: 1..<9) { town, visitor in
            _ = try await visitor.submit(
                CalendarTown.base(at: 0) + ["means": "bicycle"],
                on: "/calendar/settings"
            )
            let event = CalendarTown.event("Design review", "09:00", "10:00", at: 1_500)
            let path = try await visitor.add(event)
            try await Self.allow([.walk, .bicycle], town)
            let wet = try await visitor.get(CalendarTown.page).text
            #expect(wet.contains("cycle"), "\(wet)")
            let form = try await visitor.get(path).text
            #expect(form.contains("Not by bicycle in the rain"))
            let changed = try await visitor.change(path, ["rain": "dry", "aim": "cheap"])
            #expect(changed.status == 303, "\(changed.text)")
            let day = try await visitor.get(CalendarTown.page).text
            let way = try #require(day.components(separatedBy: "Design review").first)
            #expect(day.contains("Leave at") && !way.contains("cycle"), "\(day)")
            let details = try await town.details(of: visitor)
            #expect(details.avoidsRain && details.aim == .cheap)
            // Where nothing but the bicycle gets there, the journey says what it does not keep to.
            try await Self.allow([.bicycle], town)
            let only = try await visitor.get(CalendarTown.page).text
            #expect(only.contains("cycle") && only.contains(/[Rr]ain 80% at 08:/), "\(only)")
        }
    }
}
