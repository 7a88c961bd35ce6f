package import Chronology
package import Localization

/// Somebody to whom messages go, as it is known at the moment of sending.
package struct Recipient: Sendable, Equatable {
    /// How the person is addressed; empty where no name is known.
    package let name: String
    /// In which language.
    package let language: Language
    /// Where mail goes.
    package let mail: MailAddress?
    /// Where SMS go.
    package let phone: PhoneNumber?
    /// The channels that the person wants at all; mail that the account depends on comes anyway.
    package let allowed: Set<Channel>
    /// The channels that the person chose for single kinds, in place of `allowed`.
    package let choices: [Kind: Set<Channel>]
    /// When only urgent messages may be heard.
    package let quiet: QuietHours?

    /// A recipient.
    package init(
        name: String,
        language: Language,
        mail: MailAddress?,
        phone: PhoneNumber? = nil,
        allowed: Set<Channel> = Set(Channel.allCases),
        choices: [Kind: Set<Channel>] = [:],
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

    /// By which channels a kind of message goes.
    ///
    /// - Parameters:
    ///   - kind: the kind.
    ///   - carried: the channels that the service has and that reach this person.
    /// - Returns: all that were chosen for the kind and reach the person. Where no choice was
    ///   made, or where none that was chosen reaches the person, the first of the kind's own that
    ///   is allowed and does. Nothing where the person chose nothing.
    func channels(for kind: Kind, among carried: Set<Channel>) -> [Channel] {
        let rules = kind.rules
        if rules.isChosen, let chosen = choices[kind] {
            if chosen.isEmpty { return [] }
            let found = Channel.allCases.filter { chosen.contains($0) && carried.contains($0) }
            if !found.isEmpty { return found }
        }
        return rules.channels.first { channel in
            carried.contains(channel) && (allowed.contains(channel) || !rules.isChosen)
        }.map { [$0] } ?? []
    }
}

/// Who knows the people: it opens what was sealed when a message was posted.
///
/// The queue holds nothing of a person but an opaque name, so that erasing the person's key
/// erases what waits in the queue and in its backups.
package protocol Directory: Sendable {
    /// Finds a recipient and opens a message.
    ///
    /// - Returns: both; `erased` where the person, or the key, is no more.
    /// - Throws: where it cannot tell now; the message is tried again later.
    func resolve(_ message: SealedMessage) async throws -> Resolution
}

/// A message as it stands in the queue.
package struct SealedMessage: Sendable, Equatable {
    /// The name under which it was posted.
    package let person: String
    /// What kind of message it is.
    package let kind: Kind
    /// When it was posted.
    package let posted: Moment
    /// What was posted: what the caller made of the message and of the person's key.
    package let sealed: [UInt8]

    /// A message, as tests of directories make it.
    package init(person: String, kind: Kind, posted: Moment, sealed: [UInt8]) {
        self.person = person
        self.kind = kind
        self.posted = posted
        self.sealed = sealed
    }
}

/// What a directory finds.
package enum Resolution: Sendable, Equatable {
    case found(Recipient, Message)
    /// The person is erased, so the message is dropped.
    case erased
}
