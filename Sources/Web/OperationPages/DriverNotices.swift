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

/// Notices from operators to the drivers of a zone, to all drivers, or to one driver (issue 5,
/// "notices to drivers of a zone").
extension OperationPages {
    var driverNoticeRoutes: [Route] {
        [
            .get(
                "/console/operations/notices",
                as: "operations.notices.form",
                for: .staff,
                showNotices
            )
            .taking([
                .notice,
                .query("code", .text(40), "The taxi whose driver gets the notice."),
            ]),
            .post("/console/operations/notices", as: "operations.notices", for: .staff, giveNotice)
                .taking(Self.noticeInputs),
            .post(
                "/console/operations/notices/{notice}/end",
                as: "operations.notices.end",
                for: .staff,
                endNotice
            )
            .taking([.path("notice", .number(1...Int64.max), "The number of the notice.")])
            .answering(.redirect)
            .failing(.conflict),
        ]
    }

    private static var noticeInputs: [InputField] {
        let texts = Language.allCases.map { language in
            InputField.typed(
                textField(language),
                .text(200),
                "The notice in the language \(language.rawValue)."
            )
        }
        return [
            .set("zone", .text(400), "The code of the zone whose drivers get the notice.")
                .explained,
            .typed("code", .text(40), "The taxi whose driver gets the notice."),
            .set(
                "hours",
                .choice(NoticeTexts.lengths.map { "\($0)" }),
                "For how many hours the notice stands."
            ).explained,
        ] + texts
    }

    /// The name of the field for the text in a language.
    private static func textField(_ language: Language) -> String { "text_\(language.rawValue)" }

    private func showNotices(_ context: RequestContext) async throws -> Response {
        try await checkOpen(context)
        return response(try await noticesPage(OperatorProblems(), context), to: context)
    }

    private func noticesPage(
        _ problems: OperatorProblems,
        _ context: RequestContext
    ) async throws -> Page {
        let zones = try await taxi.dispatch.read { $0.zones.map(\.name) }
        let form = FormPage(
            action: Address("/console/operations/notices"),
            fields: noticeFields(zones, problems, context),
            button: NoticeTexts.give,
            busy: CommonTexts.busy
        )
        var page = Page(
            NoticeTexts.title,
            body: """
                \(consoleNotice(NoticeTexts.notices, context))
                <h1>\(context.say(NoticeTexts.title))</h1>
                <div class="columns"><section>\(Card(content: form.html(context)).html)</section>
                <section><h2>\(context.say(NoticeTexts.current))</h2>
                \(try await noticeList(context))</section></div>
                <p><a href="/console/operations">\(context.say(RequestFileTexts.back))</a></p>
                """
        )
        page.hasForm = true
        if !problems.fields.isEmpty { page.status = .unprocessableContent }
        return page
    }

    private func noticeFields(
        _ zones: [String],
        _ problems: OperatorProblems,
        _ context: RequestContext
    ) -> [Field] {
        let everybody = [(value: "", label: NoticeTexts.everybody)]
        let choices = everybody + zones.map { (value: $0, label: Text(same: taxi.zoneName($0))) }
        func field(_ name: String, _ label: Text, _ hint: Text? = nil) -> Field {
            Field(
                name: name,
                label: label,
                hint: hint,
                value: context.form[name] ?? context.query[name] ?? "",
                error: problems.fields[name],
                isRequired: false
            )
        }
        let zone = Field(
            name: "zone",
            label: NoticeTexts.zone,
            kind: .choice(choices),
            value: context.form["zone"] ?? "",
            error: problems.fields["zone"]
        )
        let texts = Language.allCases.enumerated().map { place, language in
            field(
                Self.textField(language),
                NoticeTexts.textIn(language.ownName),
                place == 0 ? NoticeTexts.textHint : nil
            )
        }
        return [zone, field("code", NoticeTexts.code, NoticeTexts.codeHint)] + texts + [
            Field(
                name: "hours",
                label: NoticeTexts.hours,
                kind: .choice(NoticeTexts.lengths.map { ("\($0)", NoticeTexts.length($0)) }),
                value: context.form["hours"] ?? "1",
                error: problems.fields["hours"]
            )
        ]
    }

