import Chronology
import CityData
import Foundation
import Journeys
import LiveFeeds
import TestSupport
import Testing
import Transit
import TripPlanning

@testable import OpenData

/// Strikes and alerts (V53, V49): issue 33, point 4.
@Suite("Disruptions of public transport")
struct DisruptionTests {
    private let town: TripTown

    init() throws {
        town = try TripTown()
    }

    // MARK: Strikes

    private static let atm = "atm: Azienda, local, Lombardia, Milano, 00:00-07:00, 15:00-18:00"

    private func notice(
        staff: String = "PERSONALE SOC. ATM DI MILANO",
        hours: String = "24 ORE",
        region: String = "Lombardia",
        province: String = "Milano",
        sector: String = "Trasporto pubblico locale"
    ) throws -> StrikeNotice {
        let day = try #require(CivilDate(iso8601: "2014-10-20"))
        return StrikeNotice(
            id: "http://scioperi.mit.gov.it/1",
            firstDay: day,
            lastDay: day,
            sector: sector,
            relevance: "Locale",
            region: region,
            province: province,
            unions: "",
            staff: staff,
            hoursText: hours
        )
    }

    private func disruptions(
        _ strikes: [TrackedStrike] = [],
        _ operators: [String] = [Self.atm],
        alerts: [ServiceAlert] = []
    ) throws -> Disruptions {
        var world = LiveWorld()
        world.strikes = strikes
        world.alerts = [("city", alerts)]
        return Disruptions(
            world,
            town.city.timetable,
            operators.compactMap { StrikeOperator($0) },
            now: try town.time("08:00")
        )
    }

    private func answer(
        _ disruptions: Disruptions,
        modes: TripModes = TripModes(),
        day: String = "2014-10-20"
    ) throws -> Result<TripAnswer, TripFailure> {
        var question = try town.question(modes: modes)
        let moment = try #require(LocalTime(iso8601: "\(day)T08:00"))
        question.time = moment.instant(in: town.city.timetable.zone)
        var search = TripSearch(disruptions.applied(to: CitySnapshot(town.city)))
        let conditions = TripConditions(
            LiveWorld(),
            now: question.time,
            disruptions: disruptions
        )
        return Result { () throws(TripFailure) in
            try search.answer(question, conditions: conditions)
        }
    }

    private func hours(_ disruption: Disruption) -> [String] {
        disruption.spans.map { span in
            [span.lowerBound, span.upperBound].map {
                LocalTime($0, in: town.city.timetable.zone).clockTime()
            }.joined(separator: "-")
        }
    }

