import Columns
import Foundation
import Geo
import OpenData
import Streets
import TestSupport
import Testing

@testable import CityData

/// Issue 31, point 6: ways with rules for certain hours are obeyed.
@Suite("Rules of streets for certain hours")
struct StreetHoursTests {
    /// The minute of a time such as `Tu 07:30`.
    private static func minute(_ text: String) throws -> UInt16 {
        let days = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]
        let day = try #require(days.firstIndex(of: String(text.prefix(2))))
        let parts = text.dropFirst(3).split(separator: ":").compactMap { Int($0) }
        return UInt16(day * 1_440 + parts[0] * 60 + parts[1])
    }

    private static func week(_ text: String) throws -> WeekMoment {
        WeekMoment(milliseconds: Int64(try minute(text)) * 60_000)
    }

    @Test(
        "opening hours as real maps write them",
        arguments: [
            ("07:20-20:00", "Mo 07:20, Su 19:59", "Mo 07:19, Su 20:00"),
            ("22:00-06:00", "Mo 22:00, Tu 05:59, Mo 00:00, Su 23:59", "Mo 06:00, Su 21:59"),
            (
                "Tu 06:00-17:00; Sa 06:00-22:00", "Tu 06:00, Sa 21:59",
                "Mo 12:00, Tu 17:00, Su 12:00"
            ),
            ("Mo-Sa 07:30-09:00, 17:00-19:30; PH off", "Mo 07:30, Sa 19:29", "Su 08:00, Mo 09:00"),
            ("00:00-07:30,09:30-17:30,19:30-24:00", "Fr 00:00, Fr 23:59", "Fr 07:30, Fr 17:30"),
            (
                "Mo-Fr 09:00-12:00, 15-17; Sa 10:00-17:00", "We 16:59, Sa 12:00",
                "We 12:00, Su 11:00"
            ),
            ("Su, Mo-Sa 20:00-06:00", "Su 20:00, Mo 05:59, Th 21:00", "Su 12:00, Mo 06:00"),
            ("Sa,Su,PH 07:00-20:00", "Sa 07:00, Su 19:59", "Mo 08:00, Sa 20:00"),
            ("Tu-Su 12:00-19:00; Th 12:00-21:00", "Th 20:59, Su 18:00", "We 19:00, Mo 13:00"),
            ("Mo-Fr 00:00-09:00,19:00-00:00", "Mo 08:59, Fr 23:59", "Mo 09:00, Sa 00:00"),
            ("Fr-Mo 10:00-11:00", "Fr 10:00, Su 10:59, Mo 10:00", "Tu 10:00, Th 10:30"),
            ("10:30:00-12:30:00", "We 10:30", "We 12:30"),
            ("Su", "Su 00:00, Su 23:59", "Sa 23:59, Mo 00:00"),
            ("24/7", "Mo 00:00, Su 23:59", ""),
            ("Mo-Su 08:00-09:00; Su off", "Sa 08:00", "Su 08:00"),
            ("PH 00:00-24:00", "", "Mo 00:00, Su 12:00"),
        ]
    )
    func openingHours(text: String, inside: String, outside: String) throws {
        let hours = try #require(WeekHours(openingHours: text[...]))
        for time in inside.split(separator: ", ") {
            #expect(hours.contains(try Self.minute(String(time))), "\(time)")
        }
        for time in outside.split(separator: ", ") {
            #expect(!hours.contains(try Self.minute(String(time))), "\(time)")
        }
    }

    @Test(
        "what is not understood is not guessed",
        arguments: [
            "", "Mo-Fr 17:00,19:00", "Mar-Oct 10:00-16:00", "2020 Mar 02-2020 May 10",
            "sunrise-sunset", "Mo-Xx 08:00-09:00", "08:00", "25:00-26:00", "08:60-09:00", "off",
            "Mo-Fr-Su 08:00-09:00", "-", "08:00-09:00 \"by appointment\"", "week 1-10 Mo",
        ]
    )
    func unclear(text: String) {
        #expect(WeekHours(openingHours: text[...]) == nil)
    }

    @Test("the last clause that holds counts, and only those about the traveller")
    func clauses() throws {
        let tag = ConditionalTag(
            "no @ (Mo-Sa 08:00-20:00); yes @ emergency; destination @ (Sa 10:00-12:00)",
            of: .motorVehicle
        )
        #expect(!tag.isUnclear)
        #expect(tag.value(at: try Self.minute("Mo 08:00")) == "no")
        #expect(tag.value(at: try Self.minute("Sa 11:00")) == "destination")
        #expect(tag.value(at: try Self.minute("Su 11:00")) == nil)
        let joined = ConditionalTag("no @ (Mo-Fr 06:00-22:00) AND (07:00-09:00)", of: .access)
        #expect(joined.value(at: try Self.minute("Mo 08:00")) == "no")
        #expect(joined.value(at: try Self.minute("Mo 06:00")) == nil)
        for text in ["delivery", "no @ (weight>3.5)", "what @ (08:00-09:00)", "no @ wet"] {
            let tag = ConditionalTag(text, of: .access)
            #expect(tag.isUnclear && tag.clauses.isEmpty, "\(text)")
        }
        #expect(!ConditionalTag("60 @ (Su)", of: .maxspeed).isUnclear)
        #expect(ConditionalTag("slow @ (Su)", of: .maxspeed).isUnclear)
    }

    /// A street of 200 m between junctions 2 and 3, closed to motor vehicles on working days from
    /// 7:30, and a way of 1,400 m around it.
    private static let town = """
        node 1 -2000 0
        node 2 0 0
        node 3 200 0
        node 4 2200 0
        node 5 0 600
        node 6 200 600
        way 10 1 2 highway=residential
        way 11 2 3 highway=residential motor_vehicle:conditional=no·@·(Mo-Fr·07:30-19:30)
        way 12 3 4 highway=residential
        way 13 2 5 6 3 highway=residential
        """

    @Test("a departure before the hour passes, one after it goes around; nobody waits")
    func departure() throws {
        let scene = try StreetScene(Self.town)
        #expect(scene.report.conditionalWays == 1 && scene.report.unclearConditions == 0)
        var writer = SectionWriter()
        try writer.add(streets: scene.draft)
        let network = StreetNetwork(try writer.opened())
        let workspace = StreetWorkspace(for: network)
        func metres(_ profile: Profile, _ moment: PassageMoment) throws -> Double {
            let ends = [StreetScene.place(-2_000, 0), StreetScene.place(2_200, 0)]
            let places = try ends.map { place in
                try #require(network.snap(place, for: profile, at: moment).first)
            }
            return network.cost(
                from: places[0],
                to: places[1],
                by: network.metric(profile),
                at: moment,
                using: workspace
            ).metres.rounded()
        }
        #expect(try metres(.car, .departure(Self.week("We 07:00"))) == 4_200)
        #expect(try metres(.car, .departure(Self.week("We 08:00"))) == 5_400)
        // It takes more than a minute to reach the street.
        #expect(try metres(.car, .departure(Self.week("We 07:29"))) == 5_400)
        #expect(try metres(.car, .departure(Self.week("We 19:29"))) == 4_200)
        #expect(try metres(.car, .departure(Self.week("Sa 08:00"))) == 4_200)
        #expect(try metres(.car, .arrival(Self.week("We 07:32"))) == 4_200)
        #expect(try metres(.car, .arrival(Self.week("We 08:00"))) == 5_400)
        #expect(try metres(.car, .always) == 5_400)
        #expect(try metres(.foot, .always) == 4_200)
        #expect(try metres(.bicycle, .always) == 4_200)
    }

    @Test("speed limits, directions and who may pass change with the hour")
    func tags() throws {
        let scene = try StreetScene(
            """
            node 1 0 0
            node 2 500 0
            node 3 1000 0
            node 4 1500 0
            node 5 2000 0
            way 10 1 2 highway=primary maxspeed=70 maxspeed:conditional=30·@·(22:00-06:00)
            way 11 2 3 highway=residential oneway:conditional=yes·@·(Mo·08:00-09:00)
            way 12 3 4 highway=footway access=no foot:conditional=yes·@·(Mo-Fr·09:00-12:00)
            way 13 4 5 highway=residential hgv:conditional=no·@·(Mo-Fr·09:00-12:00)
            """
        )
        #expect(scene.report.conditionalWays == 3 && scene.report.unclearConditions == 0)
        func hours(_ profile: Profile, _ edge: Int, _ eastward: Bool) -> [WeekHours] {
            scene.draft.rules.filter { rule in
                let arc = scene.draft.arcs[Int(rule.arc)]
                let ends = [arc.from, arc.to].map { scene.draft.vertices[Int($0)].longitude }
                return rule.profile == profile && Int(arc.edge) == edge
                    && (ends[0] < ends[1]) == eastward
            }.map { scene.draft.hours[Int($0.hours)] }
        }
        let west = scene.draft.edges.map { $0.geometry.map(\.longitude).min() ?? 0 }
        let edges = scene.draft.edges.indices.sorted { west[$0] < west[$1] }
        let night = try #require(WeekHours(openingHours: "22:00-06:00"))
        let morning = try #require(WeekHours(openingHours: "Mo 08:00-09:00"))
        #expect(hours(.car, edges[0], true) == [night])
        #expect(hours(.car, edges[0], false) == [night] && hours(.foot, edges[0], true) == [])
        #expect(hours(.car, edges[1], false) == [morning] && hours(.car, edges[1], true) == [])
        #expect(hours(.foot, edges[1], false) == [])
        let open = try #require(hours(.foot, edges[2], true).first)
        #expect(!open.contains(try Self.minute("Tu 09:00")))
        #expect(open.contains(try Self.minute("Tu 08:59")))
        #expect(open.contains(try Self.minute("Su 10:00")))
        #expect(Profile.allCases.allSatisfy { hours($0, edges[3], true) == [] })
    }

    @Test(
        "real streets of Milan at named hours",
        .enabled(if: RealData.has("milan/milan.osm.pbf"), RealData.advice)
    )
    func milan() throws {
        let file = try OSMFile(path: RealData.url("milan/milan.osm.pbf").path)
        let (draft, report) = try StreetImport.draft(from: file)
        #expect((50...70).contains(report.conditionalWays))
        #expect(report.unclearConditions == 2)
        var writer = SectionWriter()
        try writer.add(streets: draft)
        let network = StreetNetwork(try writer.opened())
        let workspace = StreetWorkspace(for: network)
        for (name, profile, open, closed) in [
            ("Cavalcavia Renato Serra", .car, "Mo 12:00", "Mo 23:00"),
            ("Cavalcavia Renato Serra", .car, "Tu 06:00", "Tu 05:59"),
            ("Via Benedetto Marcello", .car, "Tu 17:00", "Tu 08:00"),
            ("Via Benedetto Marcello", .car, "We 08:00", "Sa 21:00"),
            ("Via Antonio Cesari", .car, "Mo 07:30", "Mo 08:30"),
            ("Viale Coni Zugna", .car, "We 10:00", "We 08:00"),
            ("Via Crema", .car, "Th 10:00", "Fr 10:00"),
            ("Piazza Sempione", .car, "We 12:00", "We 23:00"),
        ] as [(String, Profile, String, String)] {
            let barred = draft.rules.filter { rule in
                rule.profile == profile && rule.milliseconds == StreetDraft.Arc.closed
                    && draft.names[Int(draft.edges[Int(draft.arcs[Int(rule.arc)].edge)].name)]
                        == name
            }.map { draft.arcs[Int($0.arc)] }
            #expect(!barred.isEmpty, "\(name)")
            for arc in barred {
                let places = [1 as UInt32, 3].map { quarter in
                    StreetPlace(
                        edge: EdgeIndex(rawValue: arc.edge),
                        fraction: (arc.forward ? quarter : 4 - quarter) * StreetPlace.whole / 4,
                        point: draft.edges[Int(arc.edge)].geometry[0],
                        distanceMetres: 0
                    )
                }
                func cost(_ moment: PassageMoment) -> Cost {
                    network.cost(
                        from: places[0],
                        to: places[1],
                        by: network.metric(profile),
                        at: moment,
                        using: workspace
                    )
                }
                #expect(cost(.departure(try Self.week(open))) == cost(.best), "\(name)")
                #expect(cost(.departure(try Self.week(closed))) > cost(.best), "\(name)")
            }
        }
    }
}
