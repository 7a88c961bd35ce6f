import Agenda
import ArgumentParser
import Chronology
import CityData
import DayPlan
import DayPlanning
import Foundation
import Journeys
import LiveFeeds
import OpenData
import Transit
import TripPlanning

/// `viavai day`: plans a day from a calendar file.
struct DayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "day",
        abstract: "Plan a day from a calendar file: its tasks, and the journeys between.",
        discussion: """
            Reads an iCalendar file, places each task (VTODO) of the day within its window, and \
            finds a journey to each event and task that has a place (GEO or LOCATION). Prints the \
            same calendar with the journeys, and the tasks at their times, as events of their own. \
            Where the day cannot be kept, prints the smallest changes that would help, and ends \
            with exit code 1. Times without a zone are those of the city.
            """
    )

    @Option(help: "The city file.")
    var city: String

    @Argument(help: ArgumentHelp("The calendar file.", valueName: "day.ics"))
    var calendar: String

    @Option(
        help: ArgumentHelp(
            "The day, as 2014-10-20; the first one on which something is by default.",
            valueName: "date"
        )
    )
    var day: String?

    @Option(
        help: ArgumentHelp(
            "Where the day begins and ends; by default at its first and its last event.",
            valueName: "place"
        )
    )
    var base: String?

    @Option(
        help: ArgumentHelp(
            """
            The modes: walk, bike, car, taxi, transit, or single ones as \
            bus,tram,metro,rail,ferry; with --gbfs bikeshare, scooter and carshare. An own bike or \
            car stands at the base, stays where it is left, and comes back.
            """,
            valueName: "list"
        )
    )
    var modes = "walk,transit"

    @Flag(help: "Print the plan as JSON instead of the calendar.")
    var json = false

    @Flag(help: "Plan for a wheelchair: step-free ways, and only vehicles known to take it.")
    var wheelchair = false

    @Option(help: ArgumentHelp("The most metres on foot of one journey.", valueName: "metres"))
    var maxWalk: Int32?

    @Option(help: ArgumentHelp("The most metres on foot of the day.", valueName: "metres"))
    var maxWalkDay: Int32?

    @OptionGroup(title: "Money and emissions")
    var cost: DayCostOptions

    @Option(
        name: .customLong("rules"),
        help: ArgumentHelp(
            "Which events may overlap, as a server's calendar.rules: usual, s2, s3 or s4. With s2 "
                + "none may, and journeys to tasks begin within their windows.",
            valueName: "name"
        )
    )
    var overlaps = ConflictRules.Profile.usual

    @OptionGroup(title: "Hours and rain")
    var rules: RuleOptions

    @OptionGroup(title: "Shared vehicles")
    var shared: SharedVehicleOptions

    @Option(
        help: ArgumentHelp(
            "Plan as at this time of the day, such as 10:30: shared vehicles are known for an hour "
                + "from then. By default now, and for other days than today their midnight.",
            valueName: "time"
        )
    )
    var at: String?

    @OptionGroup(title: "Strikes and alerts")
    var disruption: DisruptionOptions

    func run() async throws {
        let modes = try ModeReader.modes(modes)
        let city = City(try CityFile.open(city))
        let avoided = try rules.rules()
        let zone = city.timetable.zone
        let text = DayText(path: calendar, zone: zone)
        let file = try read(text)
        var input = try input(file, PlaceReader(city: city), zone, text)
        (input.avoided, input.avoidsRain) = (avoided, rules.noWet)
        input.wheelchair = wheelchair
        input.follow(
            noneOverlap: overlaps.rules.overlapping.isEmpty,
            unlocatedOverlap: overlaps.rules.mayUnlocatedOverlap,
            departsWithinWindows: overlaps.rules.departsWithinWindows
        )
        input.limits.legWalkMetres = maxWalk
        input.limits.dayWalkMetres = maxWalkDay
        input.passes = try cost.ownedPasses(in: city)
        input.tripLimits = try cost.limits()
        input.relaxing = try cost.relaxing()
        let (conditions, snapshot) = try await world(city, on: input)
        let planner = DayRelaxing(snapshot, modes: modes, conditions: conditions)
        let plan: PlannedDay
        do throws(DayPlanningFailure) {
            plan = try planner.plan(input)
        } catch {
            throw text.failure(error, of: input)
        }
        for remark in plan.remarks {
            switch remark {
            case .noTransit(.outsideTimetable(let first, let last)):
                Console.note(FailureText.timetables(from: first, to: last))
            case .disrupted(let disruption): Console.note(disruption.text(in: zone))
            case .noTransit, .noWheelchairData, .notTranslated: break
            }
        }
        text.noteHours(of: plan)
        if !plan.givenUp.isEmpty {
            let limits = plan.givenUp.map(\.rawValue).joined(separator: ", ")
            Console.note("no plan keeps to all limits; this one does not keep to: \(limits)")
        }
        text.noteWarnings(of: plan)
        if json { Console.answer(try DayJSON(zone: zone).text(plan)) }
        if !plan.isExact {
            let gap = plan.gapMinutes.map { ", by at most \($0) min of travel" } ?? ""
            Console.note("the search was cut short: there may be a better plan\(gap)")
        }
        guard plan.isFeasible else {
            for conflict in plan.conflicts { text.note(text.line(of: conflict, in: input)) }
            throw text.failure(of: plan)
        }
        if !json { write(plan, to: file, text) }
    }

    /// What the feeds say, and the city as they say; a past day is planned as it was then.
    private func world(
        _ city: City,
        on day: DayInput
    ) async throws -> (conditions: TripConditions, snapshot: CitySnapshot) {
        let now = try present(of: day, city.timetable.zone)
        let reader = LiveReader(now: SystemClock.now)
        var world = LiveWorld(
            systems: try await shared.systems(reader),
            forecasts: try await rules.forecasts(reader)
        )
        try await disruption.read(into: &world)
        let disruptions = disruption.found(in: world, city, at: now)
        return (
            TripConditions(world, now: now, disruptions: disruptions),
            disruption.snapshot(of: city, disruptions, in: world, at: now)
        )
    }

    /// The moment as at which a day is planned.
    private func present(of day: DayInput, _ zone: ZoneTable) throws -> Instant {
        if let at {
            guard let time = LocalTime(iso8601: "\(day.date.iso8601)T\(at)") else {
                throw CommandFailure.badInput("--at: \"\(at)\" is not written as 10:30")
            }
            return time.instant(in: zone)
        }
        let isToday = !shared.gbfs.isEmpty && day.span.contains(SystemClock.now)
        return isToday ? SystemClock.now : min(SystemClock.now, day.span.lowerBound)
    }

    /// Reads the calendar file.
    private func read(_ text: DayText) throws -> ICalendar {
        guard let file = FileHandle(forReadingAtPath: calendar),
            let data = try? file.read(upToCount: ICalendar.bytesLimit + 1)
        else {
            throw CommandFailure.badInput("\(calendar): cannot be read; is the path right?")
        }
        do throws(ICalendarFailure) {
            return try ICalendar(Array(data))
        } catch {
            throw CommandFailure.badInput(text.line(of: error, "export the calendar again"))
        }
    }

    /// The day of the calendar with its places.
    private func input(
        _ file: ICalendar,
        _ places: PlaceReader,
        _ zone: ZoneTable,
        _ text: DayText
    ) throws -> DayInput {
        let date = try day.map { day in
            guard let date = CivilDate(iso8601: day) else {
                throw CommandFailure.badInput("--day: \"\(day)\" is not written as 2014-10-20")
            }
            return date
        }
        let found: CalendarDay
        do throws(CalendarDay.Failure) {
            found = try CalendarDay(file, on: date, zone: zone, zones: ICalendarZones(file))
        } catch {
            throw text.failure(error)
        }
        text.note(found.remarks)
        if found.entries.isEmpty { Console.note("nothing is on \(found.date.iso8601)") }
        do throws(PlaceReader.Failure) {
            let base = try base.map { base throws(PlaceReader.Failure) in
                try places.place(base, "--base")
            }
            for remark in base?.remarks ?? [] { Console.note(remark) }
            let input = try found.input(base: base) { entry throws(PlaceReader.Failure) in
                let place = try places.place(of: entry, text)
                for remark in place.remarks { text.note(text.at(entry.placeLine, remark)) }
                return place
            } branches: { entry throws(PlaceReader.Failure) in
                try places.branches(of: entry, text)
            }
            text.noteChoices(of: input)
            return input
        } catch {
            throw CommandFailure.badInput(text.plain(error.text))
        }
    }

    /// Prints the calendar with the journeys of the day.
    private func write(_ plan: PlannedDay, to file: ICalendar, _ text: DayText) {
        let events = JourneyEvents(plan, written: SystemClock.now)
        let calendar = events.added(
            to: file,
            summary: { text.trip($0, plan).title(of: $0.trip) },
            description: { journey in
                text.trip(journey, plan).legs(of: journey.trip).joined(separator: "\n")
            },
            location: { plan.place(of: $0.from)?.name }
        )
        Console.answer(calendar.bytes)
    }
}

