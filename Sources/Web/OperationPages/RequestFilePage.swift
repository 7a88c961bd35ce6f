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
                "/console/operations/requests/{request}/map.svg",
                as: "operations.request.map.svg",
                for: .staff
            ) {
                let file = try await requestFile($0)
                return try picture(of: try await scene(file), $0)
            }
            .taking([.request])
            .answering(.picture),
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
        let number = try requestNumber(context)
        let file = try await requestFile(context)
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
                \(frame)\(try await requestParts(file, number, context))</div>
                <p><a href=\(OperationsView().selecting(.request(number)).address)>\
                \(context.say(RequestFileTexts.back))</a></p>
                """
        )
        page.isLive = file.live != nil
        let still = Address("/console/operations/requests", "\(number.rawValue)", "map.svg")
        page.map = sceneMap(
            try await scene(file),
            still: still,
            topic: file.live == nil ? nil : "operations",
            context
        )
        page.layout = page.map == nil ? .document : .mapSheet
        return response(page, to: context)
    }

    private func requestFile(_ context: RequestContext) async throws -> RequestFile {
        try await checkOpen(context)
        let number = try requestNumber(context)
        guard let file = try await taxi.file(of: number) else { throw Failure.notFound }
        return file
    }

    /// Where the passenger waits, and the taxi on its way; nothing once the request has ended.
    ///
    /// Operators do not see where a ride goes (R130).
    private func scene(_ file: RequestFile) async throws -> MapScene {
        guard let live = file.live else { return MapScene() }
        let meeting = live.request.isWaitedFor ? file.meeting : nil
        var scene = MapScene(
            meeting.map { [MapScene.Mark(.meeting, at: $0, CheckTexts.meeting)] } ?? []
        )
        guard let number = live.taxi?.number, let (view, stand) = try await taxi.taxi(number),
            let position = view.position
        else { return scene }
        let way = live.request.ride == nil ? nil : await taxi.way(from: position.place, to: meeting)
        let line = way.map { MapScene.Line(.approach, $0) }
        if let line { scene.lines.append(line) }
        scene.marks.append(
            MapScene.Mark(
                .taxi,
                at: position.place,
                stand.label,
                headingDegrees: line?.headingDegrees,
                isFaint: stand == .lost
            )
        )
        return scene
    }

    // MARK: What the page and the drawer show

    /// The state of a request, its facts, what can be done, and what happened.
    func requestParts(
        _ file: RequestFile,
        _ number: RequestNumber,
        _ context: RequestContext
    ) async throws -> HTML {
        let codes =
            file.story.flatMap(\.fact.taxis)
            + [file.live?.taxi?.code, file.record?.taxiCode].compactMap(\.self)
        let names = try await cityCodes(codes)
        return """
            \(requestState(file, names, context))
            \(Rows(requestFacts(file, names, context)).html)
            \(requestActions(file, number, context))
            <h2>\(context.say(RequestFileTexts.story))</h2>
            \(storyList(file.story, names, context))
            """
    }

    private func requestState(
        _ file: RequestFile,
        _ names: [String: String],
        _ context: RequestContext
    ) -> HTML {
        let lead: Text
        var waits: HTML?
        if let live = file.live {
            lead = stateText(live, names)
            let isWaiting = live.request.isWaitedFor && live.request.ride == nil
            waits = isWaiting ? "<p>\(age(of: live, context))</p>" : nil
        } else if let outcome = file.record?.outcome {
            lead = outcome.driverText
        } else {
            lead = OperationsTexts.seeking
        }
        return """
            <p class="lead">\(context.say(lead).capitalizedFirst)</p>\(waits)
            """
    }

    private func requestFacts(
        _ file: RequestFile,
        _ names: [String: String],
        _ context: RequestContext
    ) -> [Row] {
        var rows: [Row] = []
        func add(_ icon: Icon, _ title: HTML, _ label: Text, _ address: Address? = nil) {
            rows.append(
                Row(icon, title, detail: "\(context.say(label))", address: address)
            )
        }
        if let live = file.live {
            let zone = taxi.zoneName(live.zone)
            if let place = live.meeting {
                let label = Text(
                    joining: [OperationsTexts.place, Text(same: zone)],
                    separator: " · "
                )
                add(.pin, "\(shortPlace(place))", label)
            } else {
                add(.area, "\(zone)", CommonTexts.zone)
            }
        }
        if let taxi = file.live?.taxi {
            let code = names[taxi.code] ?? "\(taxi.number.rawValue)"
            let address = OperationsView().selecting(.taxi(taxi.number)).address
            add(.taxi, "\(code)", RequestFileTexts.taxi, address)
        } else if let code = file.record?.taxiCode.flatMap({ names[$0] }) {
            add(.taxi, "\(code)", RequestFileTexts.taxi)
        }
        if let needs = file.live?.request.needs {
            let people =
                context.say(OrderTexts.people(needs.seats))
                + (needs.wheelchair ? "; " + context.say(OrderTexts.wheelchair).lowercased() : "")
            add(.people, "\(people)", OrderTexts.passengers)
        }
        if let due = file.record?.due ?? file.live?.request.due {
            add(.calendar, time(due, context), RequestFileTexts.due)
        }
        if let asked = file.record?.asked {
            add(.clock, time(asked, context), RequestFileTexts.asked)
        }
        if let ended = file.record?.ended {
            add(.flag, time(ended, context), RequestFileTexts.ended)
        }
        return rows
    }

    private func requestActions(
        _ file: RequestFile,
        _ number: RequestNumber,
        _ context: RequestContext
    ) -> HTML? {
        guard let request = file.live?.request else { return nil }
        let acts = RequestAct.possible(on: request, isSuspended: file.suspension != nil)
        let links = acts.map { act -> HTML in
            let page = Address(
                "/console/operations/requests",
                "\(number.rawValue)",
                act.rawValue
            )
            let isGrave = act == .cancel || act == .end
            return Button(act.title, .link(page), look: isGrave ? .destructive : .secondary)
                .html(context)
        }
        return """
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
        let entries = story.map { told -> Timeline.Entry in
            let fact = told.fact.naming({ names[$0] ?? $0 }, zone: taxi.zoneName)
            let (icon, tone) = told.fact.look
            return Timeline.Entry(
                clock(told.at, hasSeconds: true),
                icon,
                "\(teller.sentence(fact))",
                tone: tone
            )
        }
        return "<div class=\"story\">\(Timeline(entries).html)</div>"
    }

    /// Formats the history in the visitor's language, in the city's local time.
    private func teller(_ context: RequestContext) -> StoryTeller {
        StoryTeller(context.language) { clockTime($0, hasSeconds: true) }
    }
}

extension Fact {
    /// How the fact looks on the line of what happened.
    fileprivate var look: (Icon, Tone) {
        switch self {
        case .asked: (.phone, .plain)
        case .booked, .postponed: (.calendar, .plain)
        case .joined, .gainedJoiner, .changedOwner: (.people, .plain)
        case .tried, .heldTried, .unparked: (.refresh, .plain)
        case .offered, .shown, .renewed: (.clock, .live)
        case .declined: (.close, .bad)
        case .accepted, .reached, .boarded, .arrived: (.check, .good)
        case .held, .parked: (.pause, .plain)
        case .assigned: (.taxi, .plain)
        case .stated: (.information, .plain)
        case .wrongCode, .givenBack: (.warning, .bad)
        case .ended: (.flag, .plain)
        }
    }
}

extension RequestFileTexts {
    static func title(_ number: RequestNumber) -> Text {
        RequestFileTexts.request(number.rawValue)
    }
}

extension InputField {
    /// The taxi that the operator saw: another one is not affected.
    fileprivate static let driving = set("driving", .identifier, "The taxi that the page showed.")
}
