import Streets
import TestSupport
import Testing

@testable import CityData

@Suite("Turn restrictions and barriers (issue 2: turn restrictions, also via ways, `except=`)")
struct StreetTurnTests {
    /// A crossing of four streets at node 5, and a detour from the north to the east.
    private let crossing = """
        node 1 0 100
        node 2 100 0
        node 3 0 -100
        node 4 -100 0
        node 5 0 0
        way 10 1 5 highway=residential name=North
        way 11 2 5 highway=residential name=East
        way 12 5 3 highway=residential name=South
        way 13 5 4 highway=residential name=West
        way 14 3 2 highway=residential name=Detour

        """

    private func seconds(
        _ relation: String,
        _ profile: Profile,
        _ from: Int64,
        _ to: Int64
    )
        throws -> Int?
    {
        try StreetScene(crossing + relation).seconds(profile, from, to)
    }

    @Test("without restrictions one turns everywhere")
    func free() throws {
        // 200 m at 25 km/h.
        #expect(try seconds("", .car, 1, 2) == 29)
    }

    @Test("no_left_turn forbids one turn to those who ride and drive, never to those on foot")
    func noLeftTurn() throws {
        let relation = "relation 1 from:w10 via:n5 to:w11 type=restriction restriction=no_left_turn"
        // 100 + 100 + 141 m through the south.
        #expect(try seconds(relation, .car, 1, 2) == 49)
        #expect(try seconds(relation, .taxi, 1, 2) == 49)
        #expect(try seconds(relation, .bicycle, 1, 2) == 82)
        #expect(try seconds(relation, .foot, 1, 2) == 150)
        #expect(try seconds(relation, .car, 2, 1) == 29, "the other direction is free")
        #expect(try seconds(relation, .car, 4, 2) == 29, "from elsewhere it is free")
    }

    @Test("only_straight_on forbids all other turns")
    func onlyStraightOn() throws {
        let relation =
            "relation 1 from:w10 via:n5 to:w12 type=restriction restriction=only_straight_on"
        #expect(try seconds(relation, .car, 1, 3) == 29)
        #expect(try seconds(relation, .car, 1, 2) == 49)
        // To the south, a U-turn, and back.
        #expect(try seconds(relation, .car, 1, 4) == 58)
    }

    @Test("exceptions and restrictions of one kind of vehicle bind as they say")
    func exceptions() throws {
        let base = "relation 1 from:w10 via:n5 to:w11 type=restriction "
        let taxi = base + "restriction=no_left_turn except=psv"
        #expect(try seconds(taxi, .taxi, 1, 2) == 29)
        #expect(try seconds(taxi, .car, 1, 2) == 49)
        let both = base + "restriction=no_left_turn except=taxi;bicycle"
        #expect(try seconds(both, .bicycle, 1, 2) == 48)
        #expect(try seconds(both, .car, 1, 2) == 49)
        let bicycle = base + "restriction:bicycle=no_left_turn"
        #expect(try seconds(bicycle, .bicycle, 1, 2) == 82)
        #expect(try seconds(bicycle, .car, 1, 2) == 29)
        let lorry = base + "restriction:hgv=no_left_turn"
        #expect(try StreetScene(crossing + lorry).report.restrictions == 0)
        let sometimes = base + "restriction:conditional=no_left_turn·@·(Mo-Fr)"
        #expect(try StreetScene(crossing + sometimes).report.copies == 0)
    }

