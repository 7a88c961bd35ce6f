import Crypto
import Encoding
import Foundation
import HTTPTypes
import Identity
import Logging
import Markup
import Storage
import Synchronization

/// Actions that are done once, however often their form is sent (ui.md 4.1, 6 and 7).
///
/// A form carries a random key; what the first sending was answered is said to each later one, for
/// as long as `CommandAnswers` keeps it. A double click waits for the first to end. Somebody who
/// goes back and changes a field means something else: that is done, and takes the key over.
extension WebEnvironment {
    /// Answers a form.
    ///
    /// - Parameters:
    ///   - route: the route of the form.
    ///   - visit: the request.
    ///   - isUnknown: whether an error means that nobody knows whether the form was done.
    /// - Returns: the answer of the route, or where a repetition is sent.
    /// - Throws: what the route throws, `Failure.unknownOutcome` where an earlier sending was begun
    ///   and never ended and the route cannot find out how, `Failure.badRequest` where a program's
    ///   key belongs to another request.
    func answerOnce(
        _ route: Route,
        _ visit: Visit,
        isUnknown: (any Error) -> Bool
    ) async throws -> Reply {
        guard route.reasonToRepeat == nil, let key = Self.key(of: visit), let secret = visit.secret
        else { return try await route.answer(visit) }
        let memory = FormMemory(of: secret, caller: visit.caller, key: key)
        let claim = memory.claim(visit)
        var visit = visit
        let answers = CommandAnswers(in: database)
        await formsInHand.enter(claim.caller + key)
        defer { formsInHand.leave(claim.caller + key) }
        let state: CommandAnswers.Claim
        do {
            state = try await answers.claim(claim, replaces: visit.form["key"] != nil)
        } catch DatabaseFailure.outcomeUnknown(let reason) {
            // The database may hold the claim, but nothing was done.
            formsInHand.rememberGivenUp(claim.caller + key)
            throw DatabaseFailure.unavailable(reason)
        }
        switch state {
        case .answered(let sealed):
            guard let location = memory.location(sealed) else { throw Failure.unknownOutcome }
            return Reply(.seeOther, headers: [.location: location])
        case .begun:
            if !formsInHand.takeBack(claim.caller + key) {
                guard route.findsEarlierSending else { throw Failure.unknownOutcome }
                visit.mayRepeat = true
            }
        case .otherRequest: throw Failure.badRequest
        case .mine: formsInHand.takeBack(claim.caller + key)
        }
        let reply: Reply
        do {
            reply = try await route.answer(visit)
        } catch {
            if !isUnknown(error) { await giveUp(claim, key) }
            throw error
        }
        guard let location = reply.repetition else {
            await giveUp(claim, key)
            return reply
        }
        do {
            try await answers.settle(try memory.answer(claim, location: location))
        } catch {
            // It was done, and who did it is told; a repetition will be told that nobody knows.
            visit.logger.error("an answer was not kept", metadata: ["error": "\(error)"])
        }
        return reply
    }

    /// Gives a claim up, because nothing was done.
    ///
    /// Where the database cannot write it, on a full disk for example, this server remembers it, so
    /// that the same form can still be sent again.
    private func giveUp(_ claim: CommandAnswer, _ key: String) async {
        do {
            try await CommandAnswers(in: database).giveUp(claim)
        } catch {
            formsInHand.rememberGivenUp(claim.caller + key)
        }
    }

    /// Identifies a form with all that it holds: the same for each time that it is sent, and
    /// unreadable in the database; nil for a form without a key.
    package static func identity(of visit: Visit) -> (caller: String, key: String)? {
        guard let key = key(of: visit), let secret = visit.secret else { return nil }
        let caller = visit.caller
        let claim = FormMemory(of: secret, caller: caller, key: key).claim(visit)
        return (caller, key + " " + claim.request.prefix(16).hex)
    }

    /// The key of a form, or of a program's request; nil where there is none.
    private static func key(of visit: Visit) -> String? {
        let key = visit.form["key"] ?? visit.headers[.idempotencyKey] ?? ""
        let isKey = key.wholeMatch(of: /[A-Za-z0-9_\-]{8,64}/) != nil
        return isKey ? key : nil
    }
}

extension Reply {
    /// Where a repetition of what was done is sent; nil where nothing was done: the form came back
    /// with what is wrong, or a page showed what would happen.
    var repetition: String? {
        if let repeated { return repeated.text }
        return status == .seeOther ? headers[.location] : nil
    }
}

/// What is kept of a form that was sent: nothing that who reads the database could read.
///
/// Forms hold passwords, and an answer may name what only its owner should see. So the digest and
/// the answer are under a key that only the browser's cookie brings.
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

    private var context: [UInt8] { Array("\(caller) \(key)".utf8) }

    /// The form as it was sent, without what differs each time that its page is shown.
    func claim(_ visit: Visit) -> CommandAnswer {
        var digest = HMAC<SHA256>(key: cipher)
        digest.update(data: Array(visit.path.utf8))
        for field in visit.form.fields where field.name != "token" && field.name != "key" {
            for text in [field.name, field.value] { digest.update(data: [0] + Array(text.utf8)) }
        }
        for file in visit.form.files {
            digest.update(data: [1] + Array(file.field.utf8) + [0])
            digest.update(data: file.bytes)
        }
        let request = Array(digest.finalize())
        return CommandAnswer(caller: caller, key: key, request: request, answer: [])
    }

    /// The same with what a repetition is answered.
    func answer(_ claim: CommandAnswer, location: String) throws -> CommandAnswer {
        let text = Array(location.utf8)
        let box = try AES.GCM.seal(text, using: cipher, authenticating: context)
        return claim.answered(Array(box.nonce) + box.ciphertext + box.tag)
    }

    /// Where a repetition is sent; nil where it cannot be read.
    func location(_ sealed: [UInt8]) -> String? {
        guard let box = try? AES.GCM.SealedBox(combined: sealed),
            let text = try? AES.GCM.open(box, using: cipher, authenticating: context)
        else { return nil }
        return String(decoding: text, as: UTF8.self)
    }
}

/// The forms that this server is answering, so that a double click waits for the first.
final class FormsInHand: Sendable {
    private let waiting = Mutex<[String: [CheckedContinuation<Void, Never>]]>([:])
    /// Forms that did nothing, but whose claims the database could not delete.
    private let givenUp = Mutex<Set<String>>([])
    /// More than a server answers before its disk is looked at; beyond it a form is not remembered
    /// and its sender is told that the outcome is unknown.
    private static let givenUpLimit = 10_000

    /// Remembers that a form did nothing although the database holds its claim.
    func rememberGivenUp(_ form: String) {
        givenUp.withLock { if $0.count < Self.givenUpLimit { $0.insert(form) } }
    }

    /// Whether the form did nothing when it was sent before; asked once, before it is done again.
    @discardableResult
    func takeBack(_ form: String) -> Bool {
        givenUp.withLock { $0.remove(form) != nil }
    }

    /// Waits until nobody else answers the form.
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

    /// Lets the next one in.
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