    @Test("a line on strike is not ridden, the reason is said, and the day after is as usual")
    func strike() throws {
        let strike = TrackedStrike(try notice(), missingSince: nil)
        let found = try disruptions([strike])
        #expect(found.all.count == 1)
        #expect(hours(found.all[0]) == ["07:00-15:00", "18:00-00:00"])
        let today = try answer(found).get()
        #expect(today.options.allSatisfy { $0.kind == .walk })
        #expect(
            today.disruptions.map { $0.text(in: town.city.timetable.zone) }
                == [
                    "strike of Azienda: its lines are not used "
                        + "2014-10-20 07:00 to 15:00, 18:00 to 24:00"
                ]
        )
        let tomorrow = try answer(found, day: "2014-10-21").get()
        #expect(tomorrow.options.contains { $0.kind == .transit })
        #expect(tomorrow.disruptions.isEmpty)
    }

    @Test("where nothing else was asked for, there is no way, because of the strike")
    func noWay() throws {
        let found = try disruptions([TrackedStrike(try notice(), missingSince: nil)])
        let modes = TripModes(walk: false, transit: TransitMode.all)
        guard case .failure(.disrupted(let reasons)) = try answer(found, modes: modes) else {
            Issue.record("there is a way, or another reason")
            return
        }
        #expect(reasons.map(\.isStrike) == [true])
    }

    @Test("a strike that is probably revoked closes nothing and is mentioned")
    func revoked() throws {
        let gone = TrackedStrike(try notice(), missingSince: try town.time("07:00"))
        let today = try answer(try disruptions([gone])).get()
        #expect(today.options.contains { $0.kind == .transit })
        #expect(today.disruptions.map(\.isRevoked) == [true])
    }

    @Test(
        "a notice concerns a company that it names, or a whole branch of its province",
        arguments: [
            (
                "PERSONALE SOC. ATM DI MILANO", "Lombardia", "Milano", "Trasporto pubblico locale",
                true
            ),
            ("PERSONALE GRUPPO ATM", "Lombardia", "Tutte", "Trasporto pubblico locale", true),
            ("PERSONALE SOC. ATMA", "Lombardia", "Milano", "Trasporto pubblico locale", false),
            (
                "PERSONALE SOC. ATAF DI FOGGIA", "Puglia", "Foggia", "Trasporto pubblico locale",
                false
            ),
            ("PERSONALE SETTORE TPL", "Lombardia", "Milano", "Trasporto pubblico locale", true),
            ("PERSONALE SETTORE TPL", "Toscana", "Firenze", "Trasporto pubblico locale", false),
            ("SCIOPERO GENERALE", "Italia", "Tutte", "Generale", true),
            ("PERSONALE SETTORE AEREO", "Italia", "Tutte", "Aereo", false),
        ]
    )
    func concerned(
        staff: String,
        region: String,
        province: String,
        sector: String,
        isConcerned: Bool
    ) throws {
        let notice = try notice(staff: staff, region: region, province: province, sector: sector)
        let found = try disruptions([TrackedStrike(notice, missingSince: nil)])
        #expect(found.all.isEmpty == !isConcerned)
    }

    @Test("hours of the notice count, and those of another branch do not")
    func statedHours() throws {
        let four = try notice(hours: "4 ORE: DALLE 8.30 ALLE 12.30")
        let exact = try disruptions([TrackedStrike(four, missingSince: nil)])
        #expect(hours(try #require(exact.all.first)) == ["08:30-12:30"])
        let mixed = try notice(
            staff: "SCIOPERO GENERALE",
            hours: "FERROVIARIO: DALLE 09.01 ALLE 17.00 / TPL: DALLE 10.00 ALLE 14.00",
            sector: "Generale"
        )
        let local = try disruptions([TrackedStrike(mixed, missingSince: nil)])
        #expect(hours(try #require(local.all.first)) == ["10:00-14:00"])
    }

    @Test("without a configured company, notices concern the agencies that they name")
    func named() throws {
        let own = try notice(staff: "PERSONALE SOC. AZIENDA", hours: "4 ORE: DALLE 8.30 ALLE 12.30")
        #expect(try disruptions([TrackedStrike(own, missingSince: nil)], []).all.count == 1)
        #expect(try disruptions([TrackedStrike(try notice(), missingSince: nil)], []).all.isEmpty)
    }

    @Test("a malformed company is refused")
    func malformed() {
        for text in [
            "", "atm", "atm: ATM", "atm: ATM, tram, Lombardia, Milano",
            "atm: ATM, local, Lombardia, Milano, 8-9", ": ATM, local, Lombardia, Milano",
            "atm: ATM, local, Lombardia, Milano, 18:00-15:00", "atm: , local, Lombardia, Milano",
        ] {
            #expect(StrikeOperator(text) == nil, "\(text)")
        }
        #expect(StrikeOperator(Self.atm)?.guaranteed == [0..<420, 900..<1_080])
    }

    @Test("the register of October 2026 stops ATM's lines on 9 October but in guaranteed hours")
    func realRegister() throws {
        let path = "strikes/mit_rss_2026-10-06.xml"
        try RealData.require(path)
        let bytes = Array(try Data(contentsOf: RealData.url(path)))
        let strikes = try StrikeRegister(bytes).notices.entries.map {
            TrackedStrike($0, missingSince: nil)
        }
        let company = "atm: Azienda, local, Lombardia, Milano, 00:00-08:45, 15:00-18:00"
        let found = try disruptions(strikes, [company]).all.filter { disruption in
            disruption.spans.contains {
                town.city.timetable.zone.local($0.lowerBound).date.iso8601 == "2026-10-09"
            }
        }
        // Two unions have called it.
        #expect(found.count == 2)
        for strike in found { #expect(hours(strike) == ["08:45-15:00", "18:00-00:00"]) }
    }

    // MARK: Alerts

    private func alert(
        _ effect: ServiceAlert.Effect,
        cause: ServiceAlert.Cause = .construction,
        _ entity: ServiceAlert.Entity,
        from: String = "07:00",
        to: String = "09:00"
    ) throws -> ServiceAlert {
        ServiceAlert(
            id: "a",
            periods: [.init(start: try town.time(from), end: try town.time(to))],
            entities: [entity],
            cause: cause,
            effect: effect,
            severity: .warning,
            header: LocalizedText("Lavori"),
            details: LocalizedText([]),
            url: LocalizedText([])
        )
    }

    private func lines(_ answer: TripAnswer) -> Set<String> {
        Set(answer.options.flatMap(\.steps).compactMap { $0.ride?.routeID })
    }

    @Test("a line out of service is not ridden; one with delays is, and the alert is shown")
    func alerts() throws {
        let usual = lines(try answer(try disruptions()).get())
        #expect(usual == ["one", "two", "three"])
        let closed = try alert(.noService, .init(routeID: "two"))
        let without = try answer(try disruptions(alerts: [closed])).get()
        #expect(lines(without) == ["one"])
        #expect(without.disruptions.map(\.isClosing) == [true])
        let late = try alert(.significantDelays, .init(routeID: "two"))
        let with = try answer(try disruptions(alerts: [late])).get()
        #expect(lines(with) == usual)
        #expect(with.disruptions.map(\.isClosing) == [false])
        let other = try alert(.noService, .init(routeID: "two"), from: "12:00", to: "13:00")
        #expect(lines(try answer(try disruptions(alerts: [other])).get()) == usual)
    }

    @Test("what a strike reduces or delays is not counted on")
    func strikeAlert() throws {
        let reduced = try alert(.reducedService, cause: .strike, .init(routeType: 0))
        let found = try answer(try disruptions(alerts: [reduced])).get()
        #expect(lines(found) == ["one"])
        #expect(found.disruptions.map(\.isStrike) == [true])
    }

    @Test("a closed stop, a cancelled trip and an agency are found by their identifiers")
    func selectors() throws {
        let stop = try answer(try disruptions(alerts: [try alert(.noService, .init(stopID: "M"))]))
        #expect(lines(try stop.get()) == ["one"], "nobody changes at a closed stop")
        let trip = try alert(.noService, .init(tripID: "slow", tripDate: "20141020"))
        #expect(lines(try answer(try disruptions(alerts: [trip])).get()) == ["two", "three"])
        let agency = try alert(.noService, .init(agencyID: "A"))
        #expect(lines(try answer(try disruptions(alerts: [agency])).get()).isEmpty)
        let foreign = try alert(.noService, .init(agencyID: "B"))
        #expect(lines(try answer(try disruptions(alerts: [foreign])).get()).count == 3)
        let nothing = try alert(.noService, .init())
        #expect(try disruptions(alerts: [nothing]).all.isEmpty, "an alert about everything")
    }
}
