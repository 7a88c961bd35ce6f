import Agenda
import Foundation
import Geo
import TestSupport
import Testing
import WebTestSupport

/// V34, V35: the city says where appointments may be.
@Suite("Coverage of appointments", .serialized)
struct CoverageTests {
    /// A town of which parts are not, or partly, covered, or prohibited.
    private static func open(
        _ body: @escaping @Sendable (RideTown) async throws -> Void
    )
        async throws
    {
        func feature(_ properties: String, around metres: Double) -> String {
            let place = RideTown.place(metres)
            let (north, east) = (place.latitudeDegrees, place.longitudeDegrees)
            let corners = [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1), (-1, -1)]
                .map { "[\(east + $0 * 0.001),\(north + $1 * 0.001)]" }
                .joined(separator: ",")
            return """
                {"type": "Feature", "properties": {\(properties)}, "geometry":
                {"type": "Polygon", "coordinates": [[\(corners)]]}}
                """
        }
        let features = [
            feature("\"coverage\": \"uncovered\"", around: 300),
            feature("\"coverage\": \"partly\"", around: 900),
            feature("\"prohibited\": true, \"name\": \"Barracks\"", around: 1_500),
        ].joined(separator: ",")
        let text = "{\"type\": \"FeatureCollection\", \"features\": [\(features)]}"
        let folder = try TemporaryFolder()
        let file = folder.path("coverage.geojson")
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        try await CalendarTown.open(["coverage": file], body)
    }

    @Test("V34: an appointment in an uncovered area is refused beside its place, and not stored")
    func uncovered() async throws {
        try await Self.open { town in
            let visitor = try await town.passenger()
            let event = CalendarTown.event("Review", "10:00", "11:00", at: 300)
            let refused = try await visitor.submit(event, on: "/calendar/new")
            #expect(refused.status == 422)
            #expect(refused.problem("place")?.contains("No means of transport goes there.") == true)
            #expect(refused.entryFields["title"] == "Review")
            #expect(try await town.entries(of: visitor).isEmpty)
            // Elsewhere it is taken, but not moved there afterwards.
            let path = try await visitor.add(event + ["place": RideTown.typed(1_900)])
            let moved = try await visitor.change(path, ["place": RideTown.typed(300)])
            #expect(moved.status == 422 && moved.problem("place") != nil)
            #expect(try await town.details(of: visitor).place?.position == RideTown.place(1_900))
        }
    }

    @Test("V35: an appointment at a prohibited place is refused with the place's name")
    func prohibited() async throws {
        try await Self.open { town in
            let visitor = try await town.passenger()
            let event = CalendarTown.event("Visit", "10:00", "11:00", at: 1_500)
            let refused = try await visitor.submit(event, on: "/calendar/new")
            #expect(refused.status == 422)
            #expect(
                refused.problem("place")?.contains("This place is not open to anyone: Barracks.")
                    == true
            )
            #expect(try await town.entries(of: visitor).isEmpty)
        }
    }

    @Test("V34: where few means go, people are told when they check it and when it is stored")
    func partly() async throws {
        try await Self.open { town in
            let visitor = try await town.passenger()
            let event = CalendarTown.event("Walk", "10:00", "11:00", at: 900)
            let checked = try await visitor.submit(event + ["check": "yes"], on: "/calendar/new")
            #expect(checked.text.contains("You can get there only on foot"))
            let sent = try await visitor.submit(event, on: "/calendar/new")
            #expect(sent.header("location") == "\(CalendarTown.page)?notice=partly")
            #expect(try await visitor.follow(sent).text.contains("Saved. You can get there only"))
            #expect(try await town.entries(of: visitor).count == 1)
        }
    }

    @Test("without a file nothing is refused")
    func noFile() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            try await visitor.add(CalendarTown.event("Review", "10:00", "11:00", at: 300))
            #expect(try await town.entries(of: visitor).count == 1)
        }
    }
}
