import Geo
import SeededRandom
import Streets
import Testing

/// A driver in a random town who mostly follows the navigation, and what their device measures.
///
/// The drive knows where the car really is, and so what the navigation should have said.
struct SimulatedDrive {
    let town: RandomTown
    private let script: NavigationScript
    private let workspace: StreetWorkspace
    private let seed: UInt64
    private var random: SeededRandom
    private var outcome = Outcome()

    private var route: StreetRoute?
    private var manoeuvres: [Manoeuvre] = []
    private let target: StreetPlace

    /// The points that the car really passes, how far along them it is, and where on the route that
    /// is; nil off the route.
    private var path: [(east: Double, north: Double)] = []
    private var covered = 0.0
    private var joined: Double?
    /// The last street and the junction at its end, off the route.
    private var wrong: (edge: UInt32, end: UInt32)?
    private var speed = 0.0
    private var halt = 0.0
    private var now = 1_000_000.0

    /// The moment at which the measurements showed that the way was left.
    private var evidence: Double?
    /// The moment at which the way was renewed, and when the answer comes.
    private var asked: (at: Double, answer: Double)?
    private var begun = 0.0
    private var told: [String: Double] = [:]
    private var stages: Set<String> = []
    private var passed: Set<Int> = []
    private var gapUntil = 0.0
    private var vagueUntil = 0.0
    private var jump: (left: Int, east: Double, north: Double) = (0, 0, 0)
    private var gapBegan: Double?
    /// How long the last gap was, in milliseconds, and until when it matters.
    private var blind: (gap: Double, until: Double) = (0, 0)
    /// When a usable position was measured last, and from when on the next ones count after a gap.
    private var seen = 0.0
    private var settled = 0.0
    /// When a position was measured in a wrong place last.
    private var jumped = 0.0
    /// Whether a turn was taken in the current gap, and until when the next one may be a surprise.
    private var isSurprised = false
    /// Whether a position was measured since the route is shown.
    private var isConfirmed = false
    private var surprisedUntil = 0.0
    private let hasSensors: Bool

    /// Begins a drive between two random places of a town; nil if no long way leads there.
    init?(seed: UInt64, in town: RandomTown, _ script: NavigationScript) throws {
        var random = SeededRandom(seed: seed)
        self.town = town
        self.script = script
        self.seed = seed
        workspace = StreetWorkspace(for: town.network)
        hasSensors = Bool.random(using: &random)
        let ends = [town.place(&random), town.place(&random)].compactMap {
            town.network.snap($0, for: .taxi).first
        }
        guard ends.count == 2 else { return nil }
        target = ends[1]
        self.random = random
        guard
            let route = town.network.route(
                from: ends[0],
                to: target,
                by: town.metric,
                using: workspace
            ), route.cost.decimetres > 4_000
        else { return nil }
        try take(route, follows: false)
        path = route.geometry.map { town.plane.project($0) }
        joined = 0
    }

    /// Drives to the end.
    mutating func drive() throws -> Outcome {
        for _ in 0..<1_500 where !outcome.hasArrived {
            let seconds = Double.random(in: 0.8...1.3, using: &random)
            now += seconds * 1_000
            move(seconds)
            try answer()
            try checkPassed()
            if let fix = measure() {
                let isUsable = fix.accuracy <= 60 && jump.left == 0
                if isUsable { noteEvidence(fix.accuracy) } else { evidence = nil }
                try check(try script.report(fix), fix.accuracy, isUsable)
            } else {
                evidence = nil
                try check(try script.pass(at: now), 10, false)
            }
        }
        outcome.isToldSo = stages.contains("\(begun) \(manoeuvres.count - 1) 3")
        return outcome
    }

    // MARK: What really happens

    private var length: Double { PlanePath.length(of: path) }

    /// Where the car is, and the direction in which it drives, in degrees clockwise from north.
    private var car: (place: (east: Double, north: Double), heading: Double) {
        var left = covered
        for (from, to) in zip(path, path.dropFirst()) {
            let step = PlanePath.distance(from, to)
            if left <= step, step > 0 {
                let share = left / step
                let (east, north) = (to.east - from.east, to.north - from.north)
                let heading = Trigonometry.angle(y: east, x: north) * 180 / Trigonometry.pi
                return ((from.east + east * share, from.north + north * share), heading)
            }
            left -= step
        }
        return (path[path.count - 1], 0)
    }

    private var along: Double? { joined.map { $0 + covered } }

    private mutating func move(_ seconds: Double) {
        if halt > 0 {
            halt -= seconds
            speed = 0
            return
        }
        let next = along.flatMap { along in manoeuvres.first { $0.metres > along } }
        let isNearTurn = next.map { $0.metres - (along ?? 0) < 25 } == true
        let wanted = isNearTurn ? 6.0 : Double.random(in: 9...14, using: &random)
        speed += min(2.5 * seconds, max(-4 * seconds, wanted - speed))
        let step = speed * seconds
        let before = along
        covered += step
        if let before, let next, next.action != .arrive, next.metres <= before + step {
            decide(at: next)
        } else if let before, Int.random(in: 0..<300, using: &random) == 0 {
            turnRound(before)
        }
        if joined == nil { wander() }
        if Int.random(in: 0..<60, using: &random) == 0 {
            halt = .random(in: 3...25, using: &random)
        }
        if joined != nil, covered >= length - 1 { outcome.hasArrived = true }
    }

