import Chronology
import Encoding
import Fares
import Geo
import HTTPTypes
import Identity
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

/// Streets that operators close or slow for a while (R70).
extension OperationPages {
    var streetRoutes: [Route] {
        [
            .get("/console/operations/streets", as: "operations.streets.form", for: .staff) {
                try await checkOpen($0)
                return response(try await streetsPage(OperatorProblems(), $0), to: $0)
            }
            .taking([.notice]),
            .post("/console/operations/streets", as: "operations.streets", for: .staff, restrict)
                .taking([
                    .typed("start", .text(100), "Where the stretch begins."),
                    .typed("end", .text(100), "Where the stretch ends."),
                    .set(
                        "ways",
                        .choice(StreetTexts.ways.map(\.value)),
                        "Whether both directions are restricted."
                    ).explained,
                    .set(
                        "factor",
                        .choice(StreetTexts.factors.map(\.value)),
                        "How many times as long as usual it takes."
                    ).explained,
                    .typed("begins", .text(40), "From when, in the city's time zone."),
                    .typed("ends", .text(40), "Until when, in the city's time zone."),
                    .reason,
                ]),
            .post(
                "/console/operations/streets/{restriction}/end",
                as: "operations.streets.end",
                for: .staff,
                endRestriction
            )
            .taking([.path("restriction", .number(1...Int64.max), "The number of the street.")])
            .answering(.redirect)
            .failing(.conflict),
        ]
    }

    /// The longest stretch in metres: who closes more has mistaken the places.
    private static let stretchLimit = 5_000.0
    /// The longest restriction in seconds: a year.
    private static let spanLimit: Int64 = 366 * 86_400

    private func streetsPage(
        _ problems: OperatorProblems,
        _ context: RequestContext
    ) async throws -> Page {
        let form = FormPage(
            action: Address("/console/operations/streets"),
            fields: streetFields(problems, context),
            button: StreetTexts.restrict,
            busy: CommonTexts.busy
        )
        let noStreets: HTML = "<p class=\"notice\">\(context.say(StreetTexts.noStreets))</p>"
        var page = Page(
            StreetTexts.title,
            body: """
                \(consoleNotice(StreetTexts.notices, context))
                <h1>\(context.say(StreetTexts.title))</h1>
                <p class="lead">\(context.say(StreetTexts.lead))</p>
                <div class="columns"><section><h2>\(context.say(StreetTexts.current))</h2>
                \(try await streetList(context))</section>
                <section>\
                \(city == nil ? noStreets : Card(content: form.html(context)).html)</section>
                <section><h2>\(context.say(StreetTexts.learned))</h2>
                \(await slowStreetList(context))</section></div>
                <p class="actions"><a href="/console/operations">\
                \(context.say(RequestFileTexts.back))</a></p>
                """
        )
        page.hasForm = true
        if !problems.fields.isEmpty { page.status = .unprocessableContent }
        return page
    }

    private func streetFields(_ problems: OperatorProblems, _ context: RequestContext) -> [Field] {
        func field(
            _ name: String,
            _ label: Text,
            _ hint: Text? = nil,
            _ kind: Field.Kind = .text,
            otherwise value: String = "",
            isRequired: Bool = true
        ) -> Field {
            Field(
                name: name,
                label: label,
                kind: kind,
                hint: hint,
                value: context.form[name] ?? value,
                error: problems.fields[name],
                isRequired: isRequired
            )
        }
        // Browsers without a field for moments show how one is written.
        let soon = Instant(context.now.adding(seconds: 7_200))
        let local = LocalTime(soon, in: web.settings.zoneTable).iso8601
        let inTwoHours = String(local.prefix(16))
        return [
            field("start", StreetTexts.start, placeHint),
            field("end", StreetTexts.end, StreetTexts.endHint),
            field("ways", StreetTexts.direction, nil, .choice(StreetTexts.ways), otherwise: "both"),
            field(
                "factor",
                StreetTexts.effect,
                nil,
                .choice(StreetTexts.factors),
                otherwise: "\(StreetRestriction.closed)"
            ),
            field("begins", StreetTexts.begins, StreetTexts.beginsHint, .moment, isRequired: false),
            field("ends", StreetTexts.ends, StreetTexts.endsHint, .moment, otherwise: inTwoHours),
            field("reason", StreetTexts.reason, StreetTexts.reasonHint),
        ]
    }

