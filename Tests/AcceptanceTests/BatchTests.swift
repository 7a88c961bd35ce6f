import Foundation
import TestSupport
import Testing

/// Issue 2, "What must be seen" 4, point by point.
@Suite("Questions in a batch")
struct BatchTests {
    private static let header =
        "id,transfers,departure,arrival,walk_m,modes,duration_s,distance_m,"
        + "price_minor,currency,price_kind,co2_g,wet_min,on_time"

    private let folder: TemporaryFolder
    private let city: String

    init() throws {
        folder = try TemporaryFolder()
        city = try SmallTown.city(in: folder)
    }

    private func ask(_ lines: String..., options: [String] = []) throws -> Program.Run {
        let text = "id,from,to,time,arrive_by,max_transfers\n" + lines.joined(separator: "\n")
        let path = try folder.write(text + "\n", to: "questions.csv")
        return try Program.run(["plan", "--city", city, "--batch", path] + options)
    }

    /// Returns the answers without the header.
    private func answers(_ lines: String...) throws -> [String] {
        let text = "id,from,to,time,arrive_by,max_transfers\n" + lines.joined(separator: "\n")
        let path = try folder.write(text + "\n", to: "questions.csv")
        let run = try Program.run("plan", "--city", city, "--batch", path)
        #expect(run.code == 0)
        #expect(run.errors.isEmpty)
        #expect(run.lines.first == Self.header)
        return Self.journeys(run)
    }

    /// Returns the lines of answers without the columns of costs.
    private static func journeys(_ run: Program.Run) -> [String] {
        run.lines.dropFirst().map { line in
            line.split(separator: ",", omittingEmptySubsequences: false).dropLast(6)
                .joined(separator: ",")
        }
    }

    @Test(
        "V74, V79: price, currency, certainty and CO2e end each line; unknown is empty, never 0"
    )
    func costs() throws {
        let lines = [
            "q,stop:north/A,stop:C,2014-10-20T07:50,false,0",
            "walk,stop:north/A,stop:D,2014-10-20T07:50,false,",
            "none,stop:north/A,stop:Z,2014-10-20T08:00,false,",
        ]
        func costs(_ options: [String]) throws -> [String] {
            let run = try ask(lines[0], lines[1], lines[2], options: options)
            #expect(run.code == 0, "\(run.errors)")
            return run.lines.dropFirst().map { line in
                line.split(separator: ",", omittingEmptySubsequences: false).suffix(6)
                    .joined(separator: ",")
            }
        }
        // 2,224 m by bus at 97 g/km; the feed has no fares.
        #expect(try costs([]) == [",,unknown,216,,", "0,EUR,exact,0,,", ",,,,,"])
        #expect(try costs(["--party", "3"])[0] == ",,unknown,647,,")
        #expect(try costs(["--co2-model", "none"])[0] == ",,unknown,0,,")
        let table = try folder.write(
            "key,value,unit,scope,source,year\nbus,10,g/km,well-to-wheel,our depot,2026\n",
            to: "costs.csv"
        )
        #expect(try costs(["--costs", table])[0] == ",,unknown,22,,")
    }

    @Test("wrong options about money name what is wrong with them")
    func wrongCosts() throws {
        let line = "q,stop:north/A,stop:C,2014-10-20T07:50,false,"
        let table = try folder.write(
            "key,value,unit,scope,source,year\nbus,much,g/km,well-to-wheel,x,2026\n",
            to: "costs.csv"
        )
        let wrong: [([String], String)] = [
            (["--party", "0"], "from 1 to 20"),
            (["--passes", "atm-month"], "no feed of the city sells"),
            (["--costs", table], "line 2: value: \"much\""),
            (["--costs", "absent.csv"], "cannot be read"),
        ]
        for (options, words) in wrong {
            let run = try ask(line, options: options)
            #expect(run.code == 2 && run.errors.contains(words), "\(run.errors)")
        }
    }

