import ArgumentParser
import Chronology
import CityData
import Columns
import Encoding
import Foundation
import Journeys
import LiveFeeds
import Streets
import Transit
import TripPlanning

/// `viavai plan`: finds journeys between two places.
struct PlanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Find the best journeys between two places.",
        discussion: """
            A place is an address, a coordinate as 45.4641,9.1919, or stop:ID. The answers are \
            what people would choose from: the best of each mode, the most useful first.
            """
    )

    @Option(help: "The city file; several times for several cities.")
    var city: [String]

    @Option(help: "Where the journey begins.")
    var from: String?

    @Option(help: "Where it ends.")
    var to: String?

    @Option(help: "The earliest departure in the city's local time, such as 2014-10-20T08:30.")
    var depart: String?

    @Option(help: "The latest arrival.")
    var arriveBy: String?

    @Option(
        help: ArgumentHelp(
            "The modes: walk, bike, car, taxi, transit, or single ones as "
                + "bus,tram,metro,rail,ferry; with --gbfs bikeshare, scooter and carshare.",
            valueName: "list"
        )
    )
    var modes = "walk,transit"

    @Option(
        help: ArgumentHelp(
            "The most transfers; \(JourneyQuery.defaultMaxTransfers) by default.",
            valueName: "number"
        )
    )
    var maxTransfers: Int?

    @Option(help: ArgumentHelp("The longest total walk in metres.", valueName: "metres"))
    var maxWalk: UInt32?

    @Flag(help: "Only paths, stops and vehicles that are known to be wheelchair-accessible.")
    var wheelchair = false

    @Option(help: ArgumentHelp("The best departures within this time, as 60m.", valueName: "time"))
    var window: String?

    @Flag(help: "Print JSON.")
    var json = false

    @Option(
        help: ArgumentHelp(
            "The language for names of stops and lines, such as en, where the feeds have them.",
            valueName: "code"
        )
    )
    var language: String?

    @Option(
        help: ArgumentHelp(
            "A CSV file of queries: id,from,to,time,arrive_by,max_transfers. --modes, --max-walk "
                + "and --wheelchair apply to all of them.",
            valueName: "file"
        )
    )
    var batch: String?

    @Flag(
        help: ArgumentHelp(
            "All best journeys between one place and many within --window, as CSV. --to is then a "
                + "CSV file: id,place. With --from as the file, they lead to one place."
        )
    )
    var profile = false

    @Flag(help: "Print on standard error how long it took.")
    var stats = false

    @OptionGroup(title: "Money and emissions")
    var cost: CostOptions

    @OptionGroup(title: "Hours, rain and shared vehicles")
    var live: LiveOptions

    @OptionGroup(title: "Strikes and alerts")
    var disruption: DisruptionOptions

    func run() async throws {
        if batch != nil { try refuseSingleOptions() }
        let start = ContinuousClock.now
        let cities = try city.map { City(try CityFile.open($0)) }
        let city = cities[0]
        guard cities.count == 1 || (batch == nil && !profile) else {
            throw CommandFailure.badInput("--batch and --profile answer in one city: one --city")
        }
        let loaded = ContinuousClock.now - start
        let modes = try ModeReader.modes(modes)
        if modes.taxi, batch != nil || profile {
            throw CommandFailure.badInput(
                "--modes taxi: goes without --batch and --profile, which know no taxis"
            )
        }
        if !modes.shared.isEmpty, batch != nil || profile {
            throw CommandFailure.badInput(
                "--modes: shared vehicles go without --batch and --profile, which know none"
            )
        }
        let rules = try live.rules.rules()
        var world = try await live.world()
        try await disruption.read(into: &world)
        var times: [Duration] = []
        if let batch {
            var plan = try Batch(
                path: batch,
                planner: Planner(snapshot(city, world)),
                modes: modes,
                maxWalkMetres: maxWalk,
                wheelchair: wheelchair,
                rules: rules,
                avoidsRain: live.rules.noWet,
                world: world,
                costing: TripCosting(city, try cost.table()),
                party: cost.party,
                passes: try cost.ownedPasses(in: [city]),
                reliability: try disruption.reliability(of: city)
            )
            times = plan.run()
        } else if profile {
            if let name = (cost.given + live.given).first(where: { $0.1 })?.0 {
                throw CommandFailure.badInput(
                    "\(name): goes without --profile, which has no prices, rules or weather"
                )
            }
            times = [try answerProfile(Planner(snapshot(city, world)), modes)]
        } else {
            times = [try answer(cities, modes, rules, world)]
        }
        if stats { Statistics(load: loaded, queries: times).print() }
    }

    /// A city as the feeds describe it.
    private func snapshot(_ city: City, _ world: LiveWorld) -> CitySnapshot {
        let now = SystemClock.now
        let disruptions = disruption.found(in: world, city, at: now)
        return disruption.snapshot(of: city, disruptions, in: world, at: now)
    }

    /// Refuses options that conflict with a batch because its file states them, and options that
    /// format a single answer.
    private func refuseSingleOptions() throws {
        let inFile = [
            ("--from", from != nil), ("--to", to != nil), ("--depart", depart != nil),
            ("--arrive-by", arriveBy != nil), ("--max-transfers", maxTransfers != nil),
        ]
        let forOne =
            [
                ("--window", window != nil), ("--json", json), ("--language", language != nil),
                ("--profile", profile), ("--max-wet", live.maxWet != nil),
            ] + cost.choosing
        let named = (inFile + forOne).compactMap { $0.1 ? $0.0 : nil }
        guard !named.isEmpty else { return }
        let why =
            forOne.contains { $0.1 }
            ? "a batch answers each line with the best journeys, as CSV"
            : "each line of the file says that itself"
        throw CommandFailure.badInput(
            "--batch goes without \(named.joined(separator: " and ")): \(why)"
        )
    }

    /// The greatest number of transfers: as given, otherwise the default.
    func transfers() throws -> Int {
        let maxTransfers = maxTransfers ?? JourneyQuery.defaultMaxTransfers
        guard (0..<Raptor.tripLimit).contains(maxTransfers) else {
            throw CommandFailure.badInput(
                "--max-transfers \(maxTransfers): write a number from 0 to \(Raptor.tripLimit - 1)"
            )
        }
        return maxTransfers
    }

    /// Answers one question on standard output.
    ///
    /// - Returns: the time that this took.
    private func answer(
        _ cities: [City],
        _ modes: TripModes,
        _ rules: [ModeHours],
        _ world: LiveWorld
    ) throws -> Duration {
        guard let from, let to else {
            throw CommandFailure.badInput(
                "say where to go: --from PLACE --to PLACE, or --batch FILE"
            )
        }
        guard window == nil || arriveBy == nil else {
            throw CommandFailure.badInput("--window begins at --depart; leave out --arrive-by")
        }
        let places = PlaceReader(cities: cities)
        var question = try question(from, to, places, cities, modes, rules)
        let costs = try cost.table()
        question.relaxing = try cost.relaxing()
        question.limits.modes = try cost.modes.limits()
        if !question.relaxing.isEmpty {
            question.limits = try cost.limits(costs, maxWet: live.maxWet)
        }
        for note in question.from.remarks + question.to.remarks { Console.note(note) }
        let names = city.map { CityFile.name($0) }
        var conditions = LiveOptions.conditions(world, for: question, now: SystemClock.now)
        var time = Duration.zero
        var zone = cities[0].timetable.zone
        do {
            let (number, asked) = try places.resolver.place(question, names: names)
            zone = cities[number].timetable.zone
            let disruptions = disruption.found(in: world, cities[number], at: SystemClock.now)
            conditions.disruptions = disruptions
            let snapshot = disruption.snapshot(
                of: cities[number],
                disruptions,
                in: world,
                at: min(SystemClock.now, question.time)
            )
            let reliability = try disruption.reliability(of: cities[number])
            var search = TripSearch(snapshot, costs: costs, reliability: reliability)
            let start = ContinuousClock.now
            let result = Result { () throws(TripFailure) in
                try search.answer(asked, conditions: conditions)
            }
            time = ContinuousClock.now - start
            let chosen = try cost.chosen(result.get(), costs, maxWet: live.maxWet, zone)
            try show(chosen, zone: zone)
        } catch let failure as TripFailure {
            if json, let error = try TripJSON(zone: zone).text(failure, of: question) {
                Console.answer(error)
            }
            throw FailureText.failure(failure, of: question, zone)
        }
        return time
    }

    /// The question that the options ask.
    private func question(
        _ from: String,
        _ to: String,
        _ places: PlaceReader,
        _ cities: [City],
        _ modes: TripModes,
        _ rules: [ModeHours]
    ) throws -> TripQuestion {
        let (span, transfers) = (try window.map(seconds), try transfers())
        var question: TripQuestion
        do throws(PlaceReader.Failure) {
            question = TripQuestion(
                from: try places.place(from, "--from"),
                to: try places.place(to, "--to"),
                time: try time(places),
                isArriveBy: arriveBy != nil,
                modes: modes,
                maxTransfers: transfers,
                maxWalkMetres: maxWalk,
                wheelchair: wheelchair,
                windowSeconds: span,
                language: language
            )
        } catch {
            throw CommandFailure.badInput(error.text)
        }
        question.party = cost.party
        question.passes = try cost.ownedPasses(in: cities)
        question.avoided = rules
        question.avoidsRain = live.rules.noWet
        question.limits = try cost.limits(try cost.table(), maxWet: nil)
        question.preference = cost.prefer
        return question
    }

    /// Prints an answer and the remarks about it.
    private func show(_ answer: TripAnswer, zone: ZoneTable) throws {
        for remark in answer.remarks {
            if let text = text(of: remark, zone) { Console.note(text) }
        }
        Console.answer(
            json
                ? try TripJSON(zone: zone).text(answer)
                : TripText(answer, zone: zone, saysRain: live.rules.weather != nil).text
        )
    }

    private func text(of remark: TripRemark, _ zone: ZoneTable) -> String? {
        switch remark {
        case .notTranslated(let languages):
            "the feeds have no names in \"\(language ?? "")\", only their own"
                + (languages.isEmpty ? "" : " and \(languages.joined(separator: ", "))")
        case .noWheelchairData:
            "the feeds do not say which vehicles are wheelchair accessible, so none of them is used"
        case .noTransit(.outsideTimetable(let first, let last)):
            FailureText.timetables(from: first, to: last)
        case .noTransit: nil
        case .disrupted(let disruption): disruption.text(in: zone)
        }
    }

    func time(_ places: PlaceReader) throws(PlaceReader.Failure) -> Instant {
        guard depart == nil || arriveBy == nil else {
            throw .init(text: "either --depart or --arrive-by, not both")
        }
        guard let text = depart ?? arriveBy else {
            return SystemClock.now
        }
        guard let time = places.time(text) else {
            throw .init(
                text: "\(depart == nil ? "--arrive-by" : "--depart"): \"\(text)\" is not written "
                    + "as 2014-10-20T08:30"
            )
        }
        return time
    }

    /// The longest window, in hours.
    static let windowHours: Int32 = 24

    private func seconds(_ text: String) throws -> Int32 {
        guard let seconds = SpanReader.seconds(text, atMostHours: Self.windowHours) else {
            throw CommandFailure.badInput("--window \(text): write minutes or hours, as 60m or 2h")
        }
        return seconds
    }
}

/// Parses spans of time.
enum SpanReader {
    /// Parses `60m` or `2h` as seconds; nil if the text is neither or exceeds the limit.
    static func seconds(_ text: String, atMostHours hours: Int32) -> Int32? {
        guard let unit = text.last, let number = Int32(text.dropLast()), number >= 0,
            unit == "m" || unit == "h", number <= (unit == "m" ? 60 * hours : hours)
        else { return nil }
        return number * (unit == "m" ? 60 : 3_600)
    }
}

/// Parses lists of transport modes.
enum ModeReader {
    /// The names of all modes.
    static let known =
        (TripKind.allCases.map(\.modeName) + TransitMode.allCases.map { "\($0)" })
        .joined(separator: ", ")

    static func modes(_ text: String) throws -> TripModes {
        var modes = TripModes(walk: false, transit: 0)
        for name in text.split(separator: ",").map({ $0.trimmingWhiteSpace() }) {
            switch TripMode(named: name) {
            case .kind(let kind): modes = modes.with([kind])
            case .vehicle(let vehicle): modes.transit |= vehicle.bit
            case nil:
                throw CommandFailure.badInput("--modes: \"\(name)\" is none of \(known)")
            }
        }
        return modes
    }
}
