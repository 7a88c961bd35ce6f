package import Chronology
package import Storage

/// The worker that delivers the messages in the queue.
///
/// ``run(_:report:)`` works until it is cancelled; ``round(at:)`` delivers the due messages once.
package struct DeliveryWorker: Sendable {
    let queue: NotificationQueue
    let browsers: PushSubscriptions
    let directory: any Directory
    let channels: Channels
    let letterhead: Letterhead
    let retries: @Sendable (any NotificationKind, Channel?) async -> Int64?
    let unreached: @Sendable (SealedMessage) async -> Void

    /// The data that all messages of a service share.
    package struct Letterhead: Sendable {
        /// The name of the service: "Viavai Milano".
        package let name: String
        /// The city that sends the messages.
        package let city: City
        /// The sender address of e-mails.
        package let sender: MailAddress
        /// The page where people choose channels.
        package let settings: Link

        package init(name: String, city: City, sender: MailAddress, settings: Link) {
            self.name = name
            self.city = city
            self.sender = sender
            self.settings = settings
        }
    }

    /// The result of a round.
    package struct Round: Sendable, Equatable {
        /// The number of rows claimed.
        package var taken = 0
        /// Rows accepted by the receiving server.
        package var sent = 0
        /// Rows permanently refused by the receiving server.
        package var bounced = 0
        /// Rows given up after too many attempts or too much time.
        package var givenUp = 0
        /// Rows without a recipient.
        package var dropped = 0
        /// Rows that wait for another attempt.
        package var deferred = 0
        /// When the next row is due; nil if none waits.
        package var next: Moment?

        mutating func add(_ other: Round) {
            taken += other.taken
            sent += other.sent
            bounced += other.bounced
            givenUp += other.givenUp
            dropped += other.dropped
            deferred += other.deferred
        }
    }

    /// Creates a worker.
    ///
    /// - Parameters:
    ///   - database: the database that contains the queue.
    ///   - directory: looks up recipients and decrypts messages.
    ///   - browsers: the push subscriptions.
    ///   - channels: the functions that send messages.
    ///   - letterhead: the data that all messages share.
    ///   - retries: the number of retries for a kind and channel, 0 for none; nil for the default.
    ///     A nil channel stands for routing.
    ///   - unreached: told of each message of a reported kind that no channel or browser has
    ///     accepted although all were tried at least once; possibly more than once for the same
    ///     message.
    package init(
        _ database: Database,
        directory: any Directory,
        browsers: PushSubscriptions,
        channels: Channels,
        letterhead: Letterhead,
        retries: @escaping @Sendable (any NotificationKind, Channel?) async -> Int64? = { _, _ in
            nil
        },
        unreached: @escaping @Sendable (SealedMessage) async -> Void = { _ in }
    ) {
        queue = NotificationQueue(in: database)
        self.browsers = browsers
        self.directory = directory
        self.channels = channels
        self.letterhead = letterhead
        self.retries = retries
        self.unreached = unreached
    }

    /// Delivers due messages in every channel, at most one batch each.
    ///
    /// - Parameter now: the current time.
    /// - Returns: the result of the round.
    /// - Throws: `DatabaseFailure`; messages whose delivery could not be recorded are sent again.
    package func round(at now: Moment) async throws -> Round {
        var whole = Round()
        for channel in NotificationQueue.DeliveryChannel.allCases {
            whole.add(try await round(channel, at: now))
        }
        // Routing comes last and fills the other channels.
        whole.next = try await queue.nextDue().values.min()
        return whole
    }

    /// Delivers due messages in one channel, at most one batch.
    ///
    /// - Parameters:
    ///   - channel: the channel to work on.
    ///   - now: the current time.
    /// - Returns: the result; call again immediately if it claimed a full batch.
    /// - Throws: `DatabaseFailure`; messages whose delivery could not be recorded are sent again.
    package func round(
        _ channel: NotificationQueue.DeliveryChannel,
        at now: Moment
    ) async throws -> Round {
        let claims = try await queue.claim(channel, of: directory.kinds, at: now)
        var round = Round()
        round.taken = claims.count
        let ends = try await withThrowingTaskGroup(of: End.self) { group in
            // The channels limit how many attempts run at the same time.
            for claim in claims {
                group.addTask {
                    let end = try await handle(claim, at: now)
                    try await noteUnreached(claim, end)
                    return end
                }
            }
            var ends: [End] = []
            for try await end in group { ends.append(end) }
            return ends
        }
        precondition(ends.count == claims.count, "A claimed message has not ended exactly once.")
        for end in ends {
            switch end {
            case .routed: break
            case .sent: round.sent += 1
            case .bounced: round.bounced += 1
            case .givenUp: round.givenUp += 1
            case .dropped: round.dropped += 1
            case .deferred: round.deferred += 1
            }
        }
        round.next = try await queue.nextDue()[channel]
        return round
    }

    /// How the work on one row ended.
    private enum End: Sendable {
        case routed, sent, bounced, givenUp, dropped, deferred
    }

    /// Reports a message of which no attempt has succeeded and no first attempt is left, if its
    /// kind is reported.
    private func noteUnreached(_ claim: NotificationQueue.Claim, _ end: End) async throws {
        guard claim.kind.rules.isReported else { return }
        switch end {
        case .routed, .sent: return
        case .bounced, .givenUp, .dropped, .deferred: break
        }
        guard try await queue.isUnreached(claim) else { return }
        await unreached(SealedMessage(claim))
    }

    private func handle(_ claim: NotificationQueue.Claim, at now: Moment) async throws -> End {
        guard now < claim.useful else {
            try await queue.settle(claim, as: .givenUp, answer: "too late to be of use", at: now)
            return .givenUp
        }
        let resolution: Resolution
        do {
            resolution = try await directory.resolve(SealedMessage(claim))
        } catch {
            // The error text may contain personal data, so it is not kept.
            return try await retry(claim, "the recipient could not be looked up", at: now)
        }
        switch resolution {
        case .erased:
            return try await drop(claim, "the person is erased", at: now)
        case .found(let recipient, let message):
            guard let channel = claim.channel else {
                return try await route(claim, to: recipient, at: now)
            }
            let isHeard = channel.isHeard && !message.kind.rules.isUrgent
            if isHeard, let end = recipient.quiet?.ending(at: now, in: letterhead.city.zone) {
                try await queue.postpone(claim, until: end, answer: nil, isAttempt: false)
                return .deferred
            }
            return try await send(message, to: recipient, by: channel, claim, at: now)
        }
    }

    private func route(
        _ claim: NotificationQueue.Claim,
        to recipient: Recipient,
        at now: Moment
    ) async throws -> End {
        var ways: [NotificationQueue.Part] = []
        if channels.mail != nil, recipient.mail != nil { ways.append(.init(channel: .mail)) }
        if channels.sms != nil, recipient.phone != nil { ways.append(.init(channel: .sms)) }
        if channels.push != nil {
            ways += try await browsers.names(of: claim.person).map {
                NotificationQueue.Part(channel: .push, target: $0)
            }
        }
        // A part that failed before is not created again.
        if claim.attempt > 1 {
            let tried = try await queue.parts(of: claim)
            ways.removeAll { tried.contains($0) }
        }
        let channels = recipient.channels(for: claim.kind, among: Set(ways.map(\.channel)))
        let parts = ways.filter { channels.contains($0.channel) }
        guard !parts.isEmpty else {
            return try await drop(claim, "no channel reaches the person", at: now)
        }
        try await queue.route(claim, to: parts, at: now)
        return .routed
    }

    private func send(
        _ message: any Message,
        to recipient: Recipient,
        by channel: Channel,
        _ claim: NotificationQueue.Claim,
        at now: Moment
    ) async throws -> End {
        let letter = message.letter(in: recipient.language, from: letterhead.city)
        let outcome: Outcome?
        switch channel {
        case .mail:
            outcome = await mail(letter, to: recipient, claim, at: now)
        case .sms:
            outcome = await sms(letter, to: recipient)
        case .push:
            outcome = try await push(letter, to: recipient, claim, at: now)
        }
        guard let outcome else {
            return try await drop(claim, "the channel no longer reaches the person", at: now)
        }
        switch outcome {
        case .accepted:
            try await queue.settle(claim, as: .sent, at: now)
            return .sent
        case .refused(let words):
            let answer = Discretion.of(recipient).cleaned(words)
            try await queue.settle(claim, as: .bounced, answer: answer, at: now)
            return .bounced
        case .gone:
            try await queue.browserIsGone(claim, at: now)
            return .bounced
        case .deferred(let words, let pause):
            let answer = Discretion.of(recipient).cleaned(words)
            return try await retry(claim, answer, wished: pause, at: now)
        }
    }

    private func retry(
        _ claim: NotificationQueue.Claim,
        _ answer: String,
        wished: Int64? = nil,
        at now: Moment
    ) async throws -> End {
        let pause = Retrying.pause(after: claim.attempt, wished: wished)
        precondition(pause > 0, "A delivery would be repeated without a pause.")
        let due = now.adding(milliseconds: pause)
        let retries = await retries(claim.kind, claim.channel) ?? Retrying.attemptLimit
        let limit = min(1 + retries, Retrying.attemptLimit)
        guard claim.attempt < limit, due < claim.useful else {
            try await queue.settle(claim, as: .givenUp, answer: answer, at: now)
            return .givenUp
        }
        try await queue.postpone(claim, until: due, answer: answer, isAttempt: true)
        return .deferred
    }

    private func drop(
        _ claim: NotificationQueue.Claim,
        _ answer: String,
        at now: Moment
    ) async throws -> End {
        try await queue.settle(claim, as: .dropped, answer: answer, at: now)
        return .dropped
    }
}

extension SealedMessage {
    fileprivate init(_ claim: NotificationQueue.Claim) {
        self.init(
            person: claim.person,
            kind: claim.kind.rawValue,
            posted: claim.posted,
            sealed: claim.sealed
        )
    }
}
