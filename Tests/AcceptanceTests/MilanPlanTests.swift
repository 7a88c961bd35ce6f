import Foundation
import TestSupport
import Testing

/// Issue 2, "What must be seen" 2 and 3: queries about Milan.
@Suite("Planning in Milan", .enabled(if: MilanCity.isPresent, RealData.advice))
struct MilanPlanTests {
    private static let duomo = "45.4641,9.1919"
    private static let padova = "45.4989,9.2299"
    private static let castello = "45.4720,9.1850"
    private static let ticinese = "45.4520,9.1770"
    private static let manin = "45.4781,9.2010"

    private func plan(_ arguments: String...) throws -> [Answers.Itinerary] {
        let found = try plan(from: Self.duomo, to: Self.padova, arguments)
        return found
    }

    private func plan(
        from: String,
        to: String,
        _ arguments: [String]
    ) throws -> [Answers.Itinerary] {
        try answers(from: from, to: to, arguments)?.itineraries ?? []
    }

    /// Returns the whole output; nil if there is no answer.
    private func answers(
        from: String,
        to: String,
        _ arguments: [String]
    ) throws -> Answers? {
        let run = try Program.run(
            ["plan", "--city", MilanCity.path(), "--from", from, "--to", to, "--json"] + arguments
        )
        if run.code == 1 { return nil }
        try #require(run.code == 0, "\(run.errors)")
        let found = try JSONDecoder().decode(Answers.self, from: Data(run.output.utf8))
        for itinerary in found.itineraries { #expect(itinerary.inconsistency == nil) }
        return found
    }

    @Test("the question of the issue is answered for a reader, and the same as data")
    func theQuestion() throws {
        let question = [
            "plan", "--city", try MilanCity.path(), "--from", "Piazza del Duomo", "--to",
            "Via Padova 100", "--depart", "2014-10-20T08:30",
        ]
        let run = try Program.run(question)
        #expect(run.code == 0)
        let found = try plan(
            from: "Piazza del Duomo",
            to: "Via Padova 100",
            ["--depart", "2014-10-20T08:30"]
        )
        #expect(!found.isEmpty)
        for (number, itinerary) in found.enumerated() {
            // Times without seconds, as readers want them.
            let departure = itinerary.departure.dropFirst(11).prefix(5)
            #expect(run.output.contains("\(number + 1).  \(departure)"))
            for leg in itinerary.legs {
                guard let route = leg.route, let from = leg.from, let to = leg.to else {
                    #expect(!leg.geometry.isEmpty)
                    continue
                }
                #expect(run.output.contains(route.name))
                #expect(run.output.contains("towards \(route.headsign)"))
                #expect(run.output.contains("from \(from.name) to \(to.name)"))
            }
        }
        #expect(!run.output.contains("\(found.count + 1).  "))
        #expect(run.output.contains("along Piazza del Duomo"))
    }

    @Test("who asks by arrival leaves as late as who left then, and is there in time")
    func arriveBy() throws {
        for answer in try plan("--depart", "2014-10-20T08:30:00") {
            let arrival = String(answer.arrival.prefix(19))
            let back = try plan("--arrive-by", arrival, "--max-transfers", "\(answer.transfers)")
            #expect(back.contains { $0.departure >= answer.departure })
            #expect(back.allSatisfy { $0.arrival <= answer.arrival })
        }
    }

    @Test("modes are obeyed: the car alone gives the drive, a bicycle the ride")
    func modes() throws {
        let drive = try plan("--depart", "2014-10-20T08:30", "--modes", "car")
        #expect(drive.map(\.modes) == ["car"])
        #expect((5_000...12_000).contains(drive.first?.distanceMetres ?? 0))
        let ride = try plan("--depart", "2014-10-20T08:30", "--modes", "bike")
        #expect(ride.map(\.modes) == ["bike"])
        let walk = try plan("--depart", "2014-10-20T08:30", "--modes", "walk")
        #expect(walk.map(\.modes) == ["walk"])
        #expect((walk.first?.durationSeconds ?? 0) > (ride.first?.durationSeconds ?? .max))
        for (kind, time) in [("metro", "2014-10-20T08:30"), ("tram", "2014-10-20T21:00")] {
            let found = try plan(
                from: Self.duomo,
                to: kind == "tram" ? Self.castello : Self.padova,
                ["--depart", time, "--modes", "walk,\(kind)"]
            )
            #expect(found.flatMap(\.legs).allSatisfy { ["walk", kind].contains($0.mode) })
            #expect(found.flatMap(\.legs).contains { $0.mode == kind })
        }
    }

    @Test("V62: a taxi takes its way at once, and its text says that this is an estimate")
    func taxi() throws {
        let ride = try plan("--depart", "2014-10-20T08:30", "--modes", "taxi")
        #expect(ride.map(\.modes) == ["taxi"])
        #expect((5_000...12_000).contains(ride.first?.distanceMetres ?? 0))
        let both = try plan("--depart", "2014-10-20T08:30", "--modes", "walk,transit,taxi")
        #expect(both.last?.modes == "taxi")
    }

    @Test("with buses alone one walks to them and between them, and no more")
    func busesAlone() throws {
        // The ring of line 90 passes both squares.
        let (from, to) = ("45.4470,9.2040", "45.4700,9.1450")
        let all = try plan(from: from, to: to, ["--depart", "2014-10-20T08:30"])
        let best = try #require(all.map(\.arrival).min())
        let found = try plan(
            from: from,
            to: to,
            ["--depart", "2014-10-20T08:30", "--modes", "bus"]
        )
        #expect(!found.isEmpty)
        for itinerary in found {
            #expect(itinerary.legs.allSatisfy { ["walk", "bus"].contains($0.mode) })
            #expect(itinerary.legs.contains { $0.mode == "bus" })
            #expect(itinerary.arrival >= best)
        }
    }

    @Test("limits on transfers and on walking hold, and cost time and never save it")
    func limits() throws {
        let free = try plan("--depart", "2014-10-20T08:30")
        let best = try #require(free.map(\.arrival).min())
        let straight = try plan("--depart", "2014-10-20T08:30", "--max-transfers", "0")
        #expect(straight.allSatisfy { $0.transfers == 0 && $0.arrival >= best })
        let all = try plan(from: Self.ticinese, to: Self.manin, ["--depart", "2014-10-20T08:30"])
        // The way on foot stands beside the journeys, although it arrives later than some.
        let far = all.filter { $0.kind == "transit" }
        let near = try plan(
            from: Self.ticinese,
            to: Self.manin,
            ["--depart", "2014-10-20T08:30", "--max-walk", "1000"]
        )
        #expect(!near.isEmpty)
        #expect(
            near.allSatisfy { near in
                near.walkMetres <= 1_000 && near.arrival >= far.map(\.arrival).min() ?? ""
            }
        )
        let none = try plan("--depart", "2014-10-20T08:30", "--max-walk", "0")
        #expect(none.isEmpty)
    }

