package import Identity
import Synchronization

/// The letters of the accounts while the demo is set up: nobody but the set-up reads them.
///
/// A demo sends no mail. Once it is set up, letters are neither kept nor sent.
package final class SetUpLetters: Sendable {
    private let letters = Mutex<[OutgoingMessage]?>([])

    /// None yet.
    package init() {}

    /// Where the accounts put their letters.
    package var outgoing: Outgoing {
        Outgoing { message, _ in self.letters.withLock { $0?.append(message) } }
    }

    /// The secret of the last letter of a kind.
    ///
    /// - Throws: ``DemoFailure/noLetter`` where there is none.
    func token(of kind: MessageKind, _ accounts: Accounts) async throws -> SecretToken {
        let letter = letters.withLock { $0?.last { $0.kind == kind } }
        guard let letter, let contents = try await accounts.open(letter),
            let token = contents.facts["token"].flatMap(SecretToken.init)
        else { throw DemoFailure.noLetter }
        return token
    }

    /// Forgets them, and all that come.
    func close() {
        letters.withLock { $0 = nil }
    }
}
