package import Identity
import Synchronization
import WebApp

/// Collects the messages to the accounts while the demo is set up; only the set-up reads them.
///
/// After the set-up, messages are queued like those of a city, and end in the ``DemoMailbox``.
package final class SetUpLetters: Sendable {
    private let letters = Mutex<[OutgoingMessage]?>([])

    /// Creates an empty collection.
    package init() {}

    /// The message outlet to pass to the accounts.
    package var outgoing: Outgoing {
        Outgoing { message, transaction in
            let isCollected = self.letters.withLock { letters in
                letters?.append(message)
                return letters != nil
            }
            if !isCollected { try AccountMessages.post(message, in: transaction) }
        }
    }

    /// The secret in the latest message of a kind.
    ///
    /// - Throws: ``DemoFailure/noLetter`` where there is none.
    func token(of kind: MessageKind, _ accounts: Accounts) async throws -> SecretToken {
        let letter = letters.withLock { $0?.last { $0.kind == kind } }
        guard let letter, let contents = try await accounts.open(letter),
            let token = contents.facts["token"].flatMap(SecretToken.init)
        else { throw DemoFailure.noLetter }
        return token
    }

    /// Deletes all messages and queues later ones.
    func close() {
        letters.withLock { $0 = nil }
    }
}
