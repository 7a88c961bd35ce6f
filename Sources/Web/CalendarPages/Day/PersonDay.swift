import Agenda
import Chronology
import CityData
import DayPlan
import DayPlanning
import Geo
import Identity
import Localization
import OpenData
import TaxiPages
import TravelPages
import TripPlanning
import WebCore

/// A day of a person: what is on it, and the plan.
struct PersonDay: Sendable {
    /// What became of planning the day.
    enum Outcome: Sendable {
        /// The plan is not finished yet.
        case planning
        /// The plan, or why there is none.
        case answered(DayPlans.Answer)
        /// The server has no city in which to travel.
        case noCity
    }

    /// The date in the city's time zone.
    let date: CivilDate
    /// The day from midnight to midnight on the city's clocks.
    let span: Range<Instant>
    /// The entries of the day, with the version of the calendar.
    let excerpt: AgendaExcerpt
    /// How the person travels.
    let settings: TravelSettings
    /// The occurrences of the day, by start.
    let occurrences: [AgendaOccurrence]
    /// What is remembered of the plan before this one.
    let memory: DayMemory
    /// What became of planning.
    let outcome: Outcome
    /// The taxis that are ordered for it, where a page shows them.
    var taxis = DayTaxis()
    /// Other days for tasks that do not fit into it, where a page offers them.
    var moves: [DayMove] = []

    /// The plan; nil if there is none.
    var plan: PlannedDay? {
        if case .answered(.planned(let plan, _)) = outcome { plan } else { nil }
    }

    /// The occurrence that a task of the plan is.
    func occurrence(of task: CalendarTask) -> AgendaOccurrence? {
        let window = task.timing.window
        return occurrences.first { $0.item.uid == task.uid && $0.span == window }
    }

    /// The tasks of a plan of this day that an entry is, as positions in ``DayInput/tasks``.
    func tasks(of entry: EntryNumber, in plan: PlannedDay) -> [Int] {
        plan.input.tasks.indices.filter { occurrence(of: plan.input.tasks[$0])?.entry == entry }
    }
}

extension CalendarPages {
    /// How long a page waits for a plan before it says that it is being made, in milliseconds.
    static let patience: Int64 = 1_500
    /// The approximate time that planning a day takes.
    private static let expected = Duration.milliseconds(300)

    /// The span of a day.
    func span(of date: CivilDate) -> Range<Instant> {
        date.span(in: web.settings.zoneTable)
    }

    /// A day of a person.
    ///
    /// - Parameters:
    ///   - date: the day.
    ///   - person: the person.
    ///   - change: entries that are not stored yet take the place of stored ones, or are added.
    ///   - patience: how long to wait for the plan, in milliseconds.
    ///   - cities: the cities in service.
    ///   - now: the current time.
    /// - Returns: the day, with its plan if it is made in time.
    /// - Throws: any error of the store.
    func day(
        _ date: CivilDate,
        of person: PersonNumber,
        with change: [AgendaEntry] = [],
        patience: Int64 = Self.patience,
        in cities: OpenedCities,
        at now: Moment
    ) async throws -> PersonDay {
        let span = span(of: date)
        var excerpt = try await agenda.entries(of: person, in: span)
        if !change.isEmpty { excerpt = excerpt.replacing(change) }
        let settings = try await agenda.settings(of: person)
        let memory = try await memory(of: person, on: date)
        let occurrences = excerpt.occurrences(in: span, zone: agenda.zone)
        // Most people travel without a vehicle of their own, and need no plans of other days.
        let spots =
            settings.mayMoveVehicles(to: occurrences)
            ? try await spots(of: person, on: date, settings) : [:]
        return PersonDay(
            date: date,
            span: span,
            excerpt: excerpt,
            settings: settings,
            occurrences: occurrences,
            memory: memory,
            outcome: await outcome(
                Subject(
                    date: date,
                    excerpt: excerpt,
                    settings: settings,
                    memory: memory,
                    spots: spots,
                    rules: rules
                ),
                person,
                change,
                settings.mayRent(for: occurrences) ? rentalVersion(span, now) : "",
                patience,
                cities,
                now
            )
        )
    }

    /// A day of a person who asks for it.
    func day(
        _ date: CivilDate,
        of person: PersonNumber,
        with change: [AgendaEntry] = [],
        patience: Int64 = Self.patience,
        _ context: RequestContext
    ) async throws -> PersonDay {
        try await day(
            date,
            of: person,
            with: change,
            patience: patience,
            in: context.cities,
            at: context.now
        )
    }

