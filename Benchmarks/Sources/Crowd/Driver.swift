import Glibc
import SeededRandom

/// A simulated driver: one connection for the stream of events, the pages and the reports.
///
/// The driver acts on the pages alone, as a person does: an event says that something has changed,
/// the page says what, and its forms are submitted with their hidden fields.
actor Driver {
    /// After this time without a report, the queue position may have been kept as for a lost
    /// contact: the lowest `driver.stale_s` of the presets, less two reports.
    private static let silence = Duration.seconds(80)

    private let number: Int
    private let browser: Browser
    private let ledger: Ledger
    private let outage: Outage
    private let plan: Plan
    private var chance: SeededRandom
    private var page: LivePage?
    private var device: Device
    private var heardAt = ContinuousClock.now
    private var isAnswering = false
    private var isBoarding = false
    /// The request that the driver is about to accept or has accepted.
    private var request: String?

    init(
        _ number: Int,
        _ person: Person,
        _ browser: Browser,
        _ ledger: Ledger,
        _ outage: Outage,
        _ plan: Plan
    ) {
        self.number = number
        self.browser = browser
        self.ledger = ledger
        self.outage = outage
        self.plan = plan
        chance = SeededRandom(seed: plan.seed &+ UInt64(number))
        device = Device(
            north: person.north + chance.between(-0.001, 0.001),
            east: person.east + chance.between(-0.001, 0.001)
        )
    }

    /// Works until the task is cancelled.
    ///
    /// - Parameter begun: called once the driver is in the queue.
    /// - Throws: the error that prevented this; `CancellationError`.
    func run(begun: @escaping @Sendable () -> Void) async throws {
        let first = Page(bytes: try await browser.ask(.get, "/drive").bytes)
        device.token = first.token
        await report(intended: .now)
        let duty = first.form("/drive/duty") ?? []
        let done = try await browser.send(duty + [("wish", "on")], to: "/drive/duty")
        guard done.status == 303 else { throw Wire.Fault.refused(done.status) }
        let page = LivePage(
            "/drive",
            first,
            "drive",
            in: browser,
            ledger,
            seed: plan.seed &+ UInt64(number),
            hear: { moment in
                Task(executorPreference: Loop.only) { await self.hear(at: moment) }
            },
            show: { await self.see($0, $1, begun) }
        )
        self.page = page
        let open = outage.opened(page)
        defer { outage.closed(open) }
        await page.look()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.report() }
            group.addTask { await page.follow() }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    // MARK: Positions

    /// Every five seconds, each driver with a different phase.
    private func report() async throws {
        var next = ContinuousClock.now + .milliseconds(Int64(chance.between(0, 5_000)))
        while true {
            try await Loop.only.sleep(until: next)
            await report(intended: next)
            next += .seconds(5)
        }
    }

    private func report(intended: ContinuousClock.Instant) async {
        device.measure()
        guard let body = device.message() else { return }
        let answer = await ledger.measured("POST /drive/positions", since: intended) {
            try await browser.ask(
                .post,
                "/drive/positions",
                [("content-type", "application/json"), ("x-form-token", device.token)],
                body: body
            )
        }
        device.heed(answer)
        guard let answer, answer.status < 300 else { return }
        if heardAt.duration(to: .now) > Self.silence { ledger.wasSilent() }
        heardAt = .now
    }

    // MARK: Events

    private func hear(at moment: ContinuousClock.Instant) {
        if let request { ledger.notified("driver", of: request, at: moment) }
    }

    /// Does what the page asks the driver to do.
    private func see(
        _ page: Page,
        _ seen: LivePage.Moments,
        _ begun: @Sendable () -> Void
    ) {
        if let offer = page.form("/drive/offer/accept") {
            ledger.isOffered(number, seen)
            return answer(offer)
        }
        let place = page.place
        ledger.waits(number, at: place, seen)
        if place != nil {
            begun()
        } else if let boarding = page.form("/drive/ride/board") {
            board(boarding)
        } else if let goal = page.goal {
            // The taxi arrives at once: the benchmark measures the server, not the traffic.
            device.north = goal.north
            device.east = goal.east
        }
    }

    private func answer(_ offer: [(String, String)]) {
        guard !isAnswering, let asked = offer.first(where: { $0.0 == "request" })?.1 else {
            return
        }
        isAnswering = true
        // Thinking times are uniform, and short enough that no offer expires after its minute.
        let longest = min(2 * plan.answerSeconds, 58)
        let shortest = 2 * plan.answerSeconds - longest
        let due = ContinuousClock.now + .seconds(chance.between(shortest, longest))
        Task(executorPreference: Loop.only) {
            try await Loop.only.sleep(until: due)
            // During an outage no decisions are taken and nothing is measured.
            try await self.outage.isOver()
            await self.page?.look { await self.accept(asked, offer, since: due) }
        }
    }

    private func accept(
        _ asked: String,
        _ offer: [(String, String)],
        since due: ContinuousClock.Instant
    ) async -> Bool {
        request = asked
        ledger.accepts(asked, by: number, at: .now)
        let done = await ledger.measured("POST /drive/offer/accept", since: due) {
            try await browser.send(offer, to: "/drive/offer/accept")
        }
        ledger.accepted(asked, by: number, done?.status == 303)
        isAnswering = false
        isBoarding = false
        // The page shows the outcome, also where another driver was faster.
        return true
    }

    private func board(_ form: [(String, String)]) {
        guard !isBoarding, let ride = form.first(where: { $0.0 == "ride" })?.1 else { return }
        isBoarding = true
        Task(executorPreference: Loop.only) {
            // The passenger reads the code from their page, which may be updated a moment later.
            for _ in 0..<60 {
                try await self.outage.isOver()
                if await self.page?.look(after: { await self.hasBoarded(form, ride) }) == true {
                    break
                }
                try await Loop.only.sleep(until: .now + .seconds(1))
            }
            try await Loop.only.sleep(until: .now + .seconds(self.plan.rideSeconds))
            for _ in 0..<30 {
                try await self.outage.isOver()
                if await self.page?.look(after: { await self.hasFinished() }) == true { return }
                try await Loop.only.sleep(until: .now + .seconds(2))
            }
        }
    }

    private func hasBoarded(_ form: [(String, String)], _ ride: String) async -> Bool {
        guard let code = ledger.code(of: ride) else { return false }
        let fields = form.filter { !["code", "aboard"].contains($0.0) }
        let done = await ledger.measured("POST /drive/ride/board", since: .now) {
            try await browser.send(
                fields + [("code", code), ("aboard", "1")],
                to: "/drive/ride/board"
            )
        }
        return done?.status == 303
    }

    private func hasFinished() async -> Bool {
        let shown = await ledger.measured("GET /drive/ride/finish", since: .now) {
            try await browser.ask(.get, "/drive/ride/finish")
        }
        guard let form = shown.flatMap({ Page(bytes: $0.bytes).form("/drive/ride/finish") }) else {
            return false
        }
        let done = await ledger.measured("POST /drive/ride/finish", since: .now) {
            try await browser.send(form, to: "/drive/ride/finish")
        }
        return done?.status == 303
    }
}

