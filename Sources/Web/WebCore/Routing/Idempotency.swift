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
    /// - Returns: the route's response; for a repeated submission a redirect, or for a program the
    ///   kept answer.
    /// - Throws: any error of the route; `Failure.unknownOutcome` if an earlier submission never
    ///   finished and the route cannot determine its outcome; `Failure.badRequest` if a program's
    ///   key belongs to another request; `Failure.unavailable` where a program learns the outcome
    ///   when it repeats the request.
    func answerOnce(
        _ route: Route,
        _ context: RequestContext,
        _ form: FormKey,
        isUnknown: (any Error) -> Bool
    ) async throws -> Response {
        let memory = FormMemory(form)
        var context = context
        switch try await claim(memory.claim, of: form, context) {
        case .answered(let sealed): return try memory.response(sealed, to: context)
        case .begun:
            let didNothing = givenUpForms.takeBack(form)
            guard didNothing || route.idempotency.tellsOutcome else { throw Failure.unknownOutcome }
            context.mayBeDone = !didNothing
        case .otherRequest:
            if context.application != nil { throw ProgramRefusal.otherRequest }
            throw Failure.badRequest
        case .mine: givenUpForms.takeBack(form)
        }
        let keeper = AnswerKeeper(memory)
        if context.application != nil { context.answerKeeper = keeper }
        let response: Response
        do {
            response = try await route.answer(context)
        } catch is CommandAnswers.AnsweredBefore {
            // Another server was faster, perhaps one that was killed; here, nothing was changed.
            guard case .answered(let sealed) = try await claim(memory.claim, of: form, context)
            else { throw Failure.busy(retryAfter: 1) }
            return try memory.response(sealed, to: context)
        } catch {
            guard isUnknown(error) else {
                // The next submission must still know that an earlier one may have been processed.
                if !context.mayBeDone { await giveUp(memory.claim, form) }
                throw error
            }
            // A program that repeats the request with its key learns the outcome.
            let isTold = context.application != nil && route.idempotency.tellsOutcome
            throw isTold ? Failure.unavailable(retryAfter: 5) : error
        }
        let kept = context.application == nil ? response.repetition : response.keptForProgram
        guard let location = kept else {
            await giveUp(memory.claim, form)
            return response
        }
        if keeper.hasKept(location) { return response }
        do {
            try await CommandAnswers(in: database).settle(try memory.answer(location: location))
        } catch {
            // The action succeeded and this client learns so; a repeated submission is told the
            // outcome only where the route can determine it.
            context.logger.error("an answer was not kept", metadata: ["error": "\(error)"])
        }
        return response
    }

    /// Claims the key of a form.
    private func claim(
        _ claim: CommandAnswer,
        of form: FormKey,
        _ context: RequestContext
    ) async throws -> CommandAnswers.Claim {
        do {
            return try await CommandAnswers(in: database).claim(
                claim,
                replaces: !form.isOfProgram,
                keeping: context.application == nil ? 100 : Self.answersOfProgram
            )
        } catch DatabaseFailure.outcomeUnknown(let reason) {
            // The database may contain the claim although nothing was done.
            givenUpForms.remember(form)
            throw DatabaseFailure.unavailable(reason)
        }
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
