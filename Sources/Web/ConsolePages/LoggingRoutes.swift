import HTTPTypes
import Identity
import Localization
import Logging
import Markup
import Storage
import TaxiPages
import WebCore

extension ConsolePages {
    /// The page for changing log levels while the server runs (issue 4; R123).
    var loggingRoutes: [Route] {
        [
            .get("/console/logging", as: "logging.form", for: .graveAdministrator) {
                response(loggingPage($0), to: $0)
            }
            .taking([.notice]),
            .post("/console/logging", as: "logging", for: .graveAdministrator, setLevels)
                .taking([
                    .set("standard", .choice(of: Logger.Level.self), "The level of all parts.")
                        .explained,
                    .set(
                        "part-*",
                        .choice([""] + Logger.Level.allCases.map(\.rawValue)),
                        "The level of a part, if it differs."
                    ).explained,
                ]),
        ]
    }

    /// The components of the program that log, including those that only the settings name.
    private var loggingParts: [String] {
        let own = ["web", "mail", "taxi"] + (environment.demonstration == nil ? [] : ["demo"])
        return Set(own + logLevels.parts.map(\.name)).sorted()
    }

    private func loggingPage(_ context: RequestContext, problem: Text? = nil) -> Page {
        let own = Dictionary(uniqueKeysWithValues: logLevels.parts.map { ($0.name, $0.level) })
        let levels = Logger.Level.allCases.map { (value: $0.rawValue, label: $0.text) }
        let standard = Field(
            name: "standard",
            label: LoggingTexts.standard,
            kind: .choice(levels),
            hint: LoggingTexts.standardHint,
            value: context.form["standard"] ?? logLevels.standard.rawValue
        )
        var rows = [loggingRow(.lines, standard, logLevels.standard.chip, context)]
        rows += loggingParts.map { part in
            var field = Field(
                name: "part-\(part)",
                label: LoggingTexts.part(part),
                kind: .choice([(value: "", label: LoggingTexts.asTheRest)] + levels),
                value: context.form["part-\(part)"] ?? own[part]?.rawValue ?? "",
                isRequired: false
            )
            field.hidesOptional = true
            let rest = StateChip(LoggingTexts.asTheRest, icon: .lines, tone: .quiet)
            return loggingRow(.plug, field, own[part]?.chip ?? rest, context)
        }
        var form = FormPage(
            action: Address("/console/logging"),
            fields: [],
            button: LoggingTexts.button,
            busy: CommonTexts.busy
        )
        form.problem = problem
        form.extra = FoldedRow.list(rows, context)
        var page = formPage(LoggingTexts.title, lead: LoggingTexts.lead, form, context)
        if context.query["notice"] == "set" {
            page.body =
                Notice(.success, isAnnounced: true, "\(context.say(LoggingTexts.done))")
                .html(context) + page.body
        }
        return page
    }

    /// A part of the program with its level, and the field that changes it.
    private func loggingRow(
        _ icon: Icon,
        _ field: Field,
        _ state: StateChip,
        _ context: RequestContext
    ) -> FoldedRow {
        FoldedRow(
            icon,
            field.label,
            value: state.html(context),
            content: field.html(context)
        )
    }

    private func setLevels(_ context: RequestContext) async throws -> Response {
        guard let standard = context.form["standard"].flatMap(Logger.Level.init(rawValue:)) else {
            return unknownLevel(context)
        }
        var parts: [String: Logger.Level] = [:]
        for part in loggingParts {
            guard let text = context.form["part-\(part)"], !text.isEmpty else { continue }
            guard let level = Logger.Level(rawValue: text) else { return unknownLevel(context) }
            parts[part] = level
        }
        let note = AuditNote(
            by: context.session?.person,
            .setLogLevels,
            before: Self.line(logLevels.standard, logLevels.parts),
            after: Self.line(standard, parts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
        )
        // Record the change first: a level must not take effect without an entry in the audit log.
        try await database.write {
            try AuditTrail.append(note, under: nil, at: context.now, in: $0)
        }
        logLevels.replace(standard, parts: parts)
        context.logger.notice(
            "the levels of the log were changed",
            metadata: ["to": "\(note.after)"]
        )
        return .redirect(to: Address("/console/logging", query: ["notice": "set"]))
    }

    private func unknownLevel(_ context: RequestContext) -> Response {
        var page = loggingPage(context, problem: LoggingTexts.unknown)
        page.status = .unprocessableContent
        return response(page, to: context)
    }

    private static func line(
        _ standard: Logger.Level,
        _ parts: [(name: String, level: Logger.Level)]
    ) -> String {
        ([standard.rawValue] + parts.map { "\($0.name)=\($0.level.rawValue)" })
            .joined(separator: " ")
    }
}

/// The words of the page about the log.
extension LoggingTexts {
    /// The label of a part.
    static func part(_ name: String) -> Text {
        switch name {
        case "web": LoggingTexts.pagesAndRequestsWeb
        case "mail": LoggingTexts.messagesMail
        case "taxi": LoggingTexts.taxiServiceTaxi
        case "demo": LoggingTexts.theDemosPeopleDemo
        default: Text(same: name)
        }
    }
}

extension Logger.Level {
    /// What is logged from this level on.
    fileprivate var text: Text {
        switch self {
        case .trace: ConsoleTexts.traceEveryStep
        case .debug: ConsoleTexts.debugForFindingFaults
        case .info: ConsoleTexts.infoEveryRequest
        case .notice: ConsoleTexts.noticeWhatOperatorsDo
        case .warning: ConsoleTexts.warningWhatNeedsALook
        case .error: ConsoleTexts.errorWhatWentWrong
        case .critical: ConsoleTexts.criticalWhatStopsTheServer
        }
    }

    /// The level as a state: what writes much is likely to be changed back.
    fileprivate var chip: StateChip {
        switch self {
        case .trace, .debug: StateChip(Text(same: rawValue), icon: .eye, tone: .live)
        case .info, .notice: StateChip(Text(same: rawValue), icon: .check, tone: .good)
        case .warning, .error, .critical: StateChip(Text(same: rawValue), icon: .check)
        }
    }
}