    /// At a turn of the route: mostly obeys, sometimes takes another street.
    private mutating func decide(at turn: Manoeuvre) {
        guard let route, Int.random(in: 0..<8, using: &random) == 0,
            let number = route.stretches.firstIndex(where: { $0.firstPoint == turn.point }),
            number > 0
        else { return }
        let edges = Set(
            [route.stretches[number - 1], route.stretches[number]].map(\.edge.rawValue)
        )
        guard
            let other = town.exit(
                from: town.start(of: route.stretches[number]),
                except: edges,
                &random
            )
        else { return }
        covered = max(0, (along ?? 0) - turn.metres)
        leave(along: other.points.map { town.plane.project($0) })
        wrong = (other.edge, other.end)
    }

    /// Turns round in the middle of the street, and drives back.
    private mutating func turnRound(_ along: Double) {
        guard let route, along > 150 else { return }
        var back: [(east: Double, north: Double)] = [car.place]
        var metres = 0.0
        var reached: [(metres: Double, point: (east: Double, north: Double))] = []
        let points = route.geometry.map { town.plane.project($0) }
        for (number, point) in points.enumerated() {
            if number > 0 { metres += PlanePath.distance(points[number - 1], point) }
            if metres < along - 1 { reached.append((metres, point)) }
        }
        back += reached.reversed().map(\.point)
        covered = 0
        leave(along: back)
        wrong = nil
    }

    private mutating func leave(along points: [(east: Double, north: Double)]) {
        path = points
        joined = nil
        outcome.departures += 1
    }

    /// Off the route, goes on along random streets.
    private mutating func wander() {
        while covered >= length - 1 {
            guard let last = wrong,
                let next = town.exit(from: last.end, except: [last.edge], &random)
            else {
                covered = length - 1
                speed = 0
                return
            }
            let rest = covered - length
            path = next.points.map { town.plane.project($0) }
            covered = max(0, rest)
            wrong = (next.edge, next.end)
        }
    }

    // MARK: What the device measures

    private mutating func measure() -> NavigationScript.Fix? {
        if now >= gapUntil, Int.random(in: 0..<120, using: &random) == 0 {
            gapUntil = now + .random(in: 4_000...25_000, using: &random)
            outcome.gaps += 1
        }
        if now < gapUntil {
            gapBegan = gapBegan ?? now
            return nil
        }
        if now >= vagueUntil, Int.random(in: 0..<150, using: &random) == 0 {
            vagueUntil = now + .random(in: 3_000...8_000, using: &random)
        }
        let isVague = now < vagueUntil
        let accuracy = Double.random(in: isVague ? 80...300 : 4...12, using: &random)
        if jump.left > 0 {
            jump.left -= 1
        } else if !isVague, Int.random(in: 0..<80, using: &random) == 0 {
            let angle = Double.random(in: 0...6.28, using: &random)
            let far = Double.random(in: 150...500, using: &random)
            let (east, north) = (Trigonometry.sine(angle) * far, Trigonometry.cosine(angle) * far)
            jump = (Int.random(in: 1...3, using: &random), east, north)
            outcome.jumps += 1
        }
        if isVague || jump.left > 0 { gapBegan = gapBegan ?? now }
        let (place, heading) = car
        let isOff = jump.left > 0
        if isOff { jumped = now }
        let noise = { (random: inout SeededRandom) in
            (Double.random(in: -1...1, using: &random) + .random(in: -1...1, using: &random))
                * accuracy / 2.5
        }
        let found = town.plane.place(
            east: place.east + noise(&random) + (isOff ? jump.east : 0),
            north: place.north + noise(&random) + (isOff ? jump.north : 0)
        )
        let turned = (heading + .random(in: -10...10, using: &random) + 360)
            .truncatingRemainder(dividingBy: 360)
        return NavigationScript.Fix(
            at: now,
            latitude: found.latitudeDegrees,
            longitude: found.longitudeDegrees,
            accuracy: accuracy.rounded(.up),
            speed: hasSensors ? max(0, speed + .random(in: -0.5...0.5, using: &random)) : nil,
            heading: hasSensors && speed > 1 ? turned : nil
        )
    }

    /// How far the car is from the route.
    private var aside: Double {
        guard joined == nil, let route else { return 0 }
        let points = route.geometry.map { town.plane.project($0) }
        return PlanePath.distance(from: car.place, to: points)
    }

