package import Chronology
package import Localization

/// A recipient of messages, as known at the time of sending.
package struct Recipient: Sendable, Equatable {
    /// The name for the salutation; empty if unknown.
    package let name: String
    /// The language of messages.
    package let language: Language
    /// The e-mail address, if any.
    package let mail: MailAddress?
    /// The telephone number, if any.
    package let phone: PhoneNumber?
    /// The channels that the person permits; mandatory mail ignores them.
    package let allowed: Set<Channel>
    /// The channels chosen for individual kinds, by their names, which override `allowed`.
    package let choices: [String: Set<Channel>]
    /// The hours in which only urgent messages may make a sound.
    package let quiet: QuietHours?

    package init(
        name: String,
        language: Language,
        mail: MailAddress?,
        phone: PhoneNumber? = nil,
        allowed: Set<Channel> = Set(Channel.allCases),
        choices: [String: Set<Channel>] = [:],
        quiet: QuietHours? = nil
    ) {
        self.name = name
        self.language = language
        self.mail = mail
        self.phone = phone
        self.allowed = allowed
        self.choices = choices
        self.quiet = quiet
    }

    /// Returns the channels for a kind of message.
    ///
    /// - Parameters:
    ///   - kind: the kind of message.
    ///   - carried: the channels that are configured and can reach this person.
    /// - Returns: all channels chosen for the kind that can reach the person. Without a usable
    ///   choice, the first default channel of the kind that is permitted and can reach the person.
    ///   Empty if the person chose no channel.
    func channels(for kind: any NotificationKind, among carried: Set<Channel>) -> [Channel] {
        let rules = kind.rules
        if rules.isChosen, let chosen = choices[kind.rawValue] {
            if chosen.isEmpty { return [] }
            let found = Channel.allCases.filter { chosen.contains($0) && carried.contains($0) }
            if !found.isEmpty { return found }
        }
        return rules.channels.first { channel in
            carried.contains(channel) && (allowed.contains(channel) || !rules.isChosen)
        }.map { [$0] } ?? []
    }
}

/// Looks up recipients and decrypts their messages.
///
/// The queue contains only opaque names and sealed data, so destroying a person's key also erases
/// the messages in the queue and in its backups.
package protocol Directory: Sendable {
    /// The kinds of messages of all products; messages of other kinds are dropped.
    var kinds: NotificationKinds { get }

    /// Finds a recipient and decrypts a message.
    ///
    /// - Returns: both, or `erased` if the person or the key no longer exists.
    /// - Throws: an error if the lookup fails temporarily; the message is tried again later.
    func resolve(_ message: SealedMessage) async throws -> Resolution
}

/// A message as stored in the queue.
package struct SealedMessage: Sendable, Equatable {
    /// The opaque name of the recipient.
    package let person: String
    /// The name of the kind.
    package let kind: String
    /// When the message was queued.
    package let posted: Moment
    /// The stored message, sealed by the caller where it is personal.
    package let sealed: [UInt8]

    /// Creates a message, for tests of directories.
    package init(person: String, kind: String, posted: Moment, sealed: [UInt8]) {
        self.person = person
        self.kind = kind
        self.posted = posted
        self.sealed = sealed
    }
}

/// The result of a directory lookup.
package enum Resolution: Sendable {
    case found(Recipient, any Message)
    /// The person is erased, so the message is dropped.
    case erased
}

extension Resolution: Equatable {
    /// Whether both find the same recipient with the same message, or neither finds anybody.
    package static func == (first: Resolution, second: Resolution) -> Bool {
        switch (first, second) {
        case (.found(let one, let message), .found(let other, let another)):
            one == other && message.isEqual(to: another)
        case (.erased, .erased): true
        case (.found, .erased), (.erased, .found): false
        }
    }
}