/// A driver's device: its position, and the positions not sent yet, by the rules of `drive.js`.
struct Device {
    /// The greatest number of positions that the server accepts at once.
    private static let most = 512

    /// The position north of the equator, in degrees.
    var north: Double
    var east: Double
    /// The form token that is sent with each report.
    var token = ""
    private var waiting: [(at: Int64, north: Double, east: Double)] = []
    private var sent = 0
    private var notBefore: Int64 = 0

    init(north: Double, east: Double) {
        self.north = north
        self.east = east
    }

    /// Records the current position.
    mutating func measure() {
        waiting.append((Self.now, north, east))
        if waiting.count > Self.most { waiting.removeFirst() }
    }

    /// The report to send; nil while the server has asked for a pause.
    mutating func message() -> String? {
        let now = Self.now
        guard now >= notBefore else { return nil }
        sent = waiting.count
        let list = waiting.map { at, north, east in
            "{\"at\":\(at),\"latitude\":\(north),\"longitude\":\(east),\"accuracy\":5}"
        }
        return "{\"sentAt\":\(now),\"positions\":[\(list.joined(separator: ","))]}"
    }

    /// Processes the response; nil means that there was none, and the report is sent
    /// again with the next one.
    mutating func heed(_ answer: Wire.Answer?) {
        guard let answer else { return }
        if answer.status == 429 || answer.status >= 500 {
            notBefore = Self.now + Int64(min(answer.retryAfter ?? 5, 60)) * 1_000
        } else {
            waiting.removeFirst(min(sent, waiting.count))
        }
    }

    /// The time of day by the device's clock, in milliseconds since 1970.
    private static var now: Int64 {
        var reading = timespec()
        clock_gettime(CLOCK_REALTIME, &reading)
        return Int64(reading.tv_sec) * 1_000 + Int64(reading.tv_nsec) / 1_000_000
    }
}
