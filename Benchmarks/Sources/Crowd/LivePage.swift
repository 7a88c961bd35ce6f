import SeededRandom

/// A page that is kept up to date by the rules of `live.js`: an event says that something has
/// changed, and the page is fetched again; a stream that breaks is reopened.
actor LivePage {
    /// How long EventSource waits before it reconnects: the server's `retry`, in seconds.
    private static let retry = 3.0

    private let browser: Browser
    private let path: String
    /// The name of the events that concern the page.
    private let name: String
    private let ledger: Ledger
    private let hear: @Sendable (ContinuousClock.Instant) -> Void
    private let show: @Sendable (Page, Moments) async -> Void
    private var chance: SeededRandom
    private var shown: Page
    /// The newest event that the page reflects.
    private var last: String
    /// The pending fetch of the page; nil where none is needed.
    private var wish: Wish?
    private var isFetching = false
    /// How many forms are being submitted, and how many responses to forms have arrived.
    private var sending = 0
    private var answers = 0
    private var isListening = false
    private var timer: Task<Void, Never>?
    /// When the stream was restored after an outage and the page fetched again; nil until then.
    private(set) var comeback: ContinuousClock.Instant?
    private var isNotingComeback = false
    /// Whether the connection was lost since then.
    private var isLost = false

    /// When the page should be fetched at the latest, and the event that it is to
    /// reflect; nil for any.
    private struct Wish {
        var due: ContinuousClock.Instant
        var event: String?
    }

    /// When a page was requested, and when it had arrived.
    struct Moments: Sendable {
        var asked: ContinuousClock.Instant
        var had: ContinuousClock.Instant
    }

    /// Creates an open page.
    ///
    /// - Parameters:
    ///   - path: the address of the page.
    ///   - page: its initial content.
    ///   - name: the name of the events that concern it.
    ///   - browser: the browser that shows it.
    ///   - ledger: receives the response times.
    ///   - seed: the seed of its random numbers.
    ///   - hear: called for each event that concerns the page, with the moment.
    ///   - show: called whenever the page was fetched again.
    init(
        _ path: String,
        _ page: Page,
        _ name: String,
        in browser: Browser,
        _ ledger: Ledger,
        seed: UInt64,
        hear: @escaping @Sendable (ContinuousClock.Instant) -> Void,
        show: @escaping @Sendable (Page, Moments) async -> Void
    ) {
        self.path = path
        self.name = name
        self.browser = browser
        self.ledger = ledger
        self.hear = hear
        self.show = show
        chance = SeededRandom(seed: seed)
        shown = page
        last = page.newest
    }

    /// Follows the events until the task is cancelled, or another window replaces the page.
    func follow() async {
        while !Task.isCancelled {
            var pause = Self.retry
            if let events = try? await browser.events(after: last, session: shown.session) {
                for await event in events {
                    switch event.name {
                    case "replaced": return
                    case "refused", "end":
                        // The session is that of the current user; where there was no stream,
                        // reconnect a little later.
                        want(within: 0)
                        pause = event.name == "end" ? 1 : 5 + 5 * chance.unit()
                    case "place":
                        take(event)
                        await move(event)
                    default: take(event)
                    }
                }
            }
            isListening = false
            if isNotingComeback { isLost = true }
            try? await Loop.only.sleep(until: .now + .seconds(pause))
        }
    }

    private func take(_ event: Wire.Event) {
        if !event.id.isEmpty { last = event.id }
        let wasListening = isListening
        isListening = true
        switch event.name {
        case name:
            hear(event.at)
            want(within: (Double(event.data) ?? 0) / 1_000, for: event.id)
        case "reset":
            want(within: 1)
        // Missed events are replayed; only the measurement of the comeback waits for a page.
        case "hello" where !wasListening && isLost: want(within: 0)
        default: break
        }
    }

    /// Applies a driver's new queue position; the page being fetched at the moment may be older.
    private func move(_ event: Wire.Event) async {
        if isFetching || sending > 0 { return want(within: 0, for: event.id) }
        guard shown.move(event.data) else { return }
        // It was true at some moment within this delay before the event arrived.
        let asked = event.at - .seconds(Self.lag)
        await show(shown, Moments(asked: asked, had: event.at))
    }

    /// The greatest age of an event when it arrives, in seconds.
    private static let lag = 10

    // MARK: Fetching

    /// Fetches the page again.
    func look() async {
        wish = Wish(due: wish?.due ?? .now)
        timer?.cancel()
        await fetch()
    }

    /// Submits a form and shows the resulting page; events in the meantime are already reflected.
    ///
    /// - Parameter send: submits it, and returns whether it was accepted.
    /// - Returns: the result of `send`.
    @discardableResult
    func look(after send: @Sendable () async -> Bool) async -> Bool {
        sending += 1
        let isTaken = await send()
        sending -= 1
        answers += 1
        if isTaken {
            wish = nil
            await look()
        } else {
            await fetch()
        }
        return isTaken
    }

    private func want(within seconds: Double, for event: String? = nil) {
        guard !shows(event) else { return }
        let chosen = ContinuousClock.now + .seconds(seconds * chance.unit())
        let isAnyWanted = wish.map { $0.event == nil } ?? false
        let moment = min(wish?.due ?? chosen, chosen)
        wish = Wish(due: moment, event: isAnyWanted ? nil : event)
        timer?.cancel()
        timer = Task(executorPreference: Loop.only) {
            do { try await Loop.only.sleep(until: moment) } catch { return }
            await self.fetch()
        }
    }

    /// Whether an event is not newer than the page; events of two runs of the
    /// server are not comparable.
    private func shows(_ event: String?) -> Bool {
        let parts = [event ?? "", shown.newest].map { $0.split(separator: "-") }
        guard parts.allSatisfy({ $0.count == 2 }), parts[0][0] == parts[1][0],
            let number = Int(parts[0][1]), let own = Int(parts[1][1])
        else { return false }
        return number <= own
    }

    private func fetch() async {
        while !isFetching, sending == 0, let wish {
            self.wish = nil
            guard !shows(wish.event) else { continue }
            isFetching = true
            let (since, before) = (wish.due, answers)
            let wasListening = isListening
            let asked = ContinuousClock.now
            let answer = await ledger.measured("GET \(Self.pattern(path))", since: since) {
                try await browser.ask(.get, path, [("x-page-refresh", "1")])
            }
            isFetching = false
            guard let answer, answer.status == 200 else {
                // The connection broke, or the server is overloaded: try again.
                if !Task.isCancelled { wantLater() }
                return
            }
            guard sending == 0, answers == before else {
                // The response to a form is newer, and so is what arrived in the meantime.
                if wish.event == nil || self.wish == nil { self.wish = wish }
                continue
            }
            shown = Page(bytes: answer.bytes)
            if isLost, wasListening, comeback == nil { comeback = .now }
            await show(shown, Moments(asked: asked, had: .now))
        }
    }

    private func wantLater() {
        timer?.cancel()
        timer = Task(executorPreference: Loop.only) {
            do { try await Loop.only.sleep(until: .now + .seconds(5)) } catch { return }
            await self.lookAgain()
        }
    }

    /// Fetches the page once more when its time has come; the pending wait is not cancelled.
    private func lookAgain() async {
        timer = nil
        await look()
    }

    private static func pattern(_ path: String) -> String {
        path.hasPrefix("/ride/") ? "/ride" : path
    }

    // MARK: Outages

    /// Starts to record when the connection is lost, and when the page is back after that.
    func noteComeback() {
        comeback = nil
        isNotingComeback = true
        isLost = false
    }

    /// Compares what the page shows with the current state on the server.
    ///
    /// - Returns: both, where they differ; nil where they agree.
    /// - Throws: errors of the request.
    func difference() async throws -> String? {
        let answer = try await browser.ask(.get, path)
        let (own, fresh) = (shown.sense, Page(bytes: answer.bytes).sense)
        return own == fresh ? nil : "\(path) shows \(own), the server says \(fresh)"
    }
}
