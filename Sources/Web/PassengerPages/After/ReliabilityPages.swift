import Chronology
import Dispatching
import Encoding
import HTTPTypes
import Identity
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

/// Shows a passenger's missed rides and their consequences, and lets the passenger appeal (R111).
extension PassengerPages {
    var reliabilityRoutes: [Route] {
        [
            .get("/reliability", as: "reliability.show", for: .person, showReliability)
                .taking([.notice]),
            .post("/reliability", as: "reliability.appeal", for: .person, takeAppeal)
                .taking([.words]),
        ]
    }

    /// The page that explains a block for too many missed rides.
    func unreliable(_ until: Moment, _ context: RequestContext) -> Response {
        guard context.session?.person == nil else {
            return .redirect(to: Address("/reliability", query: ["notice": "refused"]))
        }
        let words = ReliabilityTexts.guest(until: written(until), phone: settings.phone)
        return notRequested(words, context)
    }

    private func showReliability(_ context: RequestContext) async throws -> Response {
        response(try await reliabilityPage(nil, context), to: context)
    }

    private func reliabilityPage(_ problem: Text?, _ context: RequestContext) async throws -> Page {
        let passenger = try knownPassenger(context).passenger
        let found = try await taxi.reliability(of: passenger)
        let appeals = try await taxi.appeals(of: passenger)
        let title = ReliabilityTexts.answer(found.limitedUntil.map { written($0) })
        var page = Page(
            CommonTexts.reliability,
            body: """
                \(reliabilityNotice(context))
                <div class="calm \(found.limitedUntil == nil ? "good" : "over")">\
                \(found.limitedUntil == nil ? Icon.check.html : Icon.clock.html)<div>\
                <h1>\(context.say(title))</h1>\
                <p class="lead">\(context.say(ReliabilityTexts.rule(found)))</p></div></div>
                \(incidents(found, context))
                \(appealPart(found, appeals, problem, context))
                """
        )
        page.hasForm = true
        if problem != nil { page.status = .unprocessableContent }
        return page
    }

    private func reliabilityNotice(_ context: RequestContext) -> HTML? {
        switch context.query["notice"] {
        case "refused":
            """
            <div class="notice bad" role="alert"><p>\(context.say(CheckTexts.nothingSent))</p></div>
            """
        case "sent":
            """
            <div class="notice good" role="status"><p>\(context.say(ReliabilityTexts.sent))</p>\
            </div>
            """
        default: nil
        }
    }

    private func incidents(_ found: Reliability, _ context: RequestContext) -> HTML {
        guard !found.incidents.isEmpty else {
            return "<p>\(context.say(ReliabilityTexts.none(found.days)))</p>"
        }
        let rows = found.incidents.map { one in
            Row(
                one.isMissed ? .person : .clock,
                "\(context.say(one.isMissed ? ReliabilityTexts.missed : ReliabilityTexts.late))",
                detail: time(one.at, context),
                address: Self.ride(one.request)
            )
        }
        return """
            <h2>\(context.say(ReliabilityTexts.counted(found.days)))</h2>\(Rows(rows).html)
            """
    }

    /// The passenger's latest appeal, and the appeal form if any incident can be appealed.
    private func appealPart(
        _ found: Reliability,
        _ appeals: [Appeal],
        _ problem: Text?,
        _ context: RequestContext
    ) -> HTML? {
        let latest = appeals.first.map { appeal -> HTML in
            """
            <div class="notice"><p>\(time(appeal.made, context)): \
            \(context.say(ReliabilityTexts.state(appeal)))</p></div>
            """
        }
        let waits = appeals.contains { $0.decided == nil }
        guard !found.incidents.isEmpty, !waits else { return latest }
        let form = FormPage(
            action: Address("/reliability"),
            fields: [
                Field(
                    name: "words",
                    label: ReliabilityTexts.why,
                    kind: .longText,
                    hint: FeedbackTexts.wordsHint(TaxiService.wordsLimit),
                    value: context.form["words"] ?? "",
                    error: problem
                )
            ],
            button: ReliabilityTexts.send,
            busy: OrderTexts.busy
        )
        return """
            \(latest)
            <h2>\(context.say(ReliabilityTexts.appeal))</h2>
            <p>\(context.say(ReliabilityTexts.appealLead))</p>
            \(form.html(context))
            """
    }

    private func takeAppeal(_ context: RequestContext) async throws -> Response {
        let words = (context.form["words"] ?? "").withoutInvisible.trimmingBlanks()
        guard !words.isEmpty else {
            return response(
                try await reliabilityPage(ReliabilityTexts.missing, context),
                to: context
            )
        }
        let passenger = try knownPassenger(context).passenger
        // Without incidents there is nothing to appeal.
        guard try await !taxi.reliability(of: passenger).incidents.isEmpty else {
            return .redirect(to: Address("/reliability"))
        }
        // If an earlier appeal is still open, the page shows that one.
        _ = try await taxi.appeal(words, of: passenger)
        return .redirect(to: Address("/reliability", query: ["notice": "sent"]))
    }
}

extension ReliabilityTexts {
    static func answer(_ until: Text?) -> Text {
        guard let until else {
            return ReliabilityTexts.youCanAskForTaxis
        }
        return ReliabilityTexts.blockedUntil(until)
    }
    static func rule(_ found: Reliability) -> Text {
        let minutes = found.lateSeconds / 60
        guard found.most > 0 else {
            return ReliabilityTexts.noRule
        }
        return ReliabilityTexts.rule(
            found.most,
            found.days,
            minutes
        )
    }
    /// Guests have no account page, so the text itself says whom to contact.
    static func guest(until: Text, phone: String?) -> Text {
        let limited = ReliabilityTexts.tooManyMissed(until)
        return phone.map { limited + ReliabilityTexts.contactStaff($0) } ?? limited
    }
    static func state(_ appeal: Appeal) -> Text {
        if appeal.decided == nil {
            return ReliabilityTexts.appealWaits
        }
        return appeal.isGranted
            ? ReliabilityTexts.appealGranted
            : ReliabilityTexts.appealRefused
    }
}
