import Chronology
import Dispatching
import Fares
import HTTPTypes
import Identity
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

extension OperationPages {
    /// The page of one request: its history and the available actions.
    var requestFileRoutes: [Route] {
        [
            .get(
                "/console/operations/requests/{request}",
                as: "operations.request",
                for: .staff,
                showRequestFile
            )
            .taking([.request, .notice]),
            .get(
                "/console/operations/requests/{request}/assign",
                as: "operations.requests.assign.form",
                for: .staff
            ) {
                try await showRequestAct(.assign, $0)
            }
            .taking([.request])
            .failing(.conflict),
            .post(
                "/console/operations/requests/{request}/assign",
                as: "operations.requests.assign",
                for: .staff
            ) {
                try await doRequestAct(.assign, $0, $1)
            }
            .taking([
                .request,
                .reason,
                .set("taxi", .identifier, "The taxi, of those offered.").explained,
                .typed("code", .text(40), "The code of another taxi."),
            ])
            .failing(.conflict),
            .get(
                "/console/operations/requests/{request}/hold",
                as: "operations.requests.hold.form",
                for: .staff
            ) {
                try await showRequestAct(.hold, $0)
            }
            .taking([.request])
            .failing(.conflict),
            .post(
                "/console/operations/requests/{request}/hold",
                as: "operations.requests.hold",
                for: .staff
            ) {
                try await doRequestAct(.hold, $0, $1)
            }
            .taking([.request, .reason])
            .failing(.conflict),
            .get(
                "/console/operations/requests/{request}/release",
                as: "operations.requests.release.form",
                for: .staff
            ) {
                try await showRequestAct(.release, $0)
            }
            .taking([.request])
            .failing(.conflict),
            .post(
                "/console/operations/requests/{request}/release",
                as: "operations.requests.release",
                for: .staff
            ) {
                try await doRequestAct(.release, $0, $1)
            }
            .taking([.request])
            .failing(.conflict),
            .get(
                "/console/operations/requests/{request}/replace",
                as: "operations.requests.replace.form",
                for: .staff
            ) {
                try await showRequestAct(.replace, $0)
            }
            .taking([.request])
            .failing(.conflict),
            .post(
                "/console/operations/requests/{request}/replace",
                as: "operations.requests.replace",
                for: .staff
            ) {
                try await doRequestAct(.replace, $0, $1)
            }
            .taking([.request, .reason, .driving])
            .failing(.conflict),
            .get(
                "/console/operations/requests/{request}/cancel",
                as: "operations.requests.cancel.form",
                for: .staff
            ) {
                try await showRequestAct(.cancel, $0)
            }
            .taking([.request])
            .failing(.conflict),
            .post(
                "/console/operations/requests/{request}/cancel",
                as: "operations.requests.cancel",
                for: .staff
            ) {
                try await doRequestAct(.cancel, $0, $1)
            }
            .taking([.request, .reason])
            .failing(.conflict),
            .get(
                "/console/operations/requests/{request}/end",
                as: "operations.requests.end.form",
                for: .staff
            ) {
                try await showRequestAct(.end, $0)
            }
            .taking([.request])
            .failing(.conflict),
            .post(
                "/console/operations/requests/{request}/end",
                as: "operations.requests.end",
                for: .staff
            ) {
                try await doRequestAct(.end, $0, $1)
            }
            .taking([.request, .reason, .driving])
            .failing(.conflict),
        ]
    }

    /// The address of the page of a request.
    func requestAddress(_ number: RequestNumber, notice: String? = nil) -> Address {
        let text = "\(number.rawValue)"
        return notice.map {
            Address("/console/operations/requests", text, query: ["notice": $0])
        } ?? Address("/console/operations/requests", text)
    }

    private func showRequestFile(_ context: RequestContext) async throws -> Response {
        try await checkOpen(context)
        let number = try requestNumber(context)
        guard let file = try await taxi.file(of: number) else { throw Failure.notFound }
        let codes =
            file.story.flatMap(\.fact.taxis)
            + [file.live?.taxi?.code, file.record?.taxiCode].compactMap(\.self)
        let names = try await cityCodes(codes)
        let title = RequestFileTexts.title(number)
        // A request that has ended does not change any more: an open page loads it once
        // and then stops updating.
        let frame: HTML =
            file.live == nil ? "<div>" : "<div id=\"request-file\" data-live=\"operations\">"
        var page = Page(
            title,
            body: """
                \(consoleNotice(OperationsTexts.notices, context))
                <h1>\(context.say(title))</h1>
                \(frame)
                \(requestState(file, names, context))
                \(requestActions(file, number, context))
                <h2>\(context.say(RequestFileTexts.story))</h2>
                \(storyList(file.story, names, context))</div>
                <p><a href="/console/operations">\(context.say(RequestFileTexts.back))</a></p>
                """
        )
        page.isLive = file.live != nil
        return response(page, to: context)
    }

