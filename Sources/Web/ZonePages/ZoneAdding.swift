import HTTPTypes
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore
import Zones

extension ZonePages {
    /// The form of a new zone.
    func newZonePage(
        _ visit: Visit,
        _ errors: [String: Text] = [:],
        problem: Text? = nil
    ) async throws -> Page {
        let fields = [
            Field(
                name: "code",
                label: ZoneWords.code,
                hint: ZoneAddingWords.codeHint,
                value: visit.form["code"] ?? "",
                error: errors["code"]
            ),
            Field(
                name: "name",
                label: ZoneWords.name,
                value: visit.form["name"] ?? "",
                error: errors["name"]
            ),
            Field(
                name: "border",
                label: ZoneWords.pasted,
                kind: .longText,
                hint: ZoneAddingWords.borderHint,
                value: visit.form["border"] ?? "",
                error: errors["border"]
            ),
        ]
        var form = FormPage(
            action: Address("/console/zones/new"),
            fields: fields,
            button: ZoneAddingWords.button,
            busy: CommonTexts.busy
        )
        form.problem = problem
        var page = formPage(ZoneWords.newTitle, lead: ZoneAddingWords.lead, form, visit)
        page.body += backToZones(visit)
        return page
    }

    /// Adds a zone to the draft; it takes nothing from others' work, so it goes into whatever
    /// draft there is.
    func addZone(_ visit: Visit) async throws -> Reply {
        let code = (visit.form["code"] ?? "").asOneLine
        let name = (visit.form["name"] ?? "").asOneLine
        var errors: [String: Text] = [:]
        if code.isEmpty || code.count > Self.codeLimit { errors["code"] = ZoneAddingWords.badCode }
        if name.isEmpty || name.count > ZoneForm.nameLimit {
            errors["name"] = ZoneForm.Problem.name.words
        }
        let text = visit.form["border"] ?? ""
        let area = Result { () throws(BorderText.Flaw) in try BorderText.area(text) }
        if case .failure(let flaw) = area { errors["border"] = flaw.words }
        let (work, zones) = try await zoneWork()
        if zones?.zone(code) != nil { errors["code"] = ZoneAddingWords.taken }
        guard errors.isEmpty, case .success(let area) = area else {
            return try await refusedZone(errors, nil, visit)
        }
        do {
            let zone = Zone(code: code, name: name, area: area)
            let drawn = try zones?.applying([.insert(zone)]) ?? ZoneDraft([zone])
            try await save(drawn, from: work, visit)
        } catch let failure as ZoneFailure {
            let words = failure.problems.first?.words([code: name])
            return try await refusedZone([:], words, visit)
        } catch is ZoneDesk.Failure {
            return try await refusedZone([:], ZoneAddingWords.again, visit)
        }
        return .redirect(
            to: Address("/console/zones/draft", code, query: ["notice": "saved"])
        )
    }

    /// Letters of a code.
    private static let codeLimit = 40

    private func refusedZone(
        _ errors: [String: Text],
        _ problem: Text?,
        _ visit: Visit
    ) async throws -> Reply {
        var page = try await newZonePage(visit, errors, problem: problem)
        page.status = .unprocessableContent
        return reply(page, to: visit)
    }
}

enum ZoneAddingWords {
    static let lead = Text(
        "The zone goes into the draft. Land that it takes from neighbours must be cut out of them "
            + "before you publish.",
        "La zona va nella bozza. Il terreno che prende alle vicine va tolto da quelle prima di "
            + "pubblicare."
    )
    static let codeHint = Text(
        "It stays the same for ever; letters and digits, such as C1.",
        "Resta lo stesso per sempre; lettere e cifre, per esempio C1."
    )
    static let borderHint = Text(
        "One corner a line: latitude, longitude. For example 45.4642, 9.1900. Or the GeoJSON of "
            + "one area.",
        "Un vertice per riga: latitudine, longitudine. Per esempio 45.4642, 9.1900. Oppure il "
            + "GeoJSON di un'area."
    )
    static let badCode = Text(
        "Give the zone a code of 1 to 40 letters.",
        "Dai alla zona un codice da 1 a 40 lettere."
    )
    static let taken = Text(
        "Another zone has this code.",
        "Un'altra zona ha questo codice."
    )
    static let button = Text("Add it to the draft", "Aggiungila alla bozza")
    static let again = Text(
        "Somebody saved the draft at the same moment. Send it again.",
        "Qualcuno ha salvato la bozza nello stesso momento. Invia di nuovo."
    )
}
