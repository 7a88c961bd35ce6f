import Dispatching
import Encoding
import HTTPTypes
import Identity
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

/// Calls or reserves a taxi for a caller, after the operator has confirmed it.
extension OperationPages {
    /// Orders a taxi for the caller, or makes a reservation, and redirects to the request.
    func callForCaller(
        _ context: RequestContext,
        _ signedIn: SignedIn
    ) async throws -> Response {
        try await checkOpen(context)
        let sent = confirmedDraft(context)
        let notice = sent?.due == nil ? "called" : "reserved"
        if let made = try await requestMadeBefore(context) {
            return .redirect(to: requestAddress(made, notice: notice))
        }
        let policy = try await callingNow(context).policy
        guard let ways = callerWays(policy) else { return refusedCallers(context) }
        guard let draft = sent else { return .redirect(to: Address("/console/operations/call")) }
        let key = Self.orderKey(context)
        do {
            let (caller, isGuest) = try await caller(ways, draft, context)
            guard let order = draft.order(of: caller.passenger, isGuest: isGuest) else {
                return .redirect(to: Address("/console/operations/call"))
            }
            let note = try accounts.noting(
                .callTaxi,
                // Record the account, so that a person who did not order the ride can
                // get an explanation.
                object: isGuest ? "" : "person \(caller.rawValue)",
                by: signedIn.session,
                at: context.now
            )
            let request: RequestNumber
            if let due = draft.due {
                request =
                    try await taxi.reserve(order, due: due, key: key, with: [note]).request
            } else {
                request = try await taxi.call(order, key: key, with: [note]).request
            }
            await settleActs(context)
            return .redirect(to: requestAddress(request, notice: notice))
        } catch Refusal.liveRequest(let live) {
            return .redirect(to: requestAddress(live, notice: "already"))
        } catch let refusal as Refusal where refusal.failure == nil {
            return notDone(refusal, Address("/console/operations/call"), context)
        } catch let failure as TaxiService.Failure where failure != .notServing {
            return notRequested(failure.text, context)
        } catch AccountFailure.invalid {
            return .redirect(to: Address("/console/operations/call"))
        }
    }

    /// The caller, and whether they are a guest; reservations are made in an account.
    private func caller(
        _ ways: Set<GuestProof>,
        _ draft: OrderDraft,
        _ context: RequestContext
    ) async throws -> (PersonNumber, isGuest: Bool) {
        let language = Language(rawValue: context.form["language"] ?? "") ?? context.language
        let contact = (context.form["contact"] ?? "").trimmingBlanks()
        if draft.due != nil {
            guard let person = try await account(ofCaller: contact) else {
                throw AccountFailure.invalid([])
            }
            return (person, isGuest: false)
        }
        if ways.isEmpty {
            let guest = try await accounts.namelessCaller(language: language, at: context.now)
            return (guest, isGuest: true)
        }
        let proof: GuestProof = contact.contains("@") ? .email : .phone
        guard ways.contains(proof) else { throw AccountFailure.invalid([]) }
        let guest = try await accounts.caller(
            at: contact,
            by: proof,
            language: language,
            at: context.now
        )
        return (guest, isGuest: true)
    }
}
