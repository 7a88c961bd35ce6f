import Dispatching
import Encoding
import HTTPTypes
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

/// The feedback form after a ride: a star rating, a comment and a report of anything that went
/// wrong.
///
/// Only operators can read it.
extension PassengerPages {
    var feedbackRoutes: [Route] {
        [
            .get(
                "/ride/{request}/feedback",
                as: "ride.feedback.form",
                for: .everybody,
                showFeedback
            )
            .taking([.request, .notice]),
            .post("/ride/{request}/feedback", as: "ride.feedback", for: .everybody, takeFeedback)
                .taking([
                    .request,
                    .set("stars", .number(1...5), "How good the ride was.").explained,
                    .words,
                    .set(
                        "wrong",
                        .several(.choice(["report"]), 1),
                        "Reports that something went wrong."
                    ),
                ]),
        ]
    }

    /// Returns the request number in the path if its ride has ended and had a taxi.
    private func ratedRide(_ context: RequestContext) async throws -> RequestNumber {
        let number = try requestNumber(context)
        guard try await endedRide(number, context).record.taxi != nil else {
            throw Failure.notFound
        }
        return number
    }

    private func showFeedback(_ context: RequestContext) async throws -> Response {
        let number = try await ratedRide(context)
        let said = try await taxi.feedback(on: number, for: try knownPassenger(context).passenger)
        let page = feedbackPage(
            number,
            stars: said?.stars.map { "\($0)" } ?? "",
            words: said?.words ?? "",
            isReport: said?.isReport ?? false,
            context
        )
        return response(page, to: context)
    }

    private func feedbackPage(
        _ number: RequestNumber,
        stars: String,
        words: String,
        isReport: Bool,
        error: Text? = nil,
        _ context: RequestContext
    ) -> Page {
        let form = FormPage(
            action: Address("/ride", "\(number.rawValue)", "feedback"),
            fields: [
                Field(
                    name: "stars",
                    label: FeedbackTexts.stars,
                    kind: .oneOf(
                        FeedbackTexts.marks.enumerated().map { place, words in
                            ("\(5 - place)", words)
                        }
                    ),
                    value: stars,
                    error: error,
                    isRequired: false
                ),
                Field(
                    name: "words",
                    label: CommonTexts.feedbackText,
                    kind: .longText,
                    hint: FeedbackTexts.wordsHint(TaxiService.wordsLimit),
                    value: words,
                    isRequired: false
                ),
                Field(
                    name: "wrong",
                    label: FeedbackTexts.wrong,
                    kind: .several([("report", FeedbackTexts.report)]),
                    value: isReport ? "report" : "",
                    isRequired: false
                ),
            ],
            button: FeedbackTexts.send,
            busy: OrderTexts.busy
        )
        var page = formPage(FeedbackTexts.title, lead: FeedbackTexts.lead, form, context)
        let notice: HTML = """
            <div class="notice good" role="status"><p>\(context.say(FeedbackTexts.thanks))</p></div>
            """
        if context.query["notice"] == "thanks" { page.body = notice + page.body }
        let back = Button(EndTexts.back, .link(Self.ride(number)), look: .plain, icon: .back)
        page.body = """
            <div class="stars">\(page.body)</div>
            \(back.html(context))
            """
        if error != nil { page.status = .unprocessableContent }
        return page
    }

    private func takeFeedback(_ context: RequestContext) async throws -> Response {
        let number = try await ratedRide(context)
        let typed = context.form["stars"] ?? ""
        let stars = Int64(typed).flatMap { (1...5).contains($0) ? $0 : nil }
        let words = (context.form["words"] ?? "").withoutInvisible.trimmingBlanks()
        let isReport = context.form.all("wrong").contains("report")
        guard stars != nil || !words.isEmpty, typed.isEmpty || stars != nil else {
            let page = feedbackPage(
                number,
                stars: typed,
                words: words,
                isReport: isReport,
                error: FeedbackTexts.missing,
                context
            )
            return response(page, to: context)
        }
        try await taxi.say(
            of: number,
            for: try knownPassenger(context).passenger,
            stars: stars,
            words: words,
            isReport: isReport
        )
        return .redirect(
            to: Address(
                "/ride",
                "\(number.rawValue)",
                "feedback",
                query: ["notice": "thanks"]
            )
        )
    }
}

extension FeedbackTexts {
    static let marks = [
        FeedbackTexts.text5StarsVeryGood, FeedbackTexts.text4StarsGood,
        FeedbackTexts.text3StarsFair, FeedbackTexts.text2StarsPoor,
        FeedbackTexts.text1StarBad,
    ]
}

extension InputField {
    /// What a person says about a ride or an entry in their record.
    static let words = typed(
        "words",
        .text(TaxiService.wordsLimit),
        "What the person says about it."
    )
}