    /// What a plan is made from: the entries of a day and the settings of their owner.
    struct Subject: Sendable {
        let date: CivilDate
        let excerpt: AgendaExcerpt
        let settings: TravelSettings
        let memory: DayMemory
        /// Where own vehicles stand.
        let spots: [TravelMeans: SettingsPlace]
        /// Which entries may be at the same time, and how journeys lead to them.
        let rules: ConflictRules
    }

    private func outcome(
        _ subject: Subject,
        _ person: PersonNumber,
        _ change: [AgendaEntry],
        _ rentals: String,
        _ patience: Int64,
        _ cities: OpenedCities,
        _ now: Moment
    ) async -> PersonDay.Outcome {
        guard let city = Self.city(for: subject.settings, cities) else { return .noCity }
        let version =
            "\(subject.excerpt.version) \(Self.world(cities)) \(subject.spots.hashValue) "
            + "\(change.isEmpty ? 0 : change.hashValue) \(rentals)"
        let question = DayPlans.Question(
            person: person.rawValue,
            date: subject.date,
            version: version
        )
        let zone = agenda.zone
        let answer = await plans.answer(to: question, within: patience) {
            let answer = await Self.plan(subject, city, zone)
            // What is only tried out is not remembered.
            if change.isEmpty {
                await remember(answer, of: person, subject, in: city, at: now)
            }
            return answer
        }
        return answer.map { .answered($0) } ?? .planning
    }

    /// The version of what is known of shared vehicles for the day; nothing is for any day but the
    /// present one.
    private func rentalVersion(_ span: Range<Instant>, _ now: Moment) -> String {
        let now = Instant(now)
        return span.contains(now) ? travel.rentalVersion(at: now) : ""
    }

    /// The version of what plans depend on besides the calendar: city files, strikes, alerts and
    /// forecasts.
    static func world(_ cities: OpenedCities) -> String {
        "\(cities.epoch) \(cities.cities.first?.planner.forecastVersion ?? 0)"
    }

    /// The city in which a person's days are: the one around the base, or else the first.
    private static func city(
        for settings: TravelSettings,
        _ cities: OpenedCities
    ) -> OpenedCity? {
        let number = settings.base.flatMap { cities.places.city(covering: $0.position) } ?? 0
        return cities.cities.indices.contains(number) ? cities.cities[number] : nil
    }

    /// By how many seconds of travel another plan is worth a suggestion.
    private static let worthwhileSeconds: Int64 = 300

    /// By how many seconds of waiting a plan that keeps the means is given up.
    private static let idleSeconds: Int64 = 1_800

    /// Plans a day on the thread for days.
    private static func plan(
        _ subject: Subject,
        _ city: OpenedCity,
        _ zone: NamedZone
    ) async -> DayPlans.Answer {
        let places = city.places
        do throws(TripFailure) {
            return try await city.planner.day(expected: expected) { snapshot, conditions in
                var input: DayInput
                do throws(CalendarDay.Failure) {
                    input = try Self.input(subject, places, zone)
                } catch {
                    return .failed(.unreadable(error))
                }
                // Means that an entry alone may use are no means of the others.
                let usual = subject.settings.modes
                let modes = input.tasks.compactMap(\.demands.modes).reduce(usual) { $0.union($1) }
                if modes != usual {
                    for task in input.tasks.indices where input.tasks[task].demands.modes == nil {
                        input.tasks[task].demands.modes = usual
                    }
                }
                let planner = DayRelaxing(snapshot, modes: modes, conditions: conditions)
                do throws(DayPlanningFailure) {
                    let plan = try planner.plan(input)
                    let isFree = subject.memory.placements.isEmpty && subject.memory.legs.isEmpty
                    guard plan.isFeasible, !isFree else { return .planned(plan, better: nil) }
                    // What the day would be if nothing had been planned before.
                    input.memory.forgetPlan()
                    let other = try planner.plan(input)
                    // Keeping the means must not cost hours: who does not cycle in the rain would
                    // set out before it begins.
                    if other.isFeasible, other.givenUp == plan.givenUp,
                        plan.idleSeconds - other.idleSeconds >= idleSeconds
                    {
                        return .planned(other, better: nil)
                    }
                    let gain = plan.travelSeconds - other.travelSeconds
                    let isBetter =
                        other.isFeasible && other.givenUp == plan.givenUp
                        && gain >= worthwhileSeconds
                    return .planned(plan, better: isBetter ? other : nil)
                } catch {
                    return .failed(.unplannable(error))
                }
            }
        } catch {
            return .busy
        }
    }

