import Dispatching
import Drivers
import HTTPTypes
import Identity
import Markup
import Taxi
import TaxiPages
import WebCore

/// Passenger feedback for operators: pending appeals, reports and ratings.
extension RegisterPages {
    var consoleFeedbackRoutes: [Route] {
        [
            .get("/console/feedback", as: "feedback.list", for: .staff, showSayings)
                .taking([.notice]),
            .post("/console/feedback", as: "feedback.decide", for: .staff, decideAppeal)
                .taking([
                    .set("appeal", .identifier, "The number of the appeal.").required,
                    .set(
                        "decision",
                        .choice(["grant", "refuse"]),
                        "Whether the appeal is granted."
                    ).required,
                ])
                .answering(.redirect),
        ]
    }

    private func showSayings(_ context: RequestContext) async throws -> Response {
        let appeals = try await taxi.openAppeals()
        let sayings = try await taxi.latestFeedback()
        let done: HTML = """
            <div class="notice good" role="status"><p>\(context.say(SayingTexts.decided))</p></div>
            """
        let not: HTML = """
            <div class="notice bad" role="alert"><p>\(context.say(SayingTexts.notDecided))</p></div>
            """
        var page = Page(
            CommonTexts.feedback,
            body: """
                \(HTML.when(context.query["notice"] == "decided", done))
                \(HTML.when(context.query["notice"] == "not", not))
                <h1>\(context.say(CommonTexts.feedback))</h1>
                <p class="lead">\(context.say(SayingTexts.title(appeals.count)))</p>
                \(HTML.when(!appeals.isEmpty, appealTable(appeals, context)))
                \(try await sayingTable(sayings, context))
                """
        )
        page.hasForm = true
        return response(page, to: context)
    }

    private func appealTable(_ appeals: [Appeal], _ context: RequestContext) -> HTML {
        let rows = appeals.map { appeal -> [HTML] in
            let person = "\(Int64(bitPattern: appeal.passenger.rawValue))"
            let form: HTML = """
                <form class="actions" method="post" action="/console/feedback">\
                \(context.formToken)<input type="hidden" name="appeal" value="\(appeal.number)">\
                <button name="decision" value="grant">\(context.say(SayingTexts.grant))</button>\
                <button name="decision" value="refuse">\(context.say(SayingTexts.refuse))</button>\
                </form>
                """
            let isOwn = context.session?.person?.passenger == appeal.passenger
            return [
                time(appeal.made, context), "\(appeal.words)",
                """
                <a href=\(Address("/console/person", person))>\
                \(context.say(SayingTexts.passenger))</a>
                """, isOwn ? "\(context.say(SayingTexts.own))" : form,
            ]
        }
        let heads = [
            CommonTexts.rideTime, CommonTexts.feedbackText, SayingTexts.passenger,
            SayingTexts.decision,
        ]
        return DataTable(
            caption: SayingTexts.appeals,
            heads.map { DataTable.Column($0) },
            rows: rows
        ).html(context)
    }

    private func sayingTable(
        _ sayings: [RideFeedback],
        _ context: RequestContext
    ) async throws -> HTML {
        guard !sayings.isEmpty else {
            return """
                <div class="empty">\(Icon.star.html)<p>\(context.say(SayingTexts.none))</p></div>
                """
        }
        let taxis = Set(
            sayings.compactMap { $0.taxiCode.flatMap(PersonNumber.init(dispatcherCode:)) }
        )
        let names = try await accounts.drivers.taxiNames(of: Array(taxis))
        let rows = sayings.map { said -> [HTML] in
            let code = said.taxiCode.flatMap(PersonNumber.init(dispatcherCode:))
                .flatMap { names[$0]?.code }
            let kind =
                said.isReport
                ? StateChip(SayingTexts.report, icon: .flag, tone: .bad)
                : StateChip(SayingTexts.rating, icon: .star)
            return [
                time(said.made, context), kind.html(context),
                "\(code ?? context.say(CommonTexts.unknownRide))",
                "\(said.stars.map { "\($0)" } ?? "")", "\(said.words)",
                "\(said.request.rawValue)",
            ]
        }
        return DataTable(
            caption: SayingTexts.sayings,
            [
                DataTable.Column(CommonTexts.rideTime), DataTable.Column(SayingTexts.kind),
                DataTable.Column(FormField.taxiCode.label),
                DataTable.Column(SayingTexts.stars, isNumber: true),
                DataTable.Column(CommonTexts.feedbackText),
                DataTable.Column(SayingTexts.ride, isNumber: true),
            ],
            rows: rows
        ).html(context)
    }

    private func decideAppeal(_ context: RequestContext) async throws -> Response {
        guard let session = context.session, let person = session.person,
            let number = context.form["appeal"].flatMap({ Int64($0) }),
            let decision = context.form["decision"], ["grant", "refuse"].contains(decision)
        else { throw Failure.badRequest }
        let act = try accounts.noting(
            .decideAppeal,
            object: "appeal \(number)",
            after: decision,
            by: session,
            at: context.now
        )
        // If two operators decide at once, the first decision counts and the other operator sees
        // it.
        let isDecided = try await taxi.decide(
            number,
            isGranted: decision == "grant",
            by: person.passenger,
            with: act
        )
        await settleActs(context)
        let notice = isDecided ? "decided" : "not"
        return .redirect(to: Address("/console/feedback", query: ["notice": notice]))
    }
}