    private mutating func noteEvidence(_ accuracy: Double) {
        if let gapBegan { blind = (now - gapBegan, now + 6_000) }
        gapBegan = nil
        if !isConfirmed { surprisedUntil = now + 8_000 }
        isConfirmed = true
        if isSurprised { surprisedUntil = now + 8_000 }
        isSurprised = false
        // After a gap a position may be wrong for a moment, and the navigation waits.
        if now > seen + 5_000 { settled = now + 4_000 }
        if now < jumped + 5_000, jumped < settled + 5_000 { settled = now + 5_000 }
        seen = now
        if evidence == nil, now > settled, aside > 25 + 2 * accuracy { evidence = now }
    }

    // MARK: What should be said

    private mutating func check(
        _ told: NavigationScript.Told,
        _ accuracy: Double,
        _ isUsable: Bool
    ) throws {
        let place = along.map { "\(Int($0)) m along" } ?? "\(Int(aside)) m aside"
        let comment: Comment = "seed \(seed) at \(now), \(place): \(told) \(manoeuvres)"
        for one in told.say {
            let key = "\(begun) \(one.step)"
            let turn = manoeuvres[one.step]
            // Nothing is said twice, and nothing once it is known that the car has left the route.
            try #require(stages.insert("\(key) \(one.stage)").inserted, comment)
            if let evidence { try #require(now < evidence + 2_000, comment) }
            if let along {
                // Without sensors it may take a moment after a gap to know which way a car goes.
                let gap = gapBegan.map { now - $0 } ?? (now < self.blind.until ? self.blind.gap : 0)
                let blind = gap / 1_000
                let slack = 30 + 2 * accuracy + blind * 12
                try #require(along < turn.metres + 12 + accuracy + blind * 14, comment)
                try #require(abs(turn.metres - along - one.rest) < slack, comment)
            }
            let names = [one.step] + (one.then ? [one.step + 1] : [])
            for name in names.map({ name(of: $0) }) { self.told[name] = self.told[name] ?? now }
        }
        if told.state == "left", asked == nil {
            try #require(joined == nil, "for no reason, \(comment)")
            outcome.renewals += 1
            asked = (now, now + .random(in: 300...2_000, using: &random))
        }
        if let evidence, asked == nil, isUsable {
            try #require(now < evidence + 2_000, "not noticed, \(comment)")
        }
    }

    /// Checks that each turn that the car takes was announced in time.
    private mutating func checkPassed() throws {
        guard let along else { return }
        for (number, turn) in manoeuvres.enumerated()
        where turn.metres <= along && number > 0 && passed.insert(number).inserted {
            // A turn right after the start of a route, or unseen in a gap, comes as a surprise.
            if gapBegan != nil { isSurprised = true }
            if turn.action != .arrive { outcome.surprises += 1 }
            guard turn.action != .arrive, turn.metres - (joined ?? 0) > 60, now > begun + 8_000,
                gapBegan == nil, isConfirmed, now > surprisedUntil
            else { continue }
            outcome.surprises -= 1
            outcome.turns += 1
            let said = told[name(of: number)]
            let comment: Comment = "seed \(seed) at \(now): turn \(number) of \(manoeuvres)"
            try #require(said != nil && (said ?? now) <= now - 3_000, comment)
        }
    }

    // MARK: The server

    private mutating func answer() throws {
        guard let request = asked, now >= request.answer else { return }
        let (place, heading) = car
        let here = town.plane.place(east: place.east, north: place.north)
        let found = town.network.snap(here, for: .taxi, count: 4, within: 40).compactMap { found in
            var found = found
            let turn = abs(heading - town.network.bearingDegrees(at: found))
                .truncatingRemainder(dividingBy: 360)
            let size = turn > 180 ? 360 - turn : turn
            found.leavesForward = size <= 90
            return min(size, 180 - size) < 30 ? found : nil
        }
        asked = nil
        evidence = nil
        for start in found {
            let route = town.network.route(
                from: start,
                to: target,
                by: town.metric,
                using: workspace
            )
            guard let route else { continue }
            try take(route, follows: true)
            path = route.geometry.map { town.plane.project($0) }
            covered = 0
            joined = 0
            return
        }
        // Nothing leads on in this direction: the car goes on, and the page asks again.
    }

    /// What a turn is called while the route may be renewed.
    private func name(of number: Int) -> String {
        let turn = manoeuvres[number]
        return "\(route.map { "\($0.geometry[turn.point])" } ?? "") \(turn.action)"
    }

    private mutating func take(_ route: StreetRoute, follows: Bool) throws {
        self.route = route
        manoeuvres = town.network.manoeuvres(of: route, by: town.metric)
        begun = now
        // A driver who comes to the same turn once more is told once more.
        told = told.filter { $0.value > now - 60_000 }
        isConfirmed = false
        passed = []
        let points = route.geometry.map { [$0.latitudeDegrees, $0.longitudeDegrees] }
        let steps = manoeuvres.map { turn in
            (point: turn.point, key: "\(seed) \(route.geometry[turn.point]) \(turn.action)")
        }
        try script.take(points: points, steps: steps, follows: follows)
    }
}
