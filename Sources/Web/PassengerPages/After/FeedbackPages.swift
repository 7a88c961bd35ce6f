import Dispatching
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
            .get("/ride/{request}/feedback", for: .everybody, showFeedback),
            .post("/ride/{request}/feedback", for: .everybody, takeFeedback),
        ]
    }

    func feedbackLink(_ number: RequestNumber, _ visit: Visit) -> HTML {
        """
        <p><a href=\(Address("/ride", "\(number.rawValue)", "feedback"))>\
        \(visit.say(FeedbackTexts.title))</a></p>
        """
    }

    /// Returns the request number in the path if its ride has ended and had a taxi.
    private func ratedRide(_ visit: Visit) async throws -> RequestNumber {
        let number = try requestNumber(visit)
        do {
            let passenger = try knownPassenger(visit).passenger
            guard let ended = try await taxi.ended(number, for: passenger),
                ended.record.taxi != nil
            else { throw Failure.notFound }
        } catch TaxiService.Failure.notYours {
            throw Failure.notFound
        }
        return number
    }

    private func showFeedback(_ visit: Visit) async throws -> Reply {
        let number = try await ratedRide(visit)
        let said = try await taxi.feedback(on: number, for: try knownPassenger(visit).passenger)
        let page = feedbackPage(
            number,
            stars: said?.stars.map { "\($0)" } ?? "",
            words: said?.words ?? "",
            isReport: said?.isReport ?? false,
            visit
        )
        return reply(page, to: visit)
    }

    private func feedbackPage(
        _ number: RequestNumber,
        stars: String,
        words: String,
        isReport: Bool,
        error: Text? = nil,
        _ visit: Visit
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
        var page = formPage(FeedbackTexts.title, lead: FeedbackTexts.lead, form, visit)
        let notice: HTML = """
            <div class="notice good" role="status"><p>\(visit.say(FeedbackTexts.thanks))</p></div>
            """
        if visit.query["notice"] == "thanks" { page.body = notice + page.body }
        page.body += """
            <p><a href=\(Self.ride(number))>\(visit.say(EndTexts.back))</a></p>
            """
        if error != nil { page.status = .unprocessableContent }
        return page
    }

    private func takeFeedback(_ visit: Visit) async throws -> Reply {
        let number = try await ratedRide(visit)
        let typed = visit.form["stars"] ?? ""
        let stars = Int64(typed).flatMap { (1...5).contains($0) ? $0 : nil }
        let words = (visit.form["words"] ?? "").withoutInvisible.trimmed
        let isReport = visit.form.all("wrong").contains("report")
        guard stars != nil || !words.isEmpty, typed.isEmpty || stars != nil else {
            let page = feedbackPage(
                number,
                stars: typed,
                words: words,
                isReport: isReport,
                error: FeedbackTexts.missing,
                visit
            )
            return reply(page, to: visit)
        }
        try await taxi.say(
            of: number,
            for: try knownPassenger(visit).passenger,
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
