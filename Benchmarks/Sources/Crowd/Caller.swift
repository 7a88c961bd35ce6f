import SeededRandom

/// A simulated passenger, who requests a taxi, watches the page, and rides to the end.
struct Caller: Sendable {
    let number: Int
    let person: Person
    let browser: Browser
    let plan: Plan
    let ledger: Ledger
    let outage: Outage

    /// Requests a taxi and follows the request to its end.
    ///
    /// - Parameter intended: the scheduled moment of the request.
    func call(at intended: ContinuousClock.Instant) async {
        guard let (path, check) = await ask(since: intended) else { return ledger.addBroken() }
        let request = String(path.dropFirst("/ride/".count).prefix { $0.isNumber })
        ledger.asked(request)
        await follow("/ride/\(request)", request, check)
    }

    /// Fills in the form and confirms it.
    ///
    /// - Returns: the path of the request, and the page before it; nil where it
    ///   was not acknowledged.
    private func ask(since intended: ContinuousClock.Instant) async -> (String, Page)? {
        var chance = SeededRandom(seed: plan.seed &+ UInt64(number))
        let (north, east) = (
            person.north + chance.between(-0.001, 0.001),
            person.east + chance.between(-0.001, 0.001)
        )
        let first = await ledger.measured("GET /taxi", since: intended) {
            try await browser.ask(.get, "/taxi")
        }
        guard var form = first.flatMap({ Page(bytes: $0.bytes).form("/taxi") }) else { return nil }
        form.removeAll { ["from", "to", "seats"].contains($0.0) }
        form += [
            ("from", "\(north), \(east)"), ("to", "\(north), \(east + 0.002)"), ("seats", "1"),
        ]
        let filled = await ledger.measured("POST /taxi", since: .now) {
            try await browser.send(form, to: "/taxi")
        }
        // The page of the form shows the order, and its button then gives it.
        guard filled?.location == "/taxi" else { return nil }
        let shown = await ledger.measured("GET /taxi with an order", since: .now) {
            try await browser.ask(.get, "/taxi")
        }
        guard let shown else { return nil }
        let page = Page(bytes: shown.bytes)
        guard let hidden = page.form("/taxi"), let order = page.order else { return nil }
        let typed = form.filter { ["from", "to", "seats"].contains($0.0) }
        let sent = await ledger.measured("POST /taxi/request", since: .now) {
            try await browser.send(hidden + typed + [("order", order)], to: "/taxi/request")
        }
        guard let path = sent?.location, path.hasPrefix("/ride/") else { return nil }
        return (path, page)
    }

    /// Fetches the page whenever an event says that it changed, until the request has ended.
    private func follow(_ path: String, _ request: String, _ before: Page) async {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let progress = Progress(request, ledger) { end.finish() }
        let page = LivePage(
            path,
            before,
            "ride",
            in: browser,
            ledger,
            seed: plan.seed &+ UInt64(number),
            hear: { ledger.notified("passenger", of: request, at: $0) },
            show: { await progress.see($0, $1) }
        )
        let open = outage.opened(page)
        defer { outage.closed(open) }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await page.follow() }
            group.addTask {
                await page.look()
                for await _ in ends {}
            }
            await group.next()
            group.cancelAll()
        }
    }

    /// What a passenger has seen of the request so far.
    private actor Progress {
        private let request: String
        private let ledger: Ledger
        private let ended: @Sendable () -> Void
        private var isAnswered = false
        private var isOver = false

        init(_ request: String, _ ledger: Ledger, _ ended: @escaping @Sendable () -> Void) {
            self.request = request
            self.ledger = ledger
            self.ended = ended
        }

        func see(_ page: Page, _ seen: LivePage.Moments) {
            guard !isOver else { return }
            if let code = page.code { ledger.show(code, of: request) }
            if let plate = page.plate, page.isOfLiveRide {
                ledger.ride(request, in: plate, seen)
                if !isAnswered { ledger.answered(isServed: true) }
                isAnswered = true
            }
            guard !page.isOfLiveRide else { return }
            isOver = true
            if !isAnswered { ledger.answered(isServed: false) }
            ledger.ended()
            ended()
        }
    }
}