    private func streetList(_ context: RequestContext) async throws -> HTML {
        let streets = try await taxi.restrictedStreets(at: context.now)
        guard !streets.isEmpty else { return "<p>\(context.say(StreetTexts.none))</p>" }
        let cards = streets.map { street -> Card in
            let (restriction, now) = (street.restriction, Instant(context.now))
            let span = restriction.span
            let begins = Moment(milliseconds: span.lowerBound.seconds * 1_000)
            let ends = Moment(milliseconds: span.upperBound.seconds * 1_000)
            var facts: [HTML] = [
                "\(context.say(restriction.text))",
                "\(context.say(restriction.isBothWays ? StreetTexts.both : StreetTexts.one))",
            ]
            if now < span.lowerBound {
                facts.append("\(context.say(StreetTexts.startsAt)) \(time(begins, context))")
            }
            facts.append("\(context.say(CommonTexts.until)) \(time(ends, context))")
            let end = Address("/console/operations/streets", "\(street.number)", "end")
            return Card(
                content: """
                    <p><b>\(street.name)</b></p>
                    <ul>\(facts.map { "<li>\($0)</li>" as HTML })</ul>
                    <p>\(street.reason)</p>
                    <form method="post" action=\(end)>\(context.formToken)\
                    <button>\(context.say(StreetTexts.reopen))</button></form>
                    """
            )
        }
        return Card.grid(cards)
    }

    /// What the taxis' drives have taught for this hour (R70).
    private func slowStreetList(_ context: RequestContext) async -> HTML {
        let streets = await taxi.slowStreets(at: context.now)
        guard !streets.isEmpty else { return "<p>\(context.say(StreetTexts.learnedNone))</p>" }
        let items = streets.map { street -> HTML in
            let percent = (street.perMille - 1_000) / 10
            return """
                <li><b>\(street.name)</b>: \(context.say(StreetTexts.takesMore(percent)))</li>
                """
        }
        return "<p>\(context.say(StreetTexts.learnedLead))</p><ul>\(items)</ul>"
    }

    // MARK: Restricting and reopening

    private func restrict(_ context: RequestContext, _ signedIn: SignedIn) async throws -> Response
    {
        try await checkOpen(context)
        let street: RestrictedStreet
        do {
            street = try readStreet(context)
        } catch let problems as OperatorProblems {
            return response(try await streetsPage(problems, context), to: context)
        }
        let restriction = street.restriction
        let effect = restriction.isClosed ? "closed" : "\(restriction.factor) times as long"
        let note = try accounts.noting(
            .restrictStreet,
            object: street.name,
            after: "\(effect): \(street.reason)",
            by: signedIn.session,
            at: context.now
        )
        guard try await taxi.restrict(street, at: context.now, with: [note]) else {
            let problems = OperatorProblems(fields: ["start": StreetTexts.tooMany])
            return response(try await streetsPage(problems, context), to: context)
        }
        await settleActs(context)
        return .redirect(to: Address("/console/operations/streets", query: ["notice": "given"]))
    }

    private func readStreet(_ context: RequestContext) throws -> RestrictedStreet {
        var problems = OperatorProblems()
        let start = readStretchEnd("start", &problems, context)
        let end = readStretchEnd("end", &problems, context)
        var points: [Coordinate] = []
        if let start, let end {
            points = stretch(from: start.coordinate, to: end.coordinate) ?? []
            let metres = zip(points, points.dropFirst()).map { $0.distanceMetres(to: $1) }
            if points.count < 2 || metres.reduce(0, +) > Self.stretchLimit {
                problems.fields["end"] = StreetTexts.noStretch
            }
        }
        let factor = Int(context.form["factor"] ?? "") ?? 0
        if !StreetTexts.factors.contains(where: { $0.value == "\(factor)" }) {
            problems.fields["factor"] = StreetTexts.badChoice
        }
        let ways = context.form["ways"] ?? ""
        if !StreetTexts.ways.contains(where: { $0.value == ways }) {
            problems.fields["ways"] = StreetTexts.badChoice
        }
        let span = readSpan(&problems, context)
        let reason = (context.form["reason"] ?? "").asOneLine
        if reason.isEmpty { problems.fields["reason"] = StreetTexts.noReason }
        if reason.count > OperatorActTexts.reasonLimit {
            problems.fields["reason"] = OperatorActTexts.reasonTooLong
        }
        guard problems.fields.isEmpty, let start, let end, let span else { throw problems }
        let names = [start, end].map { shortPlace($0.called) }
        return RestrictedStreet(
            names[0] == names[1] ? names[0] : "\(names[0]) – \(names[1])",
            reason: reason,
            StreetRestriction(
                points,
                isBothWays: ways == "both",
                factor: factor,
                during: span
            )
        )
    }