    @Test("restrictions with several members and via ways bind")
    func viaWay() throws {
        let town = """
            node 1 0 0
            node 2 100 0
            node 3 100 20
            node 4 0 20
            node 5 200 0
            node 6 200 20
            way 10 1 2 highway=secondary oneway=yes name=There
            way 11 2 5 highway=secondary oneway=yes name=On
            way 12 2 3 highway=secondary name=Gap
            way 13 6 3 highway=secondary oneway=yes name=Back
            way 14 3 4 highway=secondary oneway=yes name=Home
            way 15 5 6 highway=secondary oneway=yes name=Turn

            """
        #expect(try StreetScene(town).seconds(.car, 1, 4) == 14)
        let noTurn = "relation 1 from:w10 via:w12 to:w14 type=restriction restriction=no_u_turn"
        // 420 m round the end at 55 km/h.
        #expect(try StreetScene(town + noTurn).seconds(.car, 1, 4) == 27)
        let noExit = "relation 1 from:w10 via:n2 to:w11 to:w12 type=restriction restriction=no_exit"
        let scene = try StreetScene(town + noExit)
        #expect(scene.seconds(.car, 1, 4) == nil)
        #expect(scene.report.brokenRestrictions == 0)
        let onlyOn = "relation 1 from:w10 via:w11 to:w15 type=restriction restriction=only_u_turn"
        #expect(try StreetScene(town + onlyOn).seconds(.car, 1, 4) == 14)
    }

    @Test("restrictions that name absent members are counted, not followed")
    func broken() throws {
        for relation in [
            "relation 1 from:w10 via:n5 type=restriction restriction=no_left_turn",
            "relation 1 from:w10 via:n5 to:w99 type=restriction restriction=no_left_turn",
            "relation 1 from:w10 via:n1 to:w11 type=restriction restriction=no_left_turn",
            "relation 1 from:w10 via:w99 to:w11 type=restriction restriction=no_left_turn",
            "relation 1 from:w10 via:n5 to:w11 type=restriction restriction=nonsense",
        ] {
            let scene = try StreetScene(crossing + relation)
            #expect(scene.report.brokenRestrictions == 1, "\(relation)")
            #expect(scene.seconds(.car, 1, 2) == 29)
        }
    }

    @Test("a bollard stops cars, which can drive up to it from both sides and turn round")
    func bollard() throws {
        let scene = try StreetScene(
            """
            node 1 0 0
            node 2 100 0 barrier=bollard
            node 3 200 0
            way 10 1 2 3 highway=residential
            """
        )
        #expect(scene.seconds(.car, 1, 3) == nil)
        #expect(scene.seconds(.car, 1, 2) == 14)
        #expect(scene.seconds(.car, 3, 2) == 14)
        #expect(scene.seconds(.bicycle, 1, 3) == 48)
        #expect(scene.seconds(.wheelchair, 1, 3) == 200)
    }

    @Test(
        "barriers keep out whom they say",
        arguments: [
            ("barrier=gate", "foot wheelchair bicycle car taxi"),
            ("barrier=gate locked=yes", ""),
            ("barrier=gate access=private", "car taxi"),
            ("barrier=gate access=no foot=yes", "foot wheelchair bicycle"),
            ("barrier=lift_gate motor_vehicle=no", "foot wheelchair bicycle"),
            ("barrier=bollard bollard=rising taxi=yes", "foot wheelchair bicycle car taxi"),
            ("barrier=bollard taxi=yes", "foot wheelchair bicycle taxi"),
            ("barrier=cycle_barrier", "foot bicycle"),
            ("barrier=stile", "foot"),
            ("barrier=kerb kerb=raised", "foot bicycle"),
            ("barrier=kerb kerb=lowered", "foot wheelchair bicycle car taxi"),
            ("kerb=raised", "foot bicycle car taxi"),
            ("barrier=wall", ""),
            ("barrier=entrance", "foot wheelchair bicycle car taxi"),
            ("highway=crossing bicycle=no", "foot wheelchair bicycle car taxi"),
        ]
    )
    func barriers(tags: String, allowed: String) throws {
        let scene = try StreetScene(
            """
            node 1 0 0
            node 2 100 0 \(tags)
            node 3 200 0
            way 10 1 2 3 highway=residential
            """
        )
        let open = Profile.allCases.filter { scene.milliseconds($0, 1, 3) != nil }
        #expect(open.map { "\($0)" }.joined(separator: " ") == allowed)
    }
}
