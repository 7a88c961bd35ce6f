import Foundation
import TestSupport
import Testing

/// Issue 31, "What must work" 4: all best journeys from one place to many.
@Suite("Profiles")
struct ProfileTests {
    private static let header = "id,departure,arrival,transfers"

    private let folder: TemporaryFolder
    private let city: String

    init() throws {
        folder = try TemporaryFolder()
        city = try SmallTown.city(in: folder)
    }

    private func plan(_ arguments: String...) throws -> Program.Run {
        try Program.run(["plan", "--city", city, "--profile"] + arguments)
    }

    private func file(_ lines: String...) throws -> String {
        try folder.write("id,place\n" + lines.joined(separator: "\n") + "\n", to: "places.csv")
    }

    @Test("the walk is one line without departure; then come the journeys by departure")
    func outward() throws {
        let places = try file("corte,stop:C", "darsena,stop:D", "\"a, b\",stop:B")
        let run = try plan(
            "--from",
            "stop:north/A",
            "--to",
            places,
            "--depart",
            "2014-10-20T07:00",
            "--window",
            "18h"
        )
        #expect(run.code == 0, "\(run.errors)")
        #expect(
            run.lines == [
                Self.header,
                "corte,2014-10-20T08:00:00,2014-10-20T08:30:00,1",
                "corte,2014-10-20T08:05:00,2014-10-20T09:00:00,0",
                "corte,2014-10-20T09:55:00,2014-10-20T10:10:00,0",
                "corte,2014-10-21T00:30:00,2014-10-21T01:00:00,0",
                "darsena,,300,0",
                "\"a, b\",2014-10-20T08:00:00,2014-10-20T08:10:00,0",
            ]
        )
    }

    @Test("no journey changes more often than allowed")
    func transfers() throws {
        let run = try plan(
            "--from",
            "stop:north/A",
            "--to",
            try file("corte,stop:C"),
            "--depart",
            "2014-10-20T07:00",
            "--window",
            "2h",
            "--max-transfers",
            "0"
        )
        #expect(
            run.lines == [Self.header, "corte,2014-10-20T08:05:00,2014-10-20T09:00:00,0"]
        )
    }

    @Test("the mirror: by arrival, from many places to one, and from one to many")
    func mirror() throws {
        let expected = [
            Self.header,
            "alba,2014-10-20T08:00:00,2014-10-20T08:30:00,1",
            "alba,2014-10-20T08:05:00,2014-10-20T09:00:00,0",
        ]
        let places = try file("alba,stop:north/A")
        let inward = try plan(
            "--from",
            places,
            "--to",
            "stop:C",
            "--arrive-by",
            "2014-10-20T09:00",
            "--window",
            "60m"
        )
        #expect(inward.lines == expected, "\(inward.errors)")
        let corte = try folder.write("id,place\nalba,stop:C\n", to: "corte.csv")
        let outward = try plan(
            "--from",
            "stop:north/A",
            "--to",
            corte,
            "--arrive-by",
            "2014-10-20T09:00",
            "--window",
            "60m"
        )
        #expect(outward.lines == expected, "\(outward.errors)")
    }

    @Test("what is missing or wrong is said, with the line")
    func refusals() throws {
        let places = try file("one,stop:C", "two,stop:nowhere")
        let wrong = try plan(
            "--from",
            "stop:north/A",
            "--to",
            places,
            "--depart",
            "2014-10-20T07:00",
            "--window",
            "2h"
        )
        #expect(wrong.code == 2)
        #expect(wrong.errors.contains("places.csv: line 3: place: "))
        let whole = try plan("--from", "stop:north/A", "--to", places)
        #expect(whole.code == 2)
        #expect(whole.errors.contains("--profile needs"))
        let none = try plan("--from", "stop:north/A", "--to", "stop:C", "--window", "2h")
        #expect(none.code == 2)
        #expect(none.errors.contains("stop:C: cannot be read"))
    }

    @Test("an isochrone is a feature around the stops that are reached, where there are no streets")
    func isochrone() throws {
        let out = folder.path("reach.geojson")
        let arguments = [
            "isochrone", "--city", city, "--from", "stop:north/A", "--depart", "2014-10-20T07:55",
        ]
        let run = try Program.run(arguments + ["--within", "40m", "--geojson", out])
        #expect(run.code == 0, "\(run.errors)")
        let text = try folder.text("reach.geojson")
        #expect(text.contains("\"type\":\"MultiPolygon\""))
        #expect(text.contains("\"within_s\":2400"))
        let late = try Program.run(
            arguments + ["--within", "1m", "--modes", "metro", "--geojson", out]
        )
        #expect(late.code == 1)
        let wrong = try Program.run(arguments + ["--within", "2d", "--geojson", out])
        #expect(wrong.code == 2)
        #expect(wrong.errors.contains("--within 2d"))
    }
}