    @Test("one line for each Pareto-best journey, fewest transfers first, times with offset")
    func pareto() throws {
        let found = try answers("q,stop:north/A,stop:C,2014-10-20T07:50,false,")
        #expect(
            found == [
                "q,0,2014-10-20T08:05:00+02:00,2014-10-20T09:00:00+02:00,0,bus,3300,2224",
                "q,1,2014-10-20T08:00:00+02:00,2014-10-20T08:30:00+02:00,0,bus+metro,1800,2224",
            ]
        )
    }

    @Test("the offset is that of the day, also after the clocks went back")
    func offsets() throws {
        let found = try answers("q,stop:north/A,stop:C,2014-10-27T07:50,false,0")
        #expect(
            found == ["q,0,2014-10-27T08:05:00+01:00,2014-10-27T09:00:00+01:00,0,bus,3300,2224"]
        )
    }

    @Test("asked by arrival, the latest departure wins and the arrival is the earliest for it")
    func arriveBy() throws {
        let found = try answers(
            "q,stop:north/A,stop:C,2014-10-20T09:30,true,",
            "r,stop:north/A,stop:C,2014-10-20T08:45,true,",
            "s,stop:north/A,stop:C,2014-10-20T08:45,true,0"
        )
        #expect(
            found == [
                "q,0,2014-10-20T08:05:00+02:00,2014-10-20T09:00:00+02:00,0,bus,3300,2224",
                // The vehicle of the previous night is the last one without a change.
                "r,0,2014-10-20T00:30:00+02:00,2014-10-20T01:00:00+02:00,0,bus,1800,2224",
                "r,1,2014-10-20T08:00:00+02:00,2014-10-20T08:30:00+02:00,0,bus+metro,1800,2224",
                "s,0,2014-10-20T00:30:00+02:00,2014-10-20T01:00:00+02:00,0,bus,1800,2224",
            ]
        )
    }

    @Test("a direct walk is walk with 0 transfers, and a journey may begin with a footpath")
    func walks() throws {
        let found = try answers(
            "walk,stop:north/A,stop:D,2014-10-20T07:50,false,",
            "first,stop:north/A,stop:C,2014-10-20T09:40,false,",
            "back,stop:D,stop:north/A,2014-10-20T07:50,false,"
        )
        #expect(
            found == [
                "walk,0,2014-10-20T07:50:00+02:00,2014-10-20T07:55:00+02:00,79,walk,300,79",
                "first,0,2014-10-20T09:55:00+02:00,2014-10-20T10:10:00+02:00,79,walk+tram,900,2304",
                "back,,,,,,,",
            ]
        )
    }

    @Test("of the kinds of public transport only those that --modes names are ridden")
    func oneKind() throws {
        let lines = [
            "q,stop:north/A,stop:C,2014-10-20T07:50,false,",
            "tram,stop:D,stop:C,2014-10-20T09:40,false,0",
            "walk,stop:north/A,stop:D,2014-10-20T07:50,false,",
        ]
        let buses = try ask(lines[0], lines[1], lines[2], options: ["--modes", "bus"])
        #expect(buses.code == 0)
        #expect(
            Self.journeys(buses) == [
                "q,0,2014-10-20T08:05:00+02:00,2014-10-20T09:00:00+02:00,0,bus,3300,2224",
                "tram,,,,,,,", "walk,,,,,,,",
            ]
        )
        let trams = try ask(lines[0], lines[1], lines[2], options: ["--modes", "tram,walk"])
        #expect(
            Self.journeys(trams) == [
                "q,0,2014-10-20T09:55:00+02:00,2014-10-20T10:10:00+02:00,79,walk+tram,900,2304",
                "tram,0,2014-10-20T10:00:00+02:00,2014-10-20T10:10:00+02:00,0,tram,600,2225",
                "walk,0,2014-10-20T07:50:00+02:00,2014-10-20T07:55:00+02:00,79,walk,300,79",
            ]
        )
        let wrong = try ask(lines[0], options: ["--modes", "bus,zeppelin"])
        #expect(wrong.code == 2)
        #expect(wrong.errors.contains("\"zeppelin\" is none of transit, walk, bike, bikeshare"))
        let taxi = try ask(lines[0], options: ["--modes", "walk,taxi"])
        #expect(taxi.code == 2 && taxi.errors.contains("goes without --batch"))
    }

    @Test("trips of the day before past midnight count")
    func afterMidnight() throws {
        let found = try answers("q,stop:north/A,stop:C,2014-10-21T00:10,false,")
        #expect(
            found == ["q,0,2014-10-21T00:30:00+02:00,2014-10-21T01:00:00+02:00,0,bus,1800,2224"]
        )
    }

    @Test("nothing that arrives more than 24 h after the time is listed, at 24 h it is")
    func horizon() throws {
        let found = try answers(
            "in,stop:north/A,stop:E,2014-10-19T09:10:00,false,",
            "out,stop:north/A,stop:E,2014-10-19T09:09:59,false,",
            "none,stop:north/A,stop:Z,2014-10-20T08:00,false,"
        )
        #expect(
            found == [
                "in,0,2014-10-20T09:00:00+02:00,2014-10-20T09:10:00+02:00,0,bus,600,5560",
                "out,,,,,,,", "none,,,,,,,",
            ]
        )
    }

    @Test("identifiers that need quotes come back in quotes, and columns may stand in any order")
    func quoting() throws {
        let path = try folder.write(
            "to,id,time,from,max_transfers,arrive_by\r\n"
                + "stop:C,\"x,\"\"y\"\"\",2014-10-20T07:50,stop:north/A,0,false\r\n",
            to: "other.csv"
        )
        let run = try Program.run("plan", "--city", city, "--batch", path)
        #expect(run.code == 0)
        #expect(run.lines.last?.hasPrefix("\"x,\"\"y\"\"\",0,2014-10-20T08:05:00+02:00,") == true)
    }

    @Test("a stop identifier that two feeds share is an error, and FEED/ID tells them apart")
    func sharedIdentifiers() throws {
        let run = try ask("q,stop:A,stop:C,2014-10-20T07:50,false,")
        #expect(run.code == 2)
        #expect(run.errorLines.count == 1)
        #expect(run.errors.contains("line 2: from: "))
        #expect(run.errors.contains("stop:north/A or stop:south/A"))
        let found = try answers("q,stop:south/A,stop:south/Z,2014-10-20T11:00,false,")
        #expect(found.count == 1 && found[0].contains(",rail,1200,"))
    }

    @Test("wrong lines are all named by file, line and field, and nothing is answered")
    func wrongLines() throws {
        let run = try ask(
            "a,stop:north/A,stop:C,2014-10-20T07:50,false,",
            "b,stop:north/A,stop:C,20.10.2014,false,",
            "c,stop:north/A,stop:C,2014-10-20T07:50,maybe,",
            "d,stop:nowhere,stop:C,2014-10-20T07:50,false,",
            "e,stop:north/A,stop:north/Q,2014-10-20T07:50,false,",
            "f,stop:north/A,stop:C,2014-10-20T07:50,false,99"
        )
        #expect(run.code == 2)
        #expect(run.output.isEmpty)
        for (line, field) in [
            (3, "time"), (4, "arrive_by"), (5, "from"), (6, "to"), (7, "max_transfers"),
        ] {
            #expect(
                run.errorLines.contains { $0.contains("questions.csv: line \(line): \(field): ") },
                "\(run.errors)"
            )
        }
        #expect(run.errorLines.count == 5)
    }

    @Test("a quote that nothing closes is named, and the lines after it are still read")
    func openQuote() throws {
        let run = try ask(
            "a,\"stop:north/A,stop:C,2014-10-20T07:50,false,",
            "b,stop:north/A,stop:C,2014-10-20T07:50,maybe,"
        )
        #expect(run.code == 2)
        #expect(run.output.isEmpty)
        #expect(run.errorLines.count == 2, "\(run.errors)")
        #expect(run.errors.contains("line 2: from: a quote"))
        #expect(run.errors.contains("line 3: arrive_by: "))
    }

    @Test(
        "what the file says, or what is about one answer, is refused beside a batch",
        arguments: [
            ["--from", "stop:B"], ["--to", "stop:C"], ["--depart", "2014-10-20T07:50"],
            ["--arrive-by", "2014-10-20T07:50"], ["--max-transfers", "1"], ["--window", "60m"],
            ["--json"], ["--language", "en"], ["--window", "60m", "--json"],
        ]
    )
    func refusedOptions(options: [String]) throws {
        let run = try ask("q,stop:north/A,stop:C,2014-10-20T07:50,false,", options: options)
        #expect(run.code == 2)
        #expect(run.output.isEmpty)
        #expect(run.errorLines.count == 1, "\(run.errors)")
        for option in options where option.hasPrefix("--") {
            #expect(run.errors.contains(option), "\(run.errors)")
        }
    }

    @Test("modes, the limit on walking and the wheelchair hold for all questions of a batch")
    func sharedOptions() throws {
        let question = "q,stop:north/A,stop:C,2014-10-20T07:50,false,"
        let buses = try ask(question, options: ["--modes", "bus"])
        #expect(buses.lines.count == 2 && buses.lines[1].contains(",bus,"))
        let walk = "q,stop:north/A,stop:D,2014-10-20T07:50,false,"
        #expect(
            try ask(walk, options: ["--max-walk", "10"]).lines.last == "q"
                + String(repeating: ",", count: 13)
        )
        #expect(
            try ask(question, options: ["--wheelchair"]).lines.last == "q"
                + String(repeating: ",", count: 13)
        )
    }

    @Test("a missing column is named")
    func missingColumn() throws {
        let path = try folder.write("id,from,to,time,arrive_by\n", to: "short.csv")
        let run = try Program.run("plan", "--city", city, "--batch", path)
        #expect(run.code == 2)
        #expect(run.errors == "viavai: \(path): line 1: the column max_transfers is missing\n")
    }

    @Test("statistics go to standard error and change no answer")
    func statistics() throws {
        let question = "q,stop:north/A,stop:C,2014-10-20T07:50,false,"
        let plain = try ask(question)
        let run = try ask(question, options: ["--stats"])
        #expect(run.code == 0)
        #expect(run.output == plain.output)
        #expect(plain.errors.isEmpty)
        for name in ["load", "queries 1", "p50", "p95", "p99", "max", "memory"] {
            #expect(run.errorLines.contains { $0.hasPrefix(name) })
        }
    }
}
