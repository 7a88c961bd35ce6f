import Accounts
import Crypto
import HTTPTypes
import Logging
import Storage
import Synchronization

/// Actions that are done once, however often their form is sent (ui.md 4.1, 6 and 7).
///
/// A form carries a random key; what the first sending was answered is said to each later one, for
/// as long as `CommandAnswers` keeps it. A double click waits for the first to end.
extension Site {
    /// Answers a form on a route that is done once.
    ///
    /// - Throws: what the route throws, `Failure.unknownOutcome` where an earlier sending was begun
    ///   and never ended, `Failure.badRequest` where the key belongs to another form.
    func answerOnce(_ route: Route, _ visit: Visit) async throws -> Reply {
        guard let key = Self.key(of: visit) else { return try await route.answer(visit) }
        let caller = Self.caller(of: visit)
        let request = Self.request(of: visit)
        let answers = CommandAnswers(in: database)
        await formsInHand.enter(caller + key)
        defer { formsInHand.leave(caller + key) }
        switch try await answers.claim(key: key, of: caller, request: request) {
        case .answered(let bytes):
            let location = String(decoding: bytes, as: UTF8.self)
            return Reply(.seeOther, headers: [.location: location])
        case .begun: throw Failure.unknownOutcome
        case .otherRequest: throw Failure.badRequest
        case .mine: break
        }
        let reply: Reply
        do {
            reply = try await route.answer(visit)
        } catch {
            try? await answers.giveUp(key: key, of: caller)
            throw error
        }
        // Whatever is not sent on was not done: the form came back with what is wrong.
        guard reply.status == .seeOther, let location = reply.headers[.location] else {
            try await answers.giveUp(key: key, of: caller)
            return reply
        }
        do {
            try await answers.settle(
                CommandAnswer(
                    caller: caller,
                    key: key,
                    request: request,
                    answer: Array(location.utf8)
                )
            )
        } catch {
            // It was done, and who did it is told; a repetition will be told that nobody knows.
            visit.logger.error("an answer was not kept", metadata: ["error": "\(error)"])
        }
        return reply
    }

    /// The key of a form, or of a program's request; nil where there is none.
    private static func key(of visit: Visit) -> String? {
        let key = visit.form["key"] ?? visit.headers[.idempotencyKey] ?? ""
        let isKey = key.wholeMatch(of: /[A-Za-z0-9_\-]{8,64}/) != nil
        return isKey ? key : nil
    }

    /// Whose key it is: the session's, so that nobody is told what another was answered.
    private static func caller(of visit: Visit) -> String {
        if let session = visit.session { return "session \(session.number)" }
        let digest = SHA256.hash(data: Array((visit.secret?.text ?? "").utf8))
        return "guest " + digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The form as it was sent, without what differs each time that its page is shown.
    private static func request(of visit: Visit) -> [UInt8] {
        var bytes = Array(visit.path.utf8)
        for field in visit.form.fields where field.name != "token" && field.name != "key" {
            bytes += [0] + Array(field.name.utf8) + [0] + Array(field.value.utf8)
        }
        for file in visit.form.files { bytes += [0] + Array(file.field.utf8) + [0] + file.bytes }
        return bytes
    }
}

/// The forms that this server is answering, so that a double click waits for the first.
final class FormsInHand: Sendable {
    private let waiting = Mutex<[String: [CheckedContinuation<Void, Never>]]>([:])

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