extension ConflictRules.Profile: ExpressibleByArgument {}

extension PlaceReader {
    /// Finds the place of an entry of a calendar: its position, or else what its text names.
    ///
    /// - Throws: ``Failure`` where nothing is called as the entry says.
    fileprivate func place(
        of entry: CalendarDay.Entry,
        _ text: DayText
    ) throws(Failure) -> ResolvedPlace {
        if let position = entry.position {
            var place = place(at: position)
            if let name = entry.placeTexts.first { place.name = name }
            return place
        }
        let texts = entry.placeTexts
        if texts.count > 1, case .nothing = resolver.find(texts[0], .takesBest) {
            for shorter in texts.dropFirst() {
                // A town that an address ends with is not what was meant.
                if case .found(let place) = resolver.find(shorter, .takesBest),
                    place.kind != .locality
                {
                    return place
                }
            }
        }
        do throws(Failure) {
            return try place(texts.first ?? entry.title, "LOCATION")
        } catch {
            throw Failure(
                text: text.at(entry.placeLine, "\(error.text); \(Self.positionAdvice)")
            )
        }
    }

    private static let positionAdvice = "GEO:45.4641;9.1919 is a position"

    /// Finds the places of which a task may be at any; none if its text means a single place.
    ///
    /// - Throws: ``Failure`` where the text means a kind of place that the city does not have.
    fileprivate func branches(
        of entry: CalendarDay.Entry,
        _ text: DayText
    ) throws(Failure) -> [ResolvedPlace] {
        guard let name = entry.placeTexts.first, let found = resolver.branches(of: name) else {
            return []
        }
        guard !found.isEmpty else {
            throw Failure(
                text: text.at(
                    entry.placeLine,
                    "LOCATION: no \(text.quoted(name)) is on the city's map; try another word; "
                        + Self.positionAdvice
                )
            )
        }
        return found
    }
}
