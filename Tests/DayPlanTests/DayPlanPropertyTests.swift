import Chronology
import SeededRandom
import TestSupport
import Testing

@testable import DayPlan

/// Issue 32, "Verification": the solver against everything that is possible, on random days.
@Suite("Plan of a random day")
struct DayPlanPropertyTests {
    private static let families: [(String, RandomDay.Kinds)] = {
        var families: [(String, RandomDay.Kinds)] = []
        func add(_ name: String, _ change: (inout RandomDay.Kinds) -> Void) {
            var kinds = RandomDay.Kinds()
            change(&kinds)
            families.append((name, kinds))
        }
        add("plain") { _ in }
        add("without bases") { $0.hasBases = false }
        add("vehicles") { $0.hasVehicles = true }
        add("limits on walking") { $0.hasWalkLimits = true }
        add("without place") { $0.hasPlaceless = true }
        add("overlaps") {
            $0.hasPlaceless = true
            $0.hasOverlaps = true
        }
        add("a former plan") { $0.hasFormerPlan = true }
        add("commitments") { $0.hasCommitments = true }
        add("rentals (V62, V83)") { $0.hasRentals = true }
        add("rentals beside own vehicles") {
            $0.hasRentals = true
            $0.hasVehicles = true
            $0.hasWalkLimits = true
        }
        add("journeys within windows (A8)") { $0.hasDepartures = true }
        add("journeys to vehicles within windows (A8)") {
            $0.hasDepartures = true
            $0.hasVehicles = true
            $0.hasPlaceless = true
        }
        add("everything") {
            $0 = RandomDay.Kinds(
                tasks: 2,
                places: 3,
                hasBases: false,
                hasVehicles: true,
                hasWalkLimits: true,
                hasPlaceless: true,
                hasOverlaps: true,
                hasFormerPlan: true,
                hasCommitments: true,
                hasRentals: true,
                hasDepartures: true
            )
        }
        return families
    }()

    /// A random day, with a former plan or commitments that come from a plan of a similar day.
    private static func instance(
        _ kinds: RandomDay.Kinds,
        seed: UInt64
    ) throws -> (day: Day, table: TravelTable) {
        var random = SeededRandom(seed: seed)
        var day = RandomDay.day(kinds, &random)
        var table = RandomDay.table(day, places: kinds.places, &random)
        if kinds.hasRentals { RandomDay.addRentals(day, to: &table, &random) }
        guard kinds.hasFormerPlan || kinds.hasCommitments else { return (day, table) }
        var other = day
        other.weights.travel = (0..<5).map { _ in Int32(random.below(20)) }
        if random.happens(0.5), other.tasks.count > 1 { other.tasks.removeFirst() }
        guard let plan = try DayPlan.solve(other, by: table).plan else { return (day, table) }
        if kinds.hasFormerPlan {
            day.former = plan.tasks.map {
                // Of a task that is done anywhere a plan need not say where it was.
                let place = random.happens(0.2) ? nil : $0.place
                return FormerTask($0.id, piece: $0.piece, start: $0.start, place: place)
            }
            for leg in plan.legs where random.happens(0.5) {
                // The last journey to a task is the one after that to a vehicle.
                day.formerLegs.removeAll { $0.task == leg.task && $0.piece == leg.piece }
                day.formerLegs.append(FormerLeg(to: leg.task, piece: leg.piece, by: leg.mode))
            }
        }
        if kinds.hasCommitments {
            for task in plan.tasks where task.piece == 0 {
                if random.happens(0.4) { day.commitments.append(.start(task.id, task.start)) }
                if let place = task.place, random.happens(0.3) {
                    day.commitments.append(.place(task.id, place))
                }
            }
            for leg in plan.legs where leg.piece == 0 && random.happens(0.3) {
                let seconds = Int32(leg.arrival.seconds - leg.departure.seconds)
                let option = TravelOption(
                    leg.mode,
                    departure: leg.departure,
                    seconds: seconds,
                    walkMetres: leg.walkMetres
                )
                let known = day.commitments.contains {
                    if case .journey(let journey) = $0 { journey.task == leg.task } else { false }
                }
                if !known {
                    let booked = BookedJourney(to: leg.task, from: leg.from, to: leg.to, option)
                    day.commitments.append(.journey(booked))
                }
            }
        }
        return (day, table)
    }

    private static func compare(_ kinds: RandomDay.Kinds, seed: UInt64) throws -> DayAnswer {
        let (day, table) = try instance(kinds, seed: seed)
        let answer = try DayPlan.solve(day, by: table)
        let slow = SlowDay.cost(day, table, step: RandomDay.step)
        #expect(answer.isExact)
        #expect(answer.plan?.cost == slow, "seed \(seed)")
        if let plan = answer.plan {
            #expect(answer.bound == plan.cost && answer.gap == 0)
            let faults = PlanChecker.faults(plan, day, table)
            #expect(faults == [], "seed \(seed)")
        }
        return answer
    }

