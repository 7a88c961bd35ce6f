import Foundation
import TestSupport
import Testing

/// Places as people type them, and the messages for unknown and ambiguous ones.
@Suite("Places on the command line")
struct PlaceTests {
    private func plan(_ city: String, _ from: String, _ to: String) throws -> Program.Run {
        try Program.run(
            "plan",
            "--city",
            city,
            "--from",
            from,
            "--to",
            to,
            "--depart",
            "2014-10-20T08:00"
        )
    }

    @Test("a name that nothing has is answered with names that begin alike")
    func suggestions() throws {
        let folder = try TemporaryFolder()
        let city = try SmallTown.city(in: folder)
        var run = try plan(city, "Piazza Borgonuovo", "Corte")
        #expect(run.code == 2)
        #expect(run.errorLines.count == 1)
        #expect(run.errors.hasPrefix("viavai: --from: nothing is called \"Piazza Borgonuovo\"; "))
        #expect(run.errors.hasSuffix("did you mean Borgo?\n"), "\(run.errors)")
        run = try plan(city, "Borgo", "Xyzzy")
        #expect(run.errors.contains("--to: nothing is called \"Xyzzy\"; try another spelling"))
    }

    @Test(
        "a pasted page is answered at once, with no more of it than helps (issue 29, fault 12)",
        arguments: ["x", "Borgonuovo ", "Borgo"]
    )
    func pasted(word: String) throws {
        let folder = try TemporaryFolder()
        let city = try SmallTown.city(in: folder)
        let text = String(String(repeating: word, count: 12_800).prefix(12_800))
        var run: Program.Run?
        let time = try ContinuousClock().measure { run = try plan(city, text, "Corte") }
        #expect(run?.code == 2)
        #expect(run?.errors.contains("nothing is called") == true)
        #expect(run?.errors.utf8.count ?? .max < 400)
        #expect(time < .seconds(2), "\(time)")
    }

    @Test("a stop's name written for its identifier is answered with the identifier")
    func stopSuggestions() throws {
        let folder = try TemporaryFolder()
        let city = try SmallTown.city(in: folder)
        let run = try plan(city, "stop:Borgo", "stop:C")
        #expect(run.code == 2)
        #expect(run.errors.contains("did you mean stop:north/B (Borgo)?"), "\(run.errors)")
        #expect(try plan(city, "stop:Xyzzy", "stop:C").errors.contains("write its name instead"))
    }

    @Test("a stop's name means the stop, so that a city without streets is travelled by names")
    func stopNames() throws {
        let folder = try TemporaryFolder()
        let city = try SmallTown.city(in: folder)
        let run = try plan(city, "Borgo", "Corte")
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.output.contains("Metro M1"))
    }

    @Test(
        "of places that share a name one is taken, and the others are listed",
        .enabled(if: MilanCity.isPresent, RealData.advice)
    )
    func namesakes() throws {
        let run = try plan(MilanCity.path(), "Via Roma", "Centrale")
        #expect(run.code == 0)
        #expect(run.errorLines.count == 1, "\(run.errors)")
        #expect(run.errors.hasPrefix("taking Via Roma, "))
        #expect(run.errors.contains("; there is also Via Roma, "))
    }

    @Test(
        "a station at the edge of the map is reached by its trains",
        .enabled(if: MilanCity.isPresent, RealData.advice)
    )
    func stationsOffTheMap() throws {
        for station in ["Rho Fiera", "Saronno"] {
            let run = try plan(MilanCity.path(), "Lambrate", station)
            #expect(run.code == 0, "\(run.errors)")
            #expect(run.output.contains("Train "), "\(run.output)")
        }
    }
}
