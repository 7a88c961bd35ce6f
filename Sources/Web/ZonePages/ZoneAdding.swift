import HTTPTypes
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore
import Zones

extension ZonePages {
    /// The page with the form for a new zone.
    func newZonePage(
        _ context: RequestContext,
        _ errors: [String: Text] = [:],
        problem: Text? = nil
    ) async throws -> Page {
        let fields = [
            Field(
                name: "code",
                label: ZoneTexts.code,
                hint: ZoneAddingTexts.codeHint,
                value: context.form["code"] ?? "",
                error: errors["code"]
            ),
            Field(
                name: "name",
                label: ZoneTexts.name,
                value: context.form["name"] ?? "",
                error: errors["name"]
            ),
            Field(
                name: "border",
                label: ZoneTexts.pasted,
                kind: .longText,
                hint: ZoneAddingTexts.borderHint(coordinatesExample),
                value: context.form["border"] ?? "",
                error: errors["border"]
            ),
        ]
        var form = FormPage(
            action: Address("/console/zones/new"),
            fields: fields,
            button: ZoneAddingTexts.button,
            busy: CommonTexts.busy
        )
        form.problem = problem
        var page = formPage(ZoneTexts.newTitle, lead: ZoneAddingTexts.lead, form, context)
        page.layout = .console
        page.map = zoneMap(nil, naming: try await zoneWork().zones?.writtenNaming, context)
        return page
    }

    /// Adds a zone to the current draft; this cannot overwrite the work of others.
    func addZone(_ context: RequestContext) async throws -> Response {
        let code = (context.form["code"] ?? "").asOneLine
        let name = (context.form["name"] ?? "").asOneLine
        var errors: [String: Text] = [:]
        if code.isEmpty || code.count > Self.codeLimit { errors["code"] = ZoneAddingTexts.badCode }
        if name.isEmpty || name.count > ZoneForm.nameLimit {
            errors["name"] = ZoneForm.Problem.name.text
        }
        let text = context.form["border"] ?? ""
        let area = Result { () throws(BorderText.Flaw) in try BorderText.area(text) }
        if case .failure(let flaw) = area { errors["border"] = flaw.text }
        let (work, zones) = try await zoneWork()
        if zones?.zone(code) != nil { errors["code"] = ZoneAddingTexts.taken }
        guard errors.isEmpty, case .success(let area) = area else {
            return try await refusedZone(errors, nil, context)
        }
        do {
            let zone = Zone(code: code, name: name, area: area)
            let drawn = try zones?.applying([.insert(zone)]) ?? ZoneDraft([zone])
            try await save(drawn, from: work, context)
        } catch let failure as ZoneFailure {
            let words = failure.problems.first?.text([code: name])
            return try await refusedZone([:], words, context)
        } catch is ZoneDrafts.Failure {
            return try await refusedZone([:], ZoneAddingTexts.again, context)
        }
        return .redirect(
            to: Address("/console/zones/draft", code, query: ["notice": "saved"])
        )
    }

    /// The maximum number of characters in a code.
    private static let codeLimit = 40

    private func refusedZone(
        _ errors: [String: Text],
        _ problem: Text?,
        _ context: RequestContext
    ) async throws -> Response {
        var page = try await newZonePage(context, errors, problem: problem)
        page.status = .unprocessableContent
        return response(page, to: context)
    }
}