    @Test(
        "costs what trying everything costs, and keeps all rules",
        arguments: families.indices
    )
    func oracle(family: Int) throws {
        let kinds = Self.families[family].1
        var feasible = 0
        let count = Effort.instances(150, everything: 2_000)
        for number in 0..<count {
            let seed = UInt64(family * 1_000_000 + number)
            if try Self.compare(kinds, seed: seed).isFeasible { feasible += 1 }
        }
        #expect(feasible > count / 10 && feasible < count, "\(Self.families[family].0)")
    }

    @Test(
        "days that once cost too much, or ended beyond a slot",
        arguments: [
            2_001_541, 3_001_060, 4_000_425, 5_000_729, 5_000_975, 5_001_332, 5_001_531, 5_001_579,
            5_001_666, 5_001_859,
        ] as [UInt64]
    )
    func kept(seed: UInt64) throws {
        _ = try Self.compare(Self.families[Int(seed / 1_000_000)].1, seed: seed)
    }

    @Test("up to seven tasks", arguments: 4...7)
    func many(tasks: Int) throws {
        for number in 0..<Effort.instances(5, everything: 50) {
            var kinds = RandomDay.Kinds(tasks: tasks, steps: 72, places: 5)
            kinds.hasVehicles = number % 2 == 1
            kinds.hasPlaceless = number % 3 == 2
            kinds.hasRentals = number % 4 == 1
            _ = try Self.compare(kinds, seed: UInt64(tasks * 10_000 + number))
        }
    }

    @Test("the order of entry does not matter")
    func order() throws {
        for (family, (name, kinds)) in Self.families.enumerated() {
            for number in 0..<Effort.instances(40) {
                let seed = UInt64(family * 5_000 + number) ^ 0x0DE4
                let (day, table) = try Self.instance(kinds, seed: seed)
                var random = SeededRandom(seed: seed)
                var other = day
                other.tasks = random.shuffled(day.tasks)
                other.former = random.shuffled(day.former)
                other.formerLegs = random.shuffled(day.formerLegs)
                other.commitments = random.shuffled(day.commitments)
                for task in other.tasks.indices {
                    other.tasks[task].slots = random.shuffled(other.tasks[task].slots)
                }
                var options = TravelTable(placeCount: table.placeCount)
                for from in 0..<table.placeCount {
                    for to in 0..<table.placeCount {
                        let pair = [from, to].map { PlaceIndex(rawValue: UInt16($0)) }
                        for option in random.shuffled(table.options(from: pair[0], to: pair[1])) {
                            options.add(option, from: pair[0], to: pair[1])
                        }
                    }
                }
                let answer = try DayPlan.solve(day, by: table)
                #expect(try DayPlan.solve(other, by: options) == answer, "\(name), seed \(seed)")
            }
        }
    }

    @Test("with little effort there is a plan that keeps the rules, and a bound that holds")
    func anytime() throws {
        var (gaps, cut) = (0, 0)
        for number in 0..<Effort.instances(100) {
            let kinds = RandomDay.Kinds(tasks: 5, steps: 72, places: 5)
            let (day, table) = try Self.instance(kinds, seed: UInt64(number) ^ 0xA117)
            let best = try DayPlan.solve(day, by: table)
            for effort in [1, 10, 40] {
                let answer = try DayPlan.solve(day, by: table, effort: effort)
                if !answer.isExact { cut += 1 }
                guard let plan = answer.plan, let exact = best.plan else { continue }
                #expect(PlanChecker.faults(plan, day, table) == [])
                #expect(answer.bound <= exact.cost && exact.cost <= plan.cost)
                if let gap = answer.gap, gap > 0 { gaps += 1 }
            }
        }
        #expect(gaps > 0 && cut > 0)
    }

    @Test("a former plan that still works is kept, whatever has become better (A17)")
    func stability() throws {
        for number in 0..<Effort.instances(100) {
            let kinds = RandomDay.Kinds()
            let (first, table) = try Self.instance(kinds, seed: UInt64(number) ^ 0x57AB)
            var day = first
            guard let plan = try DayPlan.solve(day, by: table).plan else { continue }
            day.former = plan.tasks.map {
                FormerTask($0.id, piece: $0.piece, start: $0.start, place: $0.place)
            }
            var random = SeededRandom(seed: UInt64(number))
            day.weights.travel = (0..<5).map { _ in Int32(random.below(20)) }
            day.weights.waiting = Int32(random.below(12))
            #expect(try DayPlan.solve(day, by: table).plan?.cost.changedTasks == 0)
        }
    }
}
