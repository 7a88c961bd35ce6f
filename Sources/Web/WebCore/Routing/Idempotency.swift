import Crypto
import Foundation
import HTTPTypes
import Identity
import Logging
import Markup
import Storage
import Synchronization

/// Processes each form once, however often it is submitted (ui.md 4.1, 6 and 7).
///
/// A form contains a random key. Repeated submissions receive the answer of the first one, as long
/// as `CommandAnswers` keeps it. A double click waits for the first submission to finish. If the
/// person goes back and changes a field, the form is processed again, and the key belongs to the
/// new submission.
extension WebEnvironment {
    /// Processes a form or returns the answer of its first submission.
    ///
    /// - Parameters:
    ///   - route: the route of the form.
    ///   - context: the request.
    ///   - form: the key of the form.
    ///   - isUnknown: whether an error leaves it unknown whether the form was processed.
    /// - Returns: the route's response, or a redirect for a repeated submission.
    /// - Throws: any error of the route; `Failure.unknownOutcome` if an earlier submission never
    ///   finished and the route cannot determine its outcome; `Failure.badRequest` if a program's
    ///   key belongs to another request.
    func answerOnce(
        _ route: Route,
        _ context: RequestContext,
        _ form: FormKey,
        isUnknown: (any Error) -> Bool
    ) async throws -> Response {
        let memory = FormMemory(form)
        let claim = memory.claim
        let answers = CommandAnswers(in: database)
        let state: CommandAnswers.Claim
        do {
            state = try await answers.claim(
                claim,
                replaces: !form.isOfProgram,
                keeping: context.application == nil ? 100 : Self.answersOfProgram
            )
        } catch DatabaseFailure.outcomeUnknown(let reason) {
            // The database may contain the claim although nothing was done.
            givenUpForms.remember(form)
            throw DatabaseFailure.unavailable(reason)
        }
        switch state {
        case .answered(let sealed):
            guard let kept = memory.location(sealed) else { throw Failure.unknownOutcome }
            guard context.application != nil else {
                return Response(.seeOther, headers: [.location: kept])
            }
            guard let response = Response(keptForProgram: kept) else {
                throw Failure.unknownOutcome
            }
            return response
        case .begun:
            guard givenUpForms.takeBack(form) || route.idempotency == .onceByKey else {
                throw Failure.unknownOutcome
            }
        case .otherRequest:
            if context.application != nil { throw ProgramRefusal.otherRequest }
            throw Failure.badRequest
        case .mine: givenUpForms.takeBack(form)
        }
        let response: Response
        do {
            response = try await route.answer(context)
        } catch {
            if !isUnknown(error) { await giveUp(claim, form) }
            throw error
        }
        let kept = context.application == nil ? response.repetition : response.keptForProgram
        guard let location = kept else {
            await giveUp(claim, form)
            return response
        }
        do {
            try await answers.settle(try memory.answer(location: location))
        } catch {
            // The action succeeded and this client learns so; a repeated submission will report an
            // unknown outcome.
            context.logger.error("an answer was not kept", metadata: ["error": "\(error)"])
        }
        return response
    }

    /// The number of answers kept for an application, which sends many more than a person.
    private static let answersOfProgram = 1_000

    /// Releases a claim because nothing was done.
    ///
    /// If the database cannot delete it, for example because the disk is full, this server
    /// remembers that, so that the form can be submitted again.
    private func giveUp(_ claim: CommandAnswer, _ form: FormKey) async {
        do {
            try await CommandAnswers(in: database).giveUp(claim)
        } catch {
            givenUpForms.remember(form)
        }
    }
}

extension Response {
    /// Where to redirect a repeated submission; nil if nothing was done because the form was shown
    /// again with errors or a page showed a preview.
    var repetition: String? {
        if let repeated { return repeated.text }
        return status == .seeOther ? headers[.location] : nil
    }
}

/// The stored record of a submitted form, which nobody with access to the database can read.
private struct FormMemory {
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

    /// Decrypts the redirect target for a repeated submission; nil if it cannot be decrypted.
    func location(_ sealed: [UInt8]) -> String? {
        guard let box = try? AES.GCM.SealedBox(combined: sealed),
            let text = try? AES.GCM.open(box, using: cipher, authenticating: authenticatedData)
        else { return nil }
        return String(decoding: text, as: UTF8.self)
    }
}

/// The forms that did nothing, but whose claims the database could not delete.
final class GivenUpForms: Sendable {
    private let forms = Mutex<Set<String>>([])
    /// The maximum number of such forms, more than a server processes before its disk is checked.
    ///
    /// Beyond it, a form is not recorded and its sender learns that the outcome is unknown.
    private static let limit = 10_000

    /// Records that a form did nothing although the database contains its claim.
    func remember(_ form: FormKey) {
        forms.withLock { if $0.count < Self.limit { $0.insert(form.form) } }
    }

    /// Whether an earlier submission of the form did nothing; removes the record when called.
    @discardableResult
    func takeBack(_ form: FormKey) -> Bool {
        forms.withLock { $0.remove(form.form) != nil }
    }
}
