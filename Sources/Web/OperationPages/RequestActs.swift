import Dispatching
import Encoding
import HTTPTypes
import Identity
import Localization
import Markup
import Storage
import Taxi
import TaxiPages
import WebCore

/// Validation errors in an operator's confirmation form, by field name.
struct OperatorProblems: Error, Sendable {
    var fields: [String: Text] = [:]
}

extension OperationPages {
    /// The maximum number of available taxis listed for an assignment.
    private static let candidatesShown = 12

    /// The page on which an operator confirms an action and gives a reason.
    func showRequestAct(_ act: RequestAct, _ context: RequestContext) async throws -> Response {
        try await checkOpen(context)
        return try await requestActPage(act, OperatorProblems(), context)
    }

    private func requestActPage(
        _ act: RequestAct,
        _ problems: OperatorProblems,
        _ context: RequestContext
    ) async throws -> Response {
        let number = try requestNumber(context)
        let found = try await taxi.dispatch.read { ($0.request(number), $0.suspension) }
        guard let request = found.0,
            RequestAct.possible(on: request, isSuspended: found.1 != nil).contains(act)
        else { return notDone(.wrongPhase, requestAddress(number), context) }
        var fields: [Field] = []
        if act == .assign { fields += try await taxiFields(number, problems, context) }
        if act.needsReason { fields.append(reasonField(problems, context)) }
        var form = FormPage(
            action: Address(
                "/console/operations/requests",
                "\(number.rawValue)",
                act.rawValue
            ),
            fields: fields,
            button: act.title,
            busy: CommonTexts.busy
        )
        if act.isOfTaxi, let driving = request.ride?.taxi {
            form.extra = "<input type=\"hidden\" name=\"driving\" value=\"\(driving.rawValue)\">"
        }
        let title = OperatorActTexts.titled(act.title, request: number)
        var page = formPage(title, lead: act.lead, form, context)
        page.body += back(to: requestAddress(number), context)
        if !problems.fields.isEmpty { page.status = .unprocessableContent }
        return response(page, to: context)
    }

    /// A link back from a confirmation page.
    func back(to address: Address, _ context: RequestContext) -> HTML {
        "<p><a href=\(address)>\(context.say(OperatorActTexts.back))</a></p>"
    }

    /// The field for the operator's reason.
    func reasonField(_ problems: OperatorProblems, _ context: RequestContext) -> Field {
        Field(
            name: "reason",
            label: OperatorActTexts.reason,
            hint: OperatorActTexts.reasonHint,
            value: context.form["reason"] ?? "",
            error: problems.fields["reason"]
        )
    }

    /// The reason that the operator entered.
    ///
    /// - Throws: ``OperatorProblems`` where it is missing or too long.
    func reason(_ context: RequestContext) throws(OperatorProblems) -> String {
        let reason = (context.form["reason"] ?? "").asOneLine
        if reason.isEmpty {
            throw OperatorProblems(fields: ["reason": OperatorActTexts.reasonMissing])
        }
        guard reason.count <= OperatorActTexts.reasonLimit else {
            throw OperatorProblems(fields: ["reason": OperatorActTexts.reasonTooLong])
        }
        return reason
    }

    private func taxiFields(
        _ number: RequestNumber,
        _ problems: OperatorProblems,
        _ context: RequestContext
    ) async throws -> [Field] {
        let found = try await taxi.candidates(for: number, limit: Self.candidatesShown)
        let names = try await taxiNames(found.map(\.line.taxi))
        let choices = found.map { line, metres -> (value: String, label: Text) in
            let code = names[line.taxi.code] ?? "\(line.taxi.number.rawValue)"
            let way = metres.map { CommonTexts.distance($0) }
            let parts = [Text(same: code), line.zone.map { Text(same: $0) }, way].compactMap(\.self)
            return (
                "\(line.taxi.number.rawValue)",
                Text(joining: parts, separator: " · ")
            )
        }
        let list = Field(
            name: "taxi",
            label: OperatorActTexts.taxi,
            kind: .choice(choices),
            hint: choices.isEmpty ? OperatorActTexts.noFree : OperatorActTexts.taxiHint,
            value: context.form["taxi"] ?? choices.first?.value ?? "",
            error: problems.fields["taxi"]
        )
        let code = Field(
            name: "code",
            label: OperatorActTexts.otherCode,
            value: context.form["code"] ?? "",
            error: problems.fields["code"],
            isRequired: false
        )
        return [list, code]
    }

