import Chronology
import Dispatching
import Identity
import Logging
import Notify
import Storage
import Taxi
import TaxiPages
import WebCore
import Webhooks

/// Moves notices from the dispatcher's outbox to the message queue.
///
/// Queue keys are derived from the outbox item, so an item that is delivered more than once appears
/// in the queue only once per recipient (I20). Open pages are updated separately.
struct NoticeForwarder: Sendable {
    /// The maximum number of items per batch.
    static let itemsAtOnce = 200
    /// The delay after a failure, and the maximum delay between two polls, in seconds.
    private static let pauseSeconds: Int64 = 5

    let taxi: TaxiService
    let database: Database
    let webhooks: WebhookRegister
    let clock: ServiceClock
    let logger: Logger

    /// Creates the forwarder of an installation.
    init(_ installation: Installation, logger: Logger) {
        taxi = installation.taxi
        database = installation.database
        webhooks = installation.webhooks
        clock = installation.clock
        self.logger = logger
    }

    /// Runs until the task is cancelled, but only on the server that dispatches.
    func run() async throws {
        try await taxi.dispatch.started()
        let (bells, bell) = AsyncStream.makeStream(
            of: Void.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let entries = taxi.dispatch.entries()
        bell.yield()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in entries { bell.yield() } }
            group.addTask {
                while true {
                    try await clock.sleep(clock.now().adding(seconds: Self.pauseSeconds))
                    bell.yield()
                }
            }
            group.addTask {
                for await _ in bells {
                    do {
                        // A cancelled task finishes the current batch only; the next run picks up
                        // the rest.
                        while !Task.isCancelled, try await round() == Self.itemsAtOnce {}
                    } catch {
                        // The database outage has already been logged.
                        if database.trouble != nil { continue }
                        logger.warning("notices wait", metadata: ["error": "\(error)"])
                    }
                }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// Processes one batch of due items, at most ``itemsAtOnce``.
    ///
    /// - Returns: the number of items.
    /// - Throws: any `DatabaseFailure`; items that were not completed are processed again.
    func round() async throws -> Int {
        let outbox = Outbox(of: taxi.dispatch.eventLog)
        // Only the dispatching server carries messages. If two servers do so for a moment, they use
        // the same keys, so the queue holds no duplicates.
        let items = try await outbox.due(Self.itemsAtOnce)
        if items.isEmpty { return 0 }
        let now = clock.now()
        var postings = try await items.compactMap(Self.posting) + reminders(items, at: now)
        for item in items { postings += try await driverPostings(item) }
        let news = try await rideNews(items)
        try await database.write { [postings, webhooks] transaction in
            for posting in postings { try transaction.post(posting, at: now) }
            try webhooks.tellOfRides(news, at: now, in: transaction)
            try outbox.complete(items.map(\.id), in: transaction)
        }
        return items.count
    }

    /// The messages to drivers for an item: to the current driver of a taxi or to all drivers on
    /// duty.
    ///
    /// - Parameter item: the outbox item.
    /// - Returns: an empty array if the notice appears on pages only.
    /// - Throws: any `DatabaseFailure`; `DispatchService.Failure.notServing`.
    func driverPostings(_ item: Outbox.Item) async throws -> [Posting] {
        guard let notice = Notice(payload: item.payload), let letter = DriverLetter(notice) else {
            return []
        }
        let taxis: [TaxiNumber] =
            if case .driver(let number) = notice.recipient {
                [number]
            } else {
                try await taxi.dispatch.read { state in
                    state.taxis.filter(\.isOnDuty).map(\.number)
                }
            }
        var postings: [Posting] = []
        for number in taxis {
            guard let person = try await taxi.shift(of: number) else { continue }
            let driver = PersonNumber(rawValue: person)
            let about = notice.request?.rawValue ?? UInt64(number.rawValue)
            postings += letter.posting("\(item.id)", to: driver, about: about).map { [$0] } ?? []
        }
        return postings
    }

    /// The queue entry for an item that concerns a passenger; nil if no message is sent.
    static func posting(_ item: Outbox.Item) -> Posting? {
        guard let notice = Notice(payload: item.payload), let request = notice.request,
            case .passenger(let passenger) = notice.recipient,
            let letter = RideLetter(notice), let id = PostingId("ride.\(item.id)")
        else { return nil }
        return Posting(
            id,
            to: "\(Int64(bitPattern: passenger.rawValue))",
            kind: letter.kind,
            sealed: letter.bytes(request, notice.taxi)
        )
    }
}