    @Test("with a wheelchair nothing is quicker than without")
    func wheelchair() throws {
        let free = try plan("--depart", "2014-10-20T08:30")
        let found = try plan("--depart", "2014-10-20T08:30", "--wheelchair")
        let best = try #require(free.map(\.arrival).min())
        #expect(!found.isEmpty)
        #expect(found.allSatisfy { $0.arrival >= best })
    }

    @Test("the best of each mode stands beside the others, and no walk of hours (issue 31)")
    func sideBySide() throws {
        let modes = ["--depart", "2014-10-20T08:30", "--modes", "walk,bike,car,transit"]
        let found = try plan(from: Self.duomo, to: Self.padova, modes)
        #expect(Set(found.map(\.kind)) == ["walk", "bike", "car", "transit"])
        #expect(found.first?.kind == "transit" && found.last?.kind == "car")
        // Rogoredo is eleven kilometres from Bovisa.
        let far = try plan(from: "45.5025,9.1590", to: "45.4335,9.2390", modes)
        #expect(Set(far.map(\.kind)) == ["bike", "car", "transit"])
    }

    @Test("a text without a town means Milan, and JSON says which places it means (issue 31)")
    func places() throws {
        let found = try #require(
            try answers(from: "navigli", to: "via torino 3", ["--depart", "2014-10-20T08:30"])
        )
        #expect(found.from.name.hasSuffix(", Milano"), "\(found.from)")
        #expect(found.to.name.hasPrefix("Via Torino") && found.to.name.hasSuffix(", Milano"))
        #expect(["address", "street"].contains(found.to.kind))
        #expect(abs(found.to.lat - 45.4615) < 0.01 && abs(found.to.lon - 9.185) < 0.01)
    }

    @Test("a walk to Romolo's platforms is not named after another station (issue 31)")
    func platforms() throws {
        let found = try plan(
            from: "Famagosta",
            to: "Rogoredo",
            ["--depart", "2014-10-20T08:30"]
        )
        let streets = found.flatMap(\.legs).compactMap(\.streets).joined().map(\.name)
        #expect(!streets.isEmpty)
        #expect(!streets.contains { $0.contains("binario") }, "\(streets)")
    }

    /// How many seconds a time lies after another of the same day and offset.
    private func seconds(_ time: String, after other: String) throws -> Int {
        func seconds(_ text: String) throws -> Int {
            let parts = text.dropFirst(11).prefix(8).split(separator: ":").compactMap { Int($0) }
            try #require(parts.count == 3)
            return parts[0] * 3_600 + parts[1] * 60 + parts[2]
        }
        return try seconds(time) - seconds(other)
    }

    /// Single questions list every best journey; a window leaves out those that another makes
    /// pointless: one that is a minute worse at most, and three for each change that it saves.
    @Test("a window holds best departures that single questions find, and one in place of others")
    func window() throws {
        let folder = try TemporaryFolder()
        for (from, to) in [
            (Self.duomo, Self.padova), (Self.duomo, Self.castello),
            (Self.ticinese, Self.manin),
        ] {
            let all = try plan(
                from: from,
                to: to,
                ["--depart", "2014-10-20T21:00", "--window", "60m"]
            )
            // Each best departure answers the query for its own second.
            let times = Set(
                all.map { String($0.departure.prefix(19)) }
                    + (0...60).map {
                        "2014-10-20T2\(1 + $0 / 60):\($0 % 60 < 10 ? "0" : "")\($0 % 60):00"
                    }
            ).sorted()
            let questions = times.map { "\($0),\"\(from)\",\"\(to)\",\($0),false,\n" }.joined()
            let path = try folder.write(
                "id,from,to,time,arrive_by,max_transfers\n" + questions,
                to: "questions.csv"
            )
            let run = try Program.run("plan", "--city", try MilanCity.path(), "--batch", path)
            try #require(run.code == 0, "\(run.errors)")
            let rides = Set(all.map(\.line).filter { !$0.contains(",walk,") })
            var singles = Set<String>()
            for line in run.lines.dropFirst() where !line.contains(",walk,") {
                let values = line.split(separator: ",", omittingEmptySubsequences: false)
                guard values[2] <= "2014-10-20T22:00:00+02:00" else { continue }
                guard !values[2].isEmpty else { continue }
                // The last six columns are those of costs.
                singles.insert(values.dropFirst().dropLast(6).joined(separator: ","))
            }
            #expect(!singles.isEmpty)
            #expect(!rides.isEmpty && rides.isSubset(of: singles))
            let lines = rides.map { $0.split(separator: ",") }
            for single in singles.map({ $0.split(separator: ",") }) {
                let isListed = try lines.contains { line in
                    let saved = try #require(Int(single[0])) - #require(Int(line[0]))
                    let tolerance = 60 + 180 * saved
                    return try saved >= 0
                        && seconds(String(line[1]), after: String(single[1])) >= -tolerance
                        && seconds(String(line[2]), after: String(single[2])) <= tolerance
                }
                // Nobody waits for what saves less than two minutes over walking.
                let walk = try #require(all.first { $0.kind == "walk" })
                let lasts = try #require(Int(single[5]))
                #expect(isListed || walk.durationSeconds < lasts + 120, "\(single)")
            }
        }
    }

    @Test("a journey uses both the city's lines and the trains, which share no day unshifted")
    func bothFeeds() throws {
        // From the Duomo to Saronno: the metro to Cadorna, and the train from there.
        let found = try plan(
            from: Self.duomo,
            to: "stop:trenord_gtfs_2026/\(Self.saronno)",
            ["--depart", "2014-10-20T08:30"]
        )
        #expect(found.contains { $0.feeds == ["atm_gtfs_2014", "trenord_gtfs_2026"] })
    }

    private static let saronno = "S01933"
}
