import Encoding
import Foundation
import Localization
import Markup
import TaxiPages
import Transit
import TripPlanning
import WebCore

/// The lines of the city and their routes.
extension TravelPages {
    /// A list of more lines than this only names its groups; each group then has pages of its own.
    ///
    /// A line with a colour of its own has six elements, and a page at most 800.
    private static let mostLines = 100

    var lineRoutes: [Route] {
        [
            .get("/lines", as: "lines", for: .everybody, showLines)
                .taking([
                    .query("q", .text(80), "What the line's name contains."),
                    .query("group", .text(200), "The kind of vehicle and the operator."),
                    .query("page", .number(1...99), "The part of a long group, from 1."),
                ]),
            .get("/lines/{line}", as: "lines.line", for: .everybody, showLine)
                .taking([.lineKey]),
            .get("/lines/{line}/map.svg", as: "lines.line.map.svg", for: .everybody) { context in
                let line = try line(context)
                return try picture(of: scene(directions(of: line, context), line), context)
            }
            .taking([.lineKey])
            .answering(.picture),
        ]
    }

    private func line(_ context: RequestContext) throws -> TransitLine {
        let (key, language) = (context.parameters["line"] ?? "", context.language.rawValue)
        guard let line = context.cities.line(key, language: language)?.line else {
            throw Failure.notFound
        }
        return line
    }

    private func directions(of line: TransitLine, _ context: RequestContext) -> [LineDirection] {
        let language = context.language.rawValue
        let guide = context.cities.line(line.id, language: language)?.guide
        return guide?.directions(of: line, on: cityDay(context.now), language: language) ?? []
    }

    private func showLine(_ context: RequestContext) async throws -> Response {
        let line = try line(context)
        return response(linePage(line, directions(of: line, context), context), to: context)
    }

    // MARK: All lines

    /// Lines of one kind of vehicle, in a large region of one operator.
    private struct LineGroup {
        let key: String
        let title: Text
        var lines: [TransitLine]
    }

    private func showLines(_ context: RequestContext) async throws -> Response {
        let all = context.cities.lines(language: context.language.rawValue)
        guard !all.isEmpty else { return response(noTimetables(context), to: context) }
        let typed = context.query["q"]?.trimmingBlanks() ?? ""
        let found = typed.isEmpty ? all : all.filter { $0.contains(typed) }
        let isLarge = found.count > Self.mostLines
        let groups = Self.groups(found, byOperator: isLarge)
        let chosen = context.query["group"].flatMap { key in groups.first { $0.key == key } }
        let shown = chosen.map { [$0] } ?? groups
        let isNamed = isLarge && shown.count > 1
        let sections = shown.map { group in
            isNamed ? heading(group, typed, context) : section(group, typed, context)
        }
        var field = Field(
            name: "q",
            label: LinesTexts.search,
            hint: LinesTexts.searchHint,
            value: typed
        )
        field.isRequired = false
        let none = EmptyState(.lines, LinesTexts.none, LinesTexts.noneLead)
        let isPart = !typed.isEmpty || chosen != nil
        let back =
            isPart
            ? Button(LinesTexts.all, .link(Address("/lines")), look: .plain, icon: .back)
            : Button(
                CommonTexts.planTrip,
                .link(JourneyForm.plan.address),
                look: .plain,
                icon: .back
            )
        let page = Page(
            LinesTexts.title,
            body: """
                \(back.html(context))
                <h1>\(context.say(LinesTexts.title))</h1>
                \(SearchBox(action: Address("/lines"), field: field).html(context))
                \(HTML.when(found.isEmpty, none.html(context)))
                \(sections)
                """
        )
        return response(page, to: context)
    }

    private static func groups(_ lines: [TransitLine], byOperator: Bool) -> [LineGroup] {
        var groups: [LineGroup] = []
        var numbers: [String: Int] = [:]
        for line in lines {
            let kind = TravelLook(line.mode).kind
            let key = byOperator ? "\(kind.rawValue).\(line.agency)" : kind.rawValue
            if let number = numbers[key] {
                groups[number].lines.append(line)
            } else {
                numbers[key] = groups.count
                let mode = line.modeHeading
                let title =
                    byOperator
                    ? Text(joining: [mode, Text(same: line.agency)], separator: " · ") : mode
                groups.append(LineGroup(key: key, title: title, lines: [line]))
            }
        }
        return groups
    }

    private func address(_ group: LineGroup, _ typed: String, page: Int = 1) -> Address {
        Address("/lines", query: ["q": typed, "group": group.key, "page": "\(page)"])
    }

    /// A group without its lines, as a link to them.
    private func heading(_ group: LineGroup, _ typed: String, _ context: RequestContext) -> HTML {
        """
        <h2><a href=\(address(group, typed))>\(context.say(group.title))</a> \
        <small>\(context.say(LinesTexts.count(group.lines.count)))</small></h2>
        """
    }

    /// A group with its lines, or with the requested page of them.
    private func section(_ group: LineGroup, _ typed: String, _ context: RequestContext) -> HTML {
        let page = context.query["page"].flatMap { Int($0) } ?? 1
        let rest = group.lines.dropFirst((page - 1) * Self.mostLines)
        let items = rest.prefix(Self.mostLines).map { line -> HTML in
            let mark = line.mark(Address("/lines", line.id), isShort: true, context)
            let hasLong = !line.shortName.isEmpty && !line.longName.isEmpty
            return "<li>\(mark) \(HTML.when(hasLong, "<small>\(line.longName)</small>"))</li>"
        }
        let buttons = [
            page > 1
                ? Button(
                    LinesTexts.before,
                    .link(address(group, typed, page: page - 1)),
                    icon: .back
                )
                : nil,
            rest.count > items.count
                ? Button(
                    LinesTexts.after,
                    .link(address(group, typed, page: page + 1)),
                    icon: .next
                )
                : nil,
        ].compactMap { $0?.html(context) }
        return """
            <h2>\(context.say(group.title)) \
            <small>\(context.say(LinesTexts.count(group.lines.count)))</small></h2>
            <ul class="all-lines">\(items)</ul>
            \(HTML.when(!buttons.isEmpty, "<p class=\"actions\">\(buttons)</p>"))
            """
    }
}

extension TransitLine {
    /// Whether a name of the line or its operator contains a text, ignoring case and accents.
    fileprivate func contains(_ text: String) -> Bool {
        let wanted = Self.folded(text)
        return [name, longName, agency].contains { Self.folded($0).contains(wanted) }
    }

    private static func folded(_ text: String) -> String {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    }

    /// The heading of lines with this kind of vehicle.
    fileprivate var modeHeading: Text {
        switch mode {
        case .metro, .monorail: LinesTexts.metro
        case .rail: LinesTexts.train
        case .tram, .cableTram: LinesTexts.tram
        case .bus, .trolleybus, .coach: LinesTexts.bus
        case .ferry: LinesTexts.ferry
        case .aerialLift, .funicular: LinesTexts.cable
        case .air, .other: LinesTexts.other
        }
    }
}

extension InputField {
    /// The key of the line in the address.
    fileprivate static let lineKey = path("line", .text(200), "The feed and identifier of a line.")
}