    /// The day as the planner reads it.
    private static func input(
        _ subject: Subject,
        _ places: PlaceResolver,
        _ zone: NamedZone
    ) throws(CalendarDay.Failure) -> DayInput {
        let settings = subject.settings
        let day = try CalendarDay(
            subject.excerpt.entries.map { ($0.calendar, zone.zones(of: $0.calendar)) },
            on: subject.date,
            zone: zone.table
        )
        // A day begins where the last one ended.
        let first = settings.base(on: subject.date.adding(days: -1))
        let last = settings.base(on: subject.date)
        let base = last.map { place(named: $0.name, at: $0.position, places) }
        var input = day.input(base: base) { entry in
            if let position = entry.position {
                return place(named: entry.placeTexts.first ?? entry.title, at: position, places)
            }
            for text in entry.placeTexts {
                if case .found(let place) = places.find(text, .takesBest) { return place }
            }
            // A note such as "Room 5": its owner is wherever they are.
            return nil
        } branches: { entry in
            entry.placeTexts.first.flatMap { places.branches(of: $0) } ?? []
        }
        if settings.base == nil {
            // Own vehicles stand at the base.
            for task in input.tasks.indices {
                input.tasks[task].demands.modes?.bicycle = false
                input.tasks[task].demands.modes?.car = false
            }
        }
        input.memory = subject.memory
        if let first, first != last {
            input.morning = place(named: first.name, at: first.position, places)
        }
        for (vehicle, spot) in subject.spots where spot != first {
            guard let kind = vehicle.kind else { continue }
            input.vehicles[kind] = place(named: spot.name, at: spot.position, places)
        }
        if let here = subject.memory.whereabouts {
            input.start = DayStart(
                at: place(named: here.place.name, at: here.place.position, places),
                time: Instant(seconds: here.time)
            )
        }
        if !subject.memory.dropsWalkLimits {
            input.limits.legWalkMetres = settings.walkMetres
            input.limits.dayWalkMetres = settings.dayWalkMetres
        }
        wish(subject, of: &input)
        return input
    }

    /// A place of a person; a stop of that name at that position is the stop itself, so that
    /// journeys may begin at any of its platforms.
    private static func place(
        named name: String,
        at position: Coordinate,
        _ places: PlaceResolver
    ) -> ResolvedPlace {
        let found =
            switch places.find(name, .asks) {
            case .found(let one): [one]
            case .several(let all): all
            case .nothing: [ResolvedPlace]()
            }
        return found.first { $0.coordinate == position }
            ?? ResolvedPlace(name: name, kind: .coordinate, coordinate: position)
    }
}

extension TravelSettings {
    /// The means for the planner; an own vehicle stands at the base, so without a base there is
    /// none.
    var modes: TripModes { Self.modes(means, hasVehicles: base != nil) }

    /// Whether an own vehicle may be used on a day with these occurrences.
    func mayMoveVehicles(to occurrences: [AgendaOccurrence]) -> Bool {
        guard base != nil else { return false }
        let names = Set(TravelMeans.vehicles.map { $0.rawValue.uppercased() })
        return !means.isDisjoint(with: TravelMeans.vehicles)
            || occurrences.contains { !names.isDisjoint(with: $0.item.modes ?? []) }
    }

    /// Whether a vehicle may be rented on a day with these occurrences.
    func mayRent(for occurrences: [AgendaOccurrence]) -> Bool {
        let names = Set(TravelMeans.shared.map { $0.rawValue.uppercased() })
        return !means.isDisjoint(with: TravelMeans.shared)
            || occurrences.contains { !names.isDisjoint(with: $0.item.modes ?? []) }
    }

    /// Some means for the planner.
    static func modes(_ means: Set<TravelMeans>, hasVehicles: Bool) -> TripModes {
        var modes = TripModes(walk: false, transit: 0).with(means.compactMap(\.kind))
        modes.bicycle = modes.bicycle && hasVehicles
        modes.car = modes.car && hasVehicles
        return modes
    }
}

extension AgendaExcerpt {
    /// The entries with some that are not stored yet in place of those with the same numbers.
    func replacing(_ changed: [AgendaEntry]) -> AgendaExcerpt {
        let numbers = Set(changed.map(\.number))
        return AgendaExcerpt(
            version: version,
            entries: entries.filter { !numbers.contains($0.number) } + changed
        )
    }
}
