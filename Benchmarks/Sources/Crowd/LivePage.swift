import Chance
import NIOHTTP1

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
    /// When the page should have been asked for at the latest; nil where it need not be.
    private var due: ContinuousClock.Instant?
    private var isFetching = false
    private var isListening = false
    private var timer: Task<Void, Never>?
    /// When the stream was there again after it was lost, and the page fetched after that; nil
    /// until then.
    private(set) var comeback: ContinuousClock.Instant?
    private var isNotingComeback = false
    /// Whether the line was lost since then.
    private var isLost = false

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
            try? await Task.sleep(for: .seconds(pause))
        }
    }

    private func take(_ event: Wire.Event) {
        if !event.id.isEmpty { last = event.id }
        let wasListening = isListening
        isListening = true
        switch event.name {
        case name:
            hear(event.at)
            want(within: (Double(event.data) ?? 0) / 1_000)
        case "reset":
            want(within: 1)
        // What it missed comes with the events; who asks how it came back waits for a page.
        case "hello" where !wasListening && isLost: want(within: 0)
        default: break
        }
    }

    /// A driver's new place in his queue; what is being fetched just now may be older.
    private func move(_ event: Wire.Event) async {
        if isFetching { return want(within: 0) }
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
        due = due ?? .now
        timer?.cancel()
        await fetch()
    }

    private func want(within seconds: Double) {
        let chosen = ContinuousClock.now + .seconds(seconds * chance.unit())
        let moment = min(due ?? chosen, chosen)
        due = moment
        timer?.cancel()
        timer = Task {
            do { try await Task.sleep(until: moment, clock: .continuous) } catch { return }
            await self.fetch()
        }
    }

    private func fetch() async {
        while !isFetching, let since = due {
            isFetching = true
            due = nil
            let wasListening = isListening
            let asked = ContinuousClock.now
            let answer = await ledger.measured("GET \(Self.pattern(path))", since: since) {
                try await browser.ask(.GET, path)
            }
            isFetching = false
            guard let answer, answer.status == 200 else {
                // The line broke, or the server has no time: once more.
                if !Task.isCancelled { wantLater() }
                return
            }
            shown = Page(bytes: answer.bytes)
            if isLost, wasListening, comeback == nil { comeback = .now }
            await show(shown, Moments(asked: asked, had: .now))
        }
    }

    private func wantLater() {
        timer?.cancel()
        timer = Task {
            do { try await Task.sleep(for: .seconds(5)) } catch { return }
            await self.look()
        }
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
        let answer = try await browser.ask(.GET, path)
        let (own, fresh) = (shown.sense, Page(bytes: answer.bytes).sense)
        return own == fresh ? nil : "\(path) shows \(own), the server says \(fresh)"
    }
}