    private func noticeList(_ context: RequestContext) async throws -> HTML {
        let notices = try await taxi.notices(at: context.now)
        guard !notices.isEmpty else { return "<p>\(context.say(NoticeTexts.none))</p>" }
        let taxis = notices.compactMap { notice -> TaxiNumber? in
            if case .taxi(let number) = notice.audience { number } else { nil }
        }
        let references = try await taxi.dispatch.read { state in
            taxis.compactMap { state.reference($0) }
        }
        let codes = try await taxiNames(references)
        let cards = notices.map { notice -> Card in
            let whom: Text =
                switch notice.audience {
                case .everybody: NoticeTexts.everybody
                case .zone(let code): Text(same: taxi.zoneName(code))
                case .taxi(let number):
                    Text(
                        same: references.first { $0.number == number }
                            .flatMap { codes[$0.code] } ?? "\(number.rawValue)"
                    )
                }
            let end = Address("/console/operations/notices", "\(notice.number)", "end")
            return Card(
                content: """
                    <p><b>\(context.say(whom))</b> <span class="hint">\
                    \(context.say(CommonTexts.until)) \(time(notice.until, context))</span></p>
                    <p>\(notice.html(in: context.language))</p>
                    <form method="post" action=\(end)>\(context.formToken)\
                    <button>\(context.say(NoticeTexts.end))</button></form>
                    """
            )
        }
        return Card.grid(cards)
    }

    // MARK: Publishing and withdrawing

    private func giveNotice(
        _ context: RequestContext,
        _ signedIn: SignedIn
    ) async throws -> Response {
        try await checkOpen(context)
        let notice: DriverNotice
        do {
            notice = try await readNotice(context)
        } catch let problems as OperatorProblems {
            return response(try await noticesPage(problems, context), to: context)
        }
        let whom =
            switch notice.audience {
            case .everybody: "all drivers"
            case .zone(let name): "zone \(name)"
            case .taxi(let number): "taxi \(number.rawValue)"
            }
        let note = try accounts.noting(
            .notifyDrivers,
            object: whom,
            after: notice.text.reading(in: .usual).text,
            by: signedIn.session,
            at: context.now
        )
        try await taxi.give(notice, with: [note])
        await settleActs(context)
        await taxiEvents.publishNotice(to: notice.audience)
        return .redirect(to: Address("/console/operations/notices", query: ["notice": "given"]))
    }

    private func readNotice(_ context: RequestContext) async throws -> DriverNotice {
        var problems = OperatorProblems()
        var text = WrittenText()
        for language in Language.allCases {
            let name = Self.textField(language)
            text[language] = (context.form[name] ?? "").asOneLine
            if text[language].count > OperatorActTexts.reasonLimit {
                problems.fields[name] = OperatorActTexts.reasonTooLong
            }
        }
        if text.isEmpty {
            for language in Language.allCases {
                problems.fields[Self.textField(language)] = NoticeTexts.missing
            }
        }
        let hours = context.form["hours"].flatMap { Int64($0) } ?? 0
        if !NoticeTexts.lengths.contains(hours) { problems.fields["hours"] = NoticeTexts.badHours }
        var audience = DriverNotice.Audience.everybody
        let zone = context.form["zone"] ?? ""
        let code = (context.form["code"] ?? "").trimmingBlanks()
        if !code.isEmpty {
            if let number = try await findTaxi(code) {
                audience = .taxi(number)
            } else {
                problems.fields["code"] = TaxiListTexts.notFound
            }
        } else if !zone.isEmpty {
            let isZone = try await taxi.dispatch.read { $0.zones.contains { $0.name == zone } }
            audience = .zone(zone)
            if !isZone { problems.fields["zone"] = NoticeTexts.badZone }
        }
        guard problems.fields.isEmpty else { throw problems }
        return DriverNotice(
            to: audience,
            made: context.now,
            until: context.now.adding(seconds: hours * 3_600),
            text: text
        )
    }

    private func endNotice(_ context: RequestContext, _ signedIn: SignedIn) async throws -> Response
    {
        try await checkOpen(context)
        let text = context.parameters["notice"] ?? ""
        guard let number = Int64(text), number > 0, "\(number)" == text else {
            throw Failure.notFound
        }
        let ended = try await taxi.notices(at: context.now).first { $0.number == number }
        let note = try accounts.noting(
            .withdrawNotice,
            object: "notice \(number)",
            by: signedIn.session,
            at: context.now
        )
        try await taxi.withdrawNotice(number, at: context.now, with: [note])
        await settleActs(context)
        if let ended { await taxiEvents.publishNotice(to: ended.audience) }
        return .redirect(to: Address("/console/operations/notices", query: ["notice": "ended"]))
    }
}

/// UI texts for notices to drivers.
extension NoticeTexts {
    /// The durations that can be chosen for a notice, in hours.
    static let lengths: [Int64] = [1, 2, 4, 8, 24]
    static let notices: [String: Text] = [
        "given": NoticeTexts.theDriversAreTold,
        "ended": NoticeTexts.theNoticeIsTakenBack,
    ]
}