    private func requestState(
        _ file: RequestFile,
        _ names: [String: String],
        _ context: RequestContext
    ) -> HTML {
        let lead: Text
        if let live = file.live {
            lead = stateText(live, names)
        } else if let outcome = file.record?.outcome {
            lead = outcome.driverText
        } else {
            lead = OperationsTexts.seeking
        }
        return """
            <p class="lead">\(context.say(lead).capitalizedFirst)</p>
            <dl class="summary facts">\(requestFacts(file, names, context))</dl>
            """
    }

    private func requestFacts(
        _ file: RequestFile,
        _ names: [String: String],
        _ context: RequestContext
    ) -> [HTML] {
        var facts: [(Text, HTML)] = []
        if let asked = file.record?.asked {
            facts.append((RequestFileTexts.asked, time(asked, context)))
        }
        if let due = file.record?.due ?? file.live?.request.due {
            facts.append((RequestFileTexts.due, time(due, context)))
        }
        if let live = file.live {
            if RequestFilter(live.request) != .reserved {
                facts.append((OperationsTexts.since, age(of: live, context)))
            }
            facts.append((CommonTexts.zone, "\(taxi.zoneName(live.zone))"))
            if let place = live.meeting { facts.append((OperationsTexts.place, "\(place.text)")) }
            let needs = live.request.needs
            let people =
                context.say(OrderTexts.people(needs.seats))
                + (needs.wheelchair ? "; " + context.say(OrderTexts.wheelchair).lowercased() : "")
            facts.append((OrderTexts.passengers, "\(people)"))
        }
        if let taxi = file.live?.taxi {
            let code = names[taxi.code] ?? "\(taxi.number.rawValue)"
            facts.append((RequestFileTexts.taxi, "<a href=\(address(of: taxi.number))>\(code)</a>"))
        } else if let code = file.record?.taxiCode.flatMap({ names[$0] }) {
            facts.append((RequestFileTexts.taxi, "\(code)"))
        }
        if let ended = file.record?.ended {
            facts.append((RequestFileTexts.ended, time(ended, context)))
        }
        return facts.map { label, value in
            "<div><dt>\(context.say(label))</dt><dd>\(value)</dd></div>"
        }
    }

    private func requestActions(
        _ file: RequestFile,
        _ number: RequestNumber,
        _ context: RequestContext
    ) -> HTML? {
        guard let request = file.live?.request else { return nil }
        let acts = RequestAct.possible(on: request, isSuspended: file.suspension != nil)
        let links = acts.map { act -> HTML in
            let style: HTML = act == .cancel || act == .end ? "button danger" : "button"
            let page = Address(
                "/console/operations/requests",
                "\(number.rawValue)",
                act.rawValue
            )
            return "<a class=\"\(style)\" href=\(page)>\(context.say(act.title))</a> "
        }
        return """
            <h2>\(context.say(RequestFileTexts.actions))</h2>
            \(HTML.when(file.suspension != nil, """
            <p>\(context.say(SuspensionTexts.isSuspended)).</p>
            """))
            <p class="actions">\(links)</p>
            """
    }

    /// The history of a request, as the command line also shows it.
    private func storyList(
        _ story: [Told],
        _ names: [String: String],
        _ context: RequestContext
    ) -> HTML {
        guard !story.isEmpty else {
            return "<p>\(context.say(RequestFileTexts.noStory))</p>"
        }
        let teller = teller(context)
        let items = story.map { told -> HTML in
            let fact = told.fact.naming({ names[$0] ?? $0 }, zone: taxi.zoneName)
            let sentence = teller.sentence(fact)
            return "<li>\(clock(told.at, hasSeconds: true)) \(sentence)</li>"
        }
        return "<ol class=\"story\">\(items)</ol>"
    }

    /// Formats the history in the visitor's language, in the city's local time.
    private func teller(_ context: RequestContext) -> any StoryTeller {
        let write: @Sendable (Moment) -> String = { clockTime($0, hasSeconds: true) }
        return context.language == .italian
            ? ItalianTeller(clock: write) : EnglishTeller(clock: write)
    }
}

extension String {
    /// The text with its first letter in upper case.
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

extension RequestFileTexts {
    static func title(_ number: RequestNumber) -> Text {
        RequestFileTexts.request("\(number.rawValue)")
    }
}

extension InputField {
    /// The taxi that the operator saw: another one is not affected.
    fileprivate static let driving = set("driving", .identifier, "The taxi that the page showed.")
}
