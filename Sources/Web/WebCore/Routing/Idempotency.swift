import Crypto
import Encoding
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
    ///   - isUnknown: whether an error leaves it unknown whether the form was processed.
    /// - Returns: the route's response, or a redirect for a repeated submission.
    /// - Throws: any error of the route; `Failure.unknownOutcome` if an earlier submission never
    ///   finished and the route cannot determine its outcome; `Failure.badRequest` if a program's
    ///   key belongs to another request.
    func answerOnce(
        _ route: Route,
        _ context: RequestContext,
        isUnknown: (any Error) -> Bool
    ) async throws -> Response {
        guard !route.idempotency.isRepeated, let key = Self.key(of: context),
            let secret = context.secret
        else { return try await route.answer(context) }
        let memory = FormMemory(of: secret, caller: context.caller, key: key)
        let claim = memory.claim(context)
        var context = context
        let answers = CommandAnswers(in: database)
        await formsInHand.enter(claim.caller + key)
        defer { formsInHand.leave(claim.caller + key) }
        let state: CommandAnswers.Claim
        do {
            state = try await answers.claim(claim, replaces: context.form["key"] != nil)
        } catch DatabaseFailure.outcomeUnknown(let reason) {
            // The database may contain the claim although nothing was done.
            formsInHand.rememberGivenUp(claim.caller + key)
            throw DatabaseFailure.unavailable(reason)
        }
        switch state {
        case .answered(let sealed):
            guard let location = memory.location(sealed) else { throw Failure.unknownOutcome }
            return Response(.seeOther, headers: [.location: location])
        case .begun:
            if !formsInHand.takeBack(claim.caller + key) {
                guard route.idempotency == .onceByKey else { throw Failure.unknownOutcome }
                context.mayRepeat = true
            }
        case .otherRequest: throw Failure.badRequest
        case .mine: formsInHand.takeBack(claim.caller + key)
        }
        let response: Response
        do {
            response = try await route.answer(context)
        } catch {
            if !isUnknown(error) { await giveUp(claim, key) }
            throw error
        }
        guard let location = response.repetition else {
            await giveUp(claim, key)
            return response
        }
        do {
            try await answers.settle(try memory.answer(claim, location: location))
        } catch {
            // The action succeeded and this client learns so; a repeated submission will report an
            // unknown outcome.
            context.logger.error("an answer was not kept", metadata: ["error": "\(error)"])
        }
        return response
    }

    /// Releases a claim because nothing was done.
    ///
    /// If the database cannot delete it, for example because the disk is full, this server
    /// remembers that, so that the form can be submitted again.
    private func giveUp(_ claim: CommandAnswer, _ key: String) async {
        do {
            try await CommandAnswers(in: database).giveUp(claim)
        } catch {
            formsInHand.rememberGivenUp(claim.caller + key)
        }
    }

    /// Identifies a form with all its fields.
    ///
    /// The result is the same for each submission and unreadable in the database; nil for a form
    /// without a key.
    package static func identity(of context: RequestContext) -> (caller: String, key: String)? {
        guard let key = key(of: context), let secret = context.secret else { return nil }
        let caller = context.caller
        let claim = FormMemory(of: secret, caller: caller, key: key).claim(context)
        return (caller, key + " " + claim.request.prefix(16).hex)
    }

    /// The idempotency key of a form or of a program's request; nil if there is none.
    private static func key(of context: RequestContext) -> String? {
        let key = context.form["key"] ?? context.headers[.idempotencyKey] ?? ""
        let isKey = key.wholeMatch(of: /[A-Za-z0-9_\-]{8,64}/) != nil
        return isKey ? key : nil
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
///
/// Forms contain passwords, and an answer may reveal what only its owner should see. Therefore, the
/// digest and the answer are encrypted with a key derived from the browser's cookie.
private struct FormMemory {
    private let cipher: SymmetricKey
    private let caller: String
    private let key: String

    init(of secret: SecretToken, caller: String, key: String) {
        cipher = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: Array(secret.text.utf8)),
            info: Array("viavai web: form".utf8),
            outputByteCount: 32
        )
        self.caller = caller
        self.key = key
    }

    private var authenticatedData: [UInt8] { Array("\(caller) \(key)".utf8) }

    /// The submitted form, without the parts that differ each time its page is shown.
    func claim(_ context: RequestContext) -> CommandAnswer {
        var digest = HMAC<SHA256>(key: cipher)
        digest.update(data: Array(context.path.utf8))
        for field in context.form.fields where field.name != "token" && field.name != "key" {
            for text in [field.name, field.value] { digest.update(data: [0] + Array(text.utf8)) }
        }
        for file in context.form.files {
            digest.update(data: [1] + Array(file.field.utf8) + [0])
            digest.update(data: file.bytes)
        }
        let request = Array(digest.finalize())
        return CommandAnswer(caller: caller, key: key, request: request, answer: [])
    }

    /// The claim with the answer for repeated submissions.
    func answer(_ claim: CommandAnswer, location: String) throws -> CommandAnswer {
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

/// The forms in progress on this server, so that a double click waits for the first submission.
final class FormsInHand: Sendable {
    private let waiting = Mutex<[String: [CheckedContinuation<Void, Never>]]>([:])
    /// The forms that did nothing, but whose claims the database could not delete.
    private let givenUp = Mutex<Set<String>>([])
    /// The maximum number of such forms, more than a server processes before its disk is checked.
    ///
    /// Beyond it, a form is not recorded and its sender learns that the outcome is unknown.
    private static let givenUpLimit = 10_000

    /// Records that a form did nothing although the database contains its claim.
    func rememberGivenUp(_ form: String) {
        givenUp.withLock { if $0.count < Self.givenUpLimit { $0.insert(form) } }
    }

    /// Whether an earlier submission of the form did nothing; removes the record when called.
    @discardableResult
    func takeBack(_ form: String) -> Bool {
        givenUp.withLock { $0.remove(form) != nil }
    }

    /// Waits until no other request is processing the form.
    func enter(_ form: String) async {
        await withCheckedContinuation { continuation in
            let isFirst = waiting.withLock { waiting in
                guard waiting[form] == nil else {
                    waiting[form]?.append(continuation)
                    return false
                }
                waiting[form] = []
                return true
            }
            if isFirst { continuation.resume() }
        }
    }

    /// Lets the next waiting request proceed.
    func leave(_ form: String) {
        let next = waiting.withLock { waiting -> CheckedContinuation<Void, Never>? in
            guard let first = waiting[form]?.first else {
                waiting[form] = nil
                return nil
            }
            waiting[form]?.removeFirst()
            return first
        }
        next?.resume()
    }
}
