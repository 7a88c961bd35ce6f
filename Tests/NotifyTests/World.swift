import Chronology
import Localization
import Storage
import StorageTestSupport
import Synchronization
import Testing

@testable import Notify

/// A queue with one recipient, and channels that record what they are given.
final class World: Sendable {
    private struct State {
        var outcome: @Sendable (Channel) -> Outcome = { _ in .accepted }
        var resolution: (@Sendable (any Message) -> Resolution)?
        var mails: [MailMessage] = []
        var texts: [String] = []
        var notices: [(PushNotice, PushSubscription)] = []
        var retries: [ParcelKind: Int64] = [:]
    }

    let database: Database
    private let state = Mutex(State())

    init(_ database: Database) {
        self.database = database
        resolution = .found(Self.anna(), ParcelMessage(.lost))
    }

    static func with(
        _ engine: TestEngine,
        _ body: @Sendable (World) async throws -> Void
    ) async throws {
        try await withDatabase(on: engine) { place in
            let database = try await place.open()
            defer { database.close() }
            try await database.migrate(Migration.storage + Migration.notify)
            try await body(World(database))
        }
    }

    static func anna(
        phone: String? = nil,
        allowed: Set<Channel> = Set(Channel.allCases),
        choices: [String: Set<Channel>] = [:],
        quiet: QuietHours? = nil
    ) -> Recipient {
        Recipient(
            name: "Anna Bianchi",
            language: .english,
            mail: Examples.address("anna@mail.example"),
            phone: phone.flatMap { PhoneNumber($0) },
            allowed: allowed,
            choices: choices,
            quiet: quiet
        )
    }

    static func id(_ text: String) -> PostingId { PostingId(text) ?? .random() }

    static func posting(
        _ id: String,
        _ message: ParcelMessage = ParcelMessage(.lost),
        to person: String = "17"
    ) -> Posting {
        // A kind whose lifetime exceeds all pauses, whatever the message.
        let kind = message.parcel == .lost ? .receipt : message.parcel
        return Posting(Self.id(id), to: person, kind: kind, sealed: message.stored)
    }

    var queue: NotificationQueue { NotificationQueue(in: database) }
    var browsers: PushSubscriptions { PushSubscriptions(in: database, under: TestSeal()) }

    var worker: DeliveryWorker {
        DeliveryWorker(
            database,
            directory: Answering(world: self),
            browsers: browsers,
            channels: Channels { mail in
                self.state.withLock { $0.mails.append(mail) }
                return self.outcome(of: .mail)
            } sms: { phone, text in
                self.state.withLock { $0.texts.append("\(phone.text) \(text)") }
                return self.outcome(of: .sms)
            } push: { notice, browser in
                self.state.withLock { $0.notices.append((notice, browser)) }
                return self.outcome(of: .push)
            },
            letterhead: Examples.letterhead,
            retries: { kind, _ in (kind as? ParcelKind).flatMap { self.retries[$0] } }
        )
    }

    var mails: [MailMessage] { state.withLock { $0.mails } }
    var texts: [String] { state.withLock { $0.texts } }
    var notices: [(PushNotice, PushSubscription)] { state.withLock { $0.notices } }

    /// The number of retries by kind of message.
    var retries: [ParcelKind: Int64] {
        get { state.withLock { $0.retries } }
        set { state.withLock { $0.retries = newValue } }
    }

    var outcome: Outcome {
        get { outcome(of: .mail) }
        set { state.withLock { $0.outcome = { _ in newValue } } }
    }

    /// Sets the outcome of each channel, by channel.
    func answer(_ outcome: @escaping @Sendable (Channel) -> Outcome) {
        state.withLock { $0.outcome = outcome }
    }

    /// The result of the directory; nil if it fails temporarily.
    var resolution: Resolution? {
        get { state.withLock { $0.resolution }?(ParcelMessage(.lost)) }
        set {
            if let newValue {
                state.withLock { $0.resolution = { _ in newValue } }
            } else {
                state.withLock { $0.resolution = nil }
            }
        }
    }

    /// Lets the directory find a recipient with the queued message.
    func find(_ recipient: Recipient) {
        state.withLock { $0.resolution = { .found(recipient, $0) } }
    }

    @discardableResult
    func post(_ posting: Posting) async throws -> Bool {
        try await database.write { try $0.post(posting, at: Examples.now) }
    }

    /// Lets the worker process the due messages.
    func routed(at now: Moment) async throws -> Moment {
        _ = try await worker.round(at: now)
        return now
    }

    func sealedBytes() async throws -> Int {
        try await database.read { transaction in
            try transaction.row("SELECT COUNT(sealed) AS count FROM notification")?
                .value("count") ?? -1
        }
    }

    private func outcome(of channel: Channel) -> Outcome { state.withLock { $0.outcome }(channel) }

    fileprivate func answer(_ sealed: SealedMessage) throws -> Resolution {
        struct CannotTell: Error {}
        #expect(sealed.posted == Examples.now && sealed.person == "17")
        guard let message = ParcelMessage(stored: sealed.sealed),
            let resolve = state.withLock({ $0.resolution })
        else { throw CannotTell() }
        return resolve(message)
    }
}

/// A transparent seal: what it seals for one person cannot be opened for another.
struct TestSeal: PersonalSeal {
    /// A person whose key was destroyed.
    static let erased = "404"

    func close(_ text: String, of person: String) async throws -> [UInt8]? {
        person == Self.erased ? nil : (person + "\n" + text).utf8.map { ~$0 }
    }

    func open(_ sealed: [UInt8], of person: String) async throws -> String? {
        let text = String(decoding: sealed.map { ~$0 }, as: UTF8.self)
        guard person != Self.erased, text.hasPrefix(person + "\n") else { return nil }
        return String(text.dropFirst(person.count + 1))
    }
}

private struct Answering: Directory {
    let world: World
    let kinds = Examples.kinds

    func resolve(_ message: SealedMessage) async throws -> Resolution {
        try world.answer(message)
    }
}
