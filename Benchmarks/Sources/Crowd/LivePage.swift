import SeededRandom

/// A page that stays as it is on the server, by the rules of `live.js`: an event says that
/// something has changed, and the page is fetched anew; a stream that breaks is opened again.
actor LivePage {
    /// As long as EventSource waits before it comes back: the server's `retry`, in seconds.
    private static let retry = 3.0

    private let browser: Browser
    private let path: String
    /// The name of the events that concern it.
    private let name: String
    private let ledger: Ledger
    private let hear: @Sendable (ContinuousClock.Instant) -> Void
    private let show: @Sendable (Page, Moments) async -> Void
    private var chance: SplitMix
    private var shown: Page
    /// The newest event that it shows.
    private var last: String
    /// That the page is to be asked for; nil where it need not be.
    private var wish: Wish?
    private var isFetching = false
    /// How many forms are on their way, and how many answers to forms have come.
    private var sending = 0
    private var answers = 0
    private var isListening = false
    private var timer: Task<Void, Never>?
    /// When the stream was there again after it was lost, and the page fetched after that; nil
    /// until then.
    private(set) var comeback: ContinuousClock.Instant?
    private var isNotingComeback = false
    /// Whether the line was lost since then.
    private var isLost = false

    /// When the page should be asked for at the latest, and what it is to show: an event, or with
    /// nil whatever there is then.
    private struct Wish {
        var due: ContinuousClock.Instant
        var event: String?
    }

    /// When a page was asked for, and when it had come.
    struct Moments: Sendable {
        var asked: ContinuousClock.Instant
        var had: ContinuousClock.Instant
    }

    /// A page that is open.
    ///
    /// - Parameters:
    ///   - path: its address.
    ///   - page: what it shows at first.
    ///   - name: the events that concern it.
    ///   - browser: whose window it is in.
    ///   - ledger: where the times of its answers go.
    ///   - seed: of its dice.
    ///   - hear: is called for each event that concerns it, with the moment.
    ///   - show: is called whenever it was fetched anew.
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
        chance = SplitMix(seed: seed)
        shown = page
        last = page.newest
    }

    /// Follows the events until the task is cancelled, or another window takes its place.
    func follow() async {
        while !Task.isCancelled {
            var pause = Self.retry
            if let events = try? await browser.events(after: last, session: shown.session) {
                for await event in events {
                    switch event.name {
                    case "replaced": return
                    case "refused", "end":
                        // As whoever this is now; where there was no stream, a little later.
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
        // What it missed comes with the events; who asks how it came back waits for a page.
        case "hello" where !wasListening && isLost: want(within: 0)
        default: break
        }
    }

    /// A driver's new place in his queue; what is being fetched just now may be older.
    private func move(_ event: Wire.Event) async {
        if isFetching || sending > 0 { return want(within: 0, for: event.id) }
        guard shown.move(event.data) else { return }
        // It was so at some moment since the server last had to wait for us.
        let asked = event.at - .seconds(Self.lag)
        await show(shown, Moments(asked: asked, had: event.at))
    }

    /// How old an event may be when it comes, in seconds.
    private static let lag = 10

    // MARK: Fetching

    /// Fetches the page anew.
    func look() async {
        wish = Wish(due: wish?.due ?? .now)
        timer?.cancel()
        await fetch()
    }

    /// Sends a form and shows what it leads to; what is told of it meanwhile is there already.
    ///
    /// - Parameter send: sends it, and says whether it was taken.
    /// - Returns: the same.
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

    /// Whether an event is not newer than the page; events of two runs of the server are not
    /// comparable.
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
                // The line broke, or the server has no time: once more.
                if !Task.isCancelled { wantLater() }
                return
            }
            guard sending == 0, answers == before else {
                // What a form brings is newer; what came meanwhile, too.
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

    /// Looks once more when the time for it has come: what waited for that is not called off.
    private func lookAgain() async {
        timer = nil
        await look()
    }

    private static func pattern(_ path: String) -> String {
        path.hasPrefix("/ride/") ? "/ride" : path
    }

    // MARK: Outages

    /// Notes from now on when the line is lost, and when the page is back after that.
    func noteComeback() {
        comeback = nil
        isNotingComeback = true
        isLost = false
    }

    /// Compares what is shown with what the server says now, of which nobody has told the page.
    ///
    /// - Returns: what both say, where that is not the same; nil where it is.
    /// - Throws: what breaks on the way.
    func difference() async throws -> String? {
        let answer = try await browser.ask(.get, path)
        let (own, fresh) = (shown.sense, Page(bytes: answer.bytes).sense)
        return own == fresh ? nil : "\(path) shows \(own), the server says \(fresh)"
    }
}
