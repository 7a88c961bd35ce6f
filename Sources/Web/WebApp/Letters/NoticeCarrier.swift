import TaxiPages
import Chronology
import Dispatching
import Identity
import Logging
import Notify
import Storage
import Taxi
import WebCore

/// Carries what the dispatcher has to tell from its outbox into the queue of messages.
///
/// An item is posted under names that are made of its own, and completed with that: however often
/// it is handed out, it stands in the queue once for each whom it concerns (I20). What pages say
/// to who has one open is told by the ``Herald``.
struct NoticeCarrier: Sendable {
    /// How many items are taken at once.
    static let itemsAtOnce = 200
    /// How long to wait after a failure, and at most between two looks, in seconds.
    private static let pauseSeconds: Int64 = 5

    let taxi: TaxiService
    let database: Database
    let clock: ServiceClock
    let logger: Logger

    /// The carrier of an installation.
    init(_ installation: Installation, logger: Logger) {
        taxi = installation.taxi
        database = installation.database
        clock = installation.clock
        self.logger = logger
    }

    /// Carries until the task is cancelled; only where the dispatcher works.
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
                        // Whoever comes next finds what is left: a stop waits for one round.
                        while !Task.isCancelled, try await round() == Self.itemsAtOnce {}
                    } catch {
                        // The log says once that the database is away.
                        if database.trouble != nil { continue }
                        logger.warning("notices wait", metadata: ["error": "\(error)"])
                    }
                }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// Carries what is due, some hundred items at most.
    ///
    /// - Returns: how many there were.
    /// - Throws: any `DatabaseFailure`; what was not completed comes again.
    func round() async throws -> Int {
        let outbox = Outbox(of: taxi.dispatch.eventLog)
        // Only the server that dispatches carries them. Should two of them do so for a moment, what
        // both post has the same names.
        let items = try await outbox.due(Self.itemsAtOnce)
        if items.isEmpty { return 0 }
        let now = clock.now()
        var postings = try await items.compactMap(Self.posting) + reminders(items, at: now)
        for item in items { postings += try await driverPostings(item) }
        try await database.write { [postings] transaction in
            for posting in postings { try transaction.post(posting, at: now) }
            try outbox.complete(items.map(\.id), in: transaction)
        }
        return items.count
    }

    /// What drivers are told of an item: the one at the wheel, or all who are on duty.
    ///
    /// - Parameter item: the item.
    /// - Returns: nothing where only pages say it.
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

    /// What an item is in the passengers' queue of messages; nil where none is written.
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
