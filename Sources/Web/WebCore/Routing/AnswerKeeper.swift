import Crypto
import Foundation
import HTTPTypes
package import Storage
import Synchronization

/// Keeps the answer to a program's request in the transaction of its change.
///
/// A server that is killed has then either changed nothing, or kept its answer for the request that
/// comes again with its key.
package final class AnswerKeeper: Sendable {
    private let memory: FormMemory
    private let kept = Mutex<String?>(nil)

    init(_ memory: FormMemory) {
        self.memory = memory
    }

    /// Keeps the answer that is given after the commit.
    ///
    /// - Parameters:
    ///   - response: the answer; something was done.
    ///   - transaction: the transaction of the change, which may run more than once.
    /// - Throws: `CommandAnswers.AnsweredBefore` if the same request was carried out by another
    ///   server, so that this transaction must be rolled back; any database error.
    package func keep(_ response: Response, in transaction: Transaction) throws {
        guard let text = response.keptForProgram else {
            preconditionFailure("an answer was to be kept although nothing was done")
        }
        try CommandAnswers.settle(try memory.answer(location: text), in: transaction)
        kept.withLock { $0 = text }
    }

    /// Whether this answer was kept, so that it need not be stored again.
    func hasKept(_ text: String) -> Bool { kept.withLock { $0 == text } }
}

/// The stored record of a submitted form, which nobody with access to the database can read.
struct FormMemory: Sendable {
    /// The form as it is claimed.
    let claim: CommandAnswer
    private let cipher: SymmetricKey
    private let authenticatedData: [UInt8]

    init(_ form: FormKey) {
        claim = CommandAnswer(caller: form.caller, key: form.text, request: form.digest, answer: [])
        cipher = form.cipher
        authenticatedData = Array("\(form.caller) \(form.text)".utf8)
    }

    /// The claim with the answer for repeated submissions.
    func answer(location: String) throws -> CommandAnswer {
        let text = Array(location.utf8)
        let box = try AES.GCM.seal(text, using: cipher, authenticating: authenticatedData)
        return claim.answered(Array(box.nonce) + box.ciphertext + box.tag)
    }

    /// The response to a repeated submission.
    ///
    /// - Parameters:
    ///   - sealed: the kept answer.
    ///   - context: the repeated request.
    /// - Returns: a redirect, or for a program the whole answer.
    /// - Throws: `Failure.unknownOutcome` if the answer cannot be decrypted.
    func response(_ sealed: [UInt8], to context: RequestContext) throws -> Response {
        guard let kept = location(sealed) else { throw Failure.unknownOutcome }
        guard context.application != nil else {
            return Response(.seeOther, headers: [.location: kept])
        }
        guard let response = Response(keptForProgram: kept) else { throw Failure.unknownOutcome }
        return response
    }

    /// Decrypts the redirect target for a repeated submission; nil if it cannot be decrypted.
    private func location(_ sealed: [UInt8]) -> String? {
        guard let box = try? AES.GCM.SealedBox(combined: sealed),
            let text = try? AES.GCM.open(box, using: cipher, authenticating: authenticatedData)
        else { return nil }
        return String(decoding: text, as: UTF8.self)
    }
}
