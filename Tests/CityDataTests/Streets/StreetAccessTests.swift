import Streets
import Testing

@testable import CityData

@Suite("Access and speeds (issue 2: access by mode; OSM wiki, Key:access)")
struct StreetAccessTests {
    /// Returns the seconds for 1,000 m in each direction for each profile, or "-".
    private func passages(_ tags: String) throws -> String {
        // An adjacent residential street keeps both vertices in the network.
        let scene = try StreetScene(
            """
            node 1 0 0
            node 2 1000 0
            node 3 1000 50
            way 11 2 3 highway=residential name=Other
            way 12 1 3 highway=construction
            way 10 1 2 \(tags)
            """
        )
        guard scene.vertex(1) != nil else { return "none" }
        return Profile.allCases.map { profile in
            let there = scene.seconds(profile, 1, 2).map { "\($0)" } ?? "-"
            let back = scene.seconds(profile, 2, 1).map { "\($0)" } ?? "-"
            return there == back ? there : "\(there)/\(back)"
        }.joined(separator: " ")
    }

    @Test(
        "every way is open to whom its tags say, at the speed of its kind",
        arguments: [
            // foot, wheelchair, bicycle, car, taxi
            ("highway=residential", "752 1000 240 144 144"),
            ("highway=motorway", "- - - 40/- 40/-"),
            ("highway=primary maxspeed=50", "752 1000 240 90 90"),
            ("highway=primary maxspeed=30·mph", "752 1000 240 93 93"),
            ("highway=secondary maxspeed=IT:urban", "752 1000 240 90 90"),
            ("highway=secondary maxspeed:forward=30 maxspeed=50", "752 1000 240 150/90 150/90"),
            ("highway=footway", "752 1000 901 - -"),
            ("highway=footway bicycle=designated", "752 1000 277 - -"),
            ("highway=path", "752 1000 277 - -"),
            ("highway=cycleway", "752 1000 240 - -"),
            ("highway=cycleway foot=no", "- - 240 - -"),
            ("highway=pedestrian", "752 1000 901 - -"),
            ("highway=pedestrian motor_vehicle=permit taxi=yes", "752 1000 901 1351 450"),
            ("highway=steps", "1667 - 2500 - -"),
            ("highway=steps ramp:bicycle=yes ramp:wheelchair=yes", "1667 1667 1429 - -"),
            ("highway=steps conveying=forward", "2000/- - - - -"),
            ("highway=track surface=gravel", "885 2500 600 - -"),
            ("highway=track motor_vehicle=yes", "752 1000 300 300 300"),
            ("railway=platform", "752 1000 901 - -"),
            ("route=ferry", "357 357 357 - -"),
            ("route=ferry motor_vehicle=yes", "357 357 357 357 357"),
            ("highway=construction", "none"),
            ("highway=residential access=private", "- - - 432 432"),
            ("highway=service access=private", "none"),
            ("highway=service access=private foot=yes", "752 1000 901 - -"),
            ("highway=residential access=no", "none"),
            ("highway=residential access=destination", "752 1000 240 432 432"),
            ("highway=residential motor_vehicle=destination taxi=yes", "752 1000 240 432 144"),
            ("highway=residential motor_vehicle=no psv=yes", "752 1000 240 - 144"),
            ("highway=residential vehicle=no bicycle=yes", "752 1000 240 - -"),
            ("highway=residential vehicle=no", "752 1000 901 - -"),
            ("highway=residential motor_vehicle:backward=no", "752 1000 240 144/- 144/-"),
            ("highway=residential bicycle=dismount", "752 1000 901 144 144"),
            ("highway=residential sidewalk=separate", "752 1000 240 144 144"),
            ("highway=residential wheelchair=no", "752 - 240 144 144"),
            ("highway=residential oneway=yes", "752 1000 240/901 144/- 144/-"),
            ("highway=residential oneway=-1", "752 1000 901/240 -/144 -/144"),
            ("highway=residential oneway=-1;yes", "752 1000 240 144 144"),
            ("highway=residential oneway=yes oneway:bicycle=no", "752 1000 240 144/- 144/-"),
            ("highway=residential oneway=yes cycleway=opposite", "752 1000 240 144/- 144/-"),
            (
                "highway=residential oneway=yes cycleway:left=opposite_lane",
                "752 1000 240 144/- 144/-"
            ),
            (
                "highway=residential oneway=yes cycleway:left=lane cycleway:left:oneway=-1",
                "752 1000 240 144/- 144/-"
            ),
            ("highway=residential oneway=yes oneway:psv=no", "752 1000 240/901 144/- 144"),
            ("highway=residential oneway=yes psv=opposite_lane", "752 1000 240/901 144/- 144"),
            ("highway=residential oneway=reversible", "752 1000 240 - -"),
            ("highway=residential junction=roundabout", "752 1000 240/- 144/- 144/-"),
            ("highway=busway taxi=yes", "- - - - 240"),
            ("highway=service service=emergency_access", "752 1000 240 - -"),
            ("highway=residential surface=cobblestone", "752 1667 514 144 144"),
            ("highway=footway incline=8%", "752 2000 901 - -"),
            ("highway=footway incline=15%", "752 - 901 - -"),
            ("highway=footway smoothness=horrible", "752 - 901 - -"),
            ("highway=footway width=0,5", "752 - 901 - -"),
            ("highway=footway surface=sand", "1253 - 901 - -"),
        ]
    )
    func ways(tags: String, expected: String) throws {
        #expect(try passages(tags) == expected)
    }

    @Test("speed limits are read in all their forms")
    func limits() {
        #expect(StreetSpeed.limit("50") == 50)
        #expect(StreetSpeed.limit("30; 70") == 30)
        #expect(StreetSpeed.limit("20 mph").map { Int($0) } == 32)
        #expect(StreetSpeed.limit("20mph").map { Int($0) } == 32)
        #expect(StreetSpeed.limit("IT:zone30") == 30)
        #expect(StreetSpeed.limit("DE:zone:20") == 20)
        #expect(StreetSpeed.limit("walk") == 10)
        #expect((StreetSpeed.limit("none") ?? 0) > 100)
        for text in ["", " ", "-5", "fast", "1e400", "nan", "inf", "50 bananas", ";", "99999"] {
            #expect(StreetSpeed.limit(text) == nil, "\(text)")
        }
    }

    @Test("restricted-traffic areas, shelter and roundabouts are marked")
    func features() throws {
        func features(_ tags: String) throws -> StreetFeatures? {
            try StreetScene(
                """
                node 1 0 0
                node 2 100 0
                way 10 1 2 \(tags)
                """
            ).draft.edges.first?.features
        }
        #expect(try features("highway=pedestrian") == [.restrictedTraffic])
        #expect(
            try features("highway=residential motor_vehicle=permit")
                == [.restrictedTraffic, .destinationOnly]
        )
        #expect(try features("highway=residential motor_vehicle=no") == [])
        #expect(
            try features("highway=residential motor_vehicle=no taxi=yes") == [.restrictedTraffic]
        )
        #expect(try features("highway=footway tunnel=yes") == [.tunnel])
        #expect(try features("highway=footway tunnel=building_passage") == [.covered])
        #expect(try features("highway=footway covered=arcade bridge=yes") == [.covered, .bridge])
        #expect(try features("highway=residential junction=roundabout") == [.roundabout])
        #expect(try features("highway=residential surface=sett toll=yes") == [.uneven, .toll])
    }
}