    /// The taxi selected in the form, by its code or from the list.
    private func chosenTaxi(_ context: RequestContext) async throws -> TaxiNumber {
        let code = (context.form["code"] ?? "").trimmingBlanks()
        if !code.isEmpty {
            guard let found = try await findTaxi(code) else {
                throw OperatorProblems(fields: ["code": TaxiListTexts.notFound])
            }
            return found
        }
        guard let number = context.form["taxi"].flatMap({ UInt32($0) }) else {
            throw OperatorProblems(fields: ["taxi": OperatorActTexts.noTaxi])
        }
        return TaxiNumber(rawValue: number)
    }

    // MARK: Carrying out the action

    /// Carries out the confirmed action and records it in the audit log.
    func doRequestAct(
        _ act: RequestAct,
        _ context: RequestContext,
        _ signedIn: SignedIn
    ) async throws -> Response {
        try await checkOpen(context)
        let number = try requestNumber(context)
        do {
            let reason = act.needsReason ? try reason(context) : ""
            let note = try accounts.noting(
                act.audited,
                object: "request \(number.rawValue)",
                after: reason,
                by: signedIn.session,
                at: context.now
            )
            try await give(act, number, reason, note, context)
        } catch let problems as OperatorProblems {
            return try await requestActPage(act, problems, context)
        } catch let refusal as Refusal where refusal.failure == nil {
            return notDone(refusal, requestAddress(number), context)
        }
        await settleActs(context)
        return .redirect(to: requestAddress(number, notice: act.rawValue))
    }

    private func give(
        _ act: RequestAct,
        _ number: RequestNumber,
        _ reason: String,
        _ note: SQL,
        _ context: RequestContext
    ) async throws {
        let command: Command
        switch act {
        case .assign: command = .assign(number, try await chosenTaxi(context), reason: reason)
        case .hold: command = .park(number, reason: reason)
        case .release: command = .unpark(number)
        case .cancel: command = .withdraw(number, reason: reason)
        case .replace:
            command = .replace(number, try await driving(number, context), reason: reason)
        case .end:
            _ = try await taxi.closeRide(driving(number, context), reason: reason, with: [note])
            return
        }
        _ = try await taxi.dispatch.give(command) { _ in [note] }
    }

    /// The taxi assigned to a request, if it is still the one that the operator saw on
    /// the confirmation page.
    ///
    /// - Throws: `Refusal.wrongPhase` where no taxi is assigned any more, or a different one is.
    private func driving(
        _ number: RequestNumber,
        _ context: RequestContext
    ) async throws -> TaxiNumber {
        let taxi = try await taxi.dispatch.read { $0.request(number)?.ride?.taxi }
        guard let taxi, context.form["driving"] == "\(taxi.rawValue)" else {
            throw Refusal.wrongPhase
        }
        return taxi
    }

    /// Explains why nothing was done, with a link to continue.
    func notDone(_ refusal: Refusal, _ next: Address, _ context: RequestContext) -> Response {
        var page = Page(
            OperatorActTexts.nothingDone,
            body: """
                <h1>\(context.say(OperatorActTexts.nothingDone))</h1>
                <p class="lead" role="alert">\(context.say(refusal.operatorText))</p>
                <p class="actions"><a class="button primary" href=\(next)>\
                \(context.say(OperatorActTexts.look))</a></p>
                """
        )
        page.status = .conflict
        return response(page, to: context)
    }
}