    private func readStretchEnd(
        _ name: String,
        _ problems: inout OperatorProblems,
        _ context: RequestContext
    ) -> ChosenPlace? {
        let text = (context.form[name] ?? "").trimmingBlanks()
        switch text.isEmpty ? .nothing : placeSearch.find(text) {
        case .found(let place): return place
        case .several: problems.fields[name] = StreetTexts.several
        case .nothing: problems.fields[name] = StreetTexts.badPlace
        }
        return nil
    }

    private func readSpan(
        _ problems: inout OperatorProblems,
        _ context: RequestContext
    ) -> Range<Instant>? {
        func moment(_ name: String) -> Moment? {
            web.settings.zoneTable.moment(written: (context.form[name] ?? "").trimmingBlanks())
        }
        let isNow = (context.form["begins"] ?? "").trimmingBlanks().isEmpty
        let begins = isNow ? context.now : moment("begins")
        if begins == nil { problems.fields["begins"] = StreetTexts.badTime }
        guard let ends = moment("ends") else {
            problems.fields["ends"] = StreetTexts.badTime
            return nil
        }
        guard let begins else { return nil }
        let seconds = (ends.milliseconds - begins.milliseconds) / 1_000
        guard ends > context.now, (60...Self.spanLimit).contains(seconds) else {
            problems.fields["ends"] = StreetTexts.badEnd
            return nil
        }
        return Instant(begins)..<Instant(ends)
    }

    private func endRestriction(
        _ context: RequestContext,
        _ signedIn: SignedIn
    ) async throws -> Response {
        try await checkOpen(context)
        let text = context.parameters["restriction"] ?? ""
        guard let number = Int64(text), number > 0, "\(number)" == text else {
            throw Failure.notFound
        }
        let streets = try await taxi.restrictedStreets(at: context.now)
        let note = try accounts.noting(
            .reopenStreet,
            object: streets.first { $0.number == number }?.name ?? "street \(number)",
            by: signedIn.session,
            at: context.now
        )
        try await taxi.endRestriction(number, at: context.now, with: [note])
        await settleActs(context)
        return .redirect(to: Address("/console/operations/streets", query: ["notice": "ended"]))
    }

    // MARK: The map

    /// The restricted streets as GeoJSON.
    func streetMarks(_ context: RequestContext) async throws -> [String] {
        try await streetsOnMap(context).map { street in
            let places = street.restriction.points.map(Self.jsonPosition)
            let name = "\(street.name): \(context.say(street.restriction.text))"
            return """
                {"type":"Feature","id":"street-\(street.number)","geometry":\
                {"type":"LineString","coordinates":[\(places.joined(separator: ","))]},\
                "properties":{"kind":"street",\
                "level":"\(street.restriction.isClosed ? "closed" : "slow")",\
                "name":\(JSONString.quoted(name)),"page":"/console/operations/streets"}}
                """
        }
    }

    /// The streets that are restricted now.
    func streetsOnMap(_ context: RequestContext) async throws -> [RestrictedStreet] {
        try await taxi.restrictedStreets(at: context.now).filter {
            $0.restriction.span.contains(Instant(context.now))
        }
    }
}

extension StreetRestriction {
    /// What it means for drives, in words.
    var text: Text {
        isClosed ? StreetTexts.closed : StreetTexts.slower(factor)
    }
}

extension StreetTexts {
    /// The directions that can be restricted.
    static let ways: [(value: String, label: Text)] = [("both", both), ("one", one)]
    /// The effects that can be chosen.
    static let factors: [(value: String, label: Text)] =
        [("\(StreetRestriction.closed)", closed)] + [2, 3, 5, 10].map { ("\($0)", slower($0)) }
    static let notices: [String: Text] = ["given": isRestricted, "ended": isOpenAgain]
}
