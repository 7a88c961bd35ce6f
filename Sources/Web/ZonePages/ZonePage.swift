import HTTPTypes
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore
import Zones

/// The content of the page of one zone: a part of one of its borders, as stored or as entered.
struct ZoneSheet {
    var zone: Zone
    var shape: ZoneShape
    var revision: Int64
    var over: Int64?
    var border: Int
    var first: Int
    var count: Int
    var name: String
    var rows: [ZoneForm.Row]
    var pasted = ""
    var naming: ZoneNaming?
    /// The errors in the entered values.
    var problems: [Text] = []

    /// The title of a border within its zone.
    static func title(_ border: ZoneShape.Border, _ shape: ZoneShape) -> Text {
        let hasParts = shape.borders.contains { $0.part > 0 }
        let part = border.part + 1
        return switch (hasParts, border.isHole) {
        case (false, false): ZoneTexts.outer
        case (false, true): ZoneTexts.hole
        case (true, false): ZoneTexts.part(part)
        case (true, true): ZoneTexts.holeOfPart(part)
        }
    }
}

extension ZonePages {
    /// The page for editing one zone.
    ///
    /// Scripts that draw the zone on a map may rely on the following:
    ///
    /// - `form[data-zone-editor]` is the form. Its `tbody[data-vertices]` has one `tr` for each
    ///   visible corner, in order. Each row has one `input[name=latitude]` and one
    ///   `input[name=longitude]`, in degrees, and four buttons `button[name=do]` with the values
    ///   `up-N`, `down-N`, `insert-N` and `remove-N` for row N, counted from 0.
    /// - The rows are part of one border of the zone: the corners starting at `data-first` of
    ///   border `data-border` out of `data-borders`. Borders are numbered from 0 in the order of
    ///   the zone's GeoJSON: the rings of the first polygon, then those of the next.
    /// - A script may change values, and add and remove rows. To add a row, clone one, change its
    ///   values and renumber the buttons. The hidden inputs must not change: they specify what the
    ///   rows replace. The button `do=save` saves the rows as they are.
    /// - `div[data-map=zones]` is the map container. `data-source` is the address of the draft as
    ///   GeoJSON, whose features have the code as `id` and their name in the property `data-name`.
    ///   `data-zone` is the code of the zone being edited, or empty.
    func zonePage(_ sheet: ZoneSheet, _ context: RequestContext) -> Page {
        var page = Page(
            Text(same: sheet.name),
            body: """
                \(sheet.problems.isEmpty ? zoneNotice(context) : zoneProblems(sheet, context))
                <h1>\(context.say(ZoneTexts.edit(sheet.zone.title)))</h1>
                <p class="lead">\(context.say(ZoneTexts.editLead))</p>
                \(zoneForm(sheet, context))
                """
        )
        page.layout = .console
        page.map = zoneMap(sheet.zone.code, naming: sheet.naming, context)
        page.hasForm = true
        return page
    }

    /// The map that fills the page beside text with the same content.
    ///
    /// - Parameters:
    ///   - code: the code of the zone that is edited; nil for none.
    ///   - naming: the property that names zones.
    ///   - marksProblems: whether the map marks what is wrong with the draft.
    ///   - context: the request.
    /// - Returns: the map, for `Page.map`.
    func zoneMap(
        _ code: String?,
        naming: ZoneNaming?,
        marksProblems: Bool = false,
        _ context: RequestContext
    ) -> HTML {
        let source: Address =
            marksProblems
            ? Address("/console/zones/draft.geojson", query: ["problems": "yes"])
            : Address("/console/zones/draft.geojson")
        let picture: Address =
            marksProblems
            ? Address("/console/zones/map.svg", query: ["problems": "yes"])
            : Address("/console/zones/map.svg", query: ["zone": code ?? ""])
        return """
            <a class="skip" href="#after-map">\(context.say(ZoneTexts.skipMap))</a>
            <div data-map="zones" data-source=\(source) \
            data-zone="\(code ?? "")" data-name="\(naming?.nameProperty ?? "")">
            \(stillPicture(at: picture, ZoneTexts.picture, context))</div>
            <div class="hidden" id="after-map" tabindex="-1"></div>
            """
    }

    private func zoneProblems(_ sheet: ZoneSheet, _ context: RequestContext) -> HTML {
        let items = sheet.problems.map { "<li>\(context.say($0))</li>" as HTML }
        return """
            <div class="notice bad" role="alert" tabindex="-1" data-focus>
            <h2>\(context.say(FormTexts.problem))</h2><ul>\(items)</ul></div>
            """
    }

    private func zoneForm(_ sheet: ZoneSheet, _ context: RequestContext) -> HTML {
        let border = sheet.shape.borders[min(sheet.border, sheet.shape.borders.count - 1)]
        let over = sheet.over.map {
            "<input type=\"hidden\" name=\"over\" value=\"\($0)\">" as HTML
        }
        let legend: HTML = """
            \(context.say(ZoneSheet.title(border, sheet.shape))), \
            \(context.say(ZoneTexts.stretch(sheet.first, sheet.count, border.corners.count)))
            """
        // What is wrong in a row must be seen; so must the row that a button has changed.
        let showsTable = sheet.rows.contains { $0.place == nil } || context.query["first"] != nil
        var save = Button(ZoneTexts.save, .submit(name: "do", value: "save"), look: .primary)
        save.busy = CommonTexts.busy
        let corners = FoldedRow(
            .lines,
            ZoneTexts.corners,
            value: "\(border.corners.count)",
            isOpen: showsTable,
            content: """
                <fieldset class="field"><legend>\(legend)</legend>
                \(vertexTable(sheet, border, context))
                </fieldset>
                \(stretches(sheet, border, context))
                """
        )
        let name = Field(
            name: "name",
            label: ZoneTexts.name,
            value: sheet.name,
            error: sheet.problems.contains(ZoneForm.Problem.name.text)
                ? ZoneForm.Problem.name.text : nil
        )
        return """
            <form method="post" action=\(Address("/console/zones/draft", sheet.zone.code)) \
            novalidate data-zone-editor data-border="\(sheet.border)" \
            data-borders="\(sheet.shape.borders.count)" data-first="\(sheet.first)">
            \(context.formToken)
            <input type="hidden" name="revision" value="\(sheet.revision)">\(over)
            <input type="hidden" name="zone" value="\(sheet.shape.fingerprint)">
            <input type="hidden" name="border" value="\(sheet.border)">
            <input type="hidden" name="first" value="\(sheet.first)">
            <input type="hidden" name="count" value="\(sheet.count)">
            <button class="hidden" name="do" value="save" tabindex="-1" aria-hidden="true">\
            \(context.say(ZoneTexts.save))</button>
            \(name.html(context))
            \(HTML.when(sheet.shape.borders.count > 1, otherBorders(sheet, context)))
            \(FoldedRow.list([corners, more(sheet, border, context)], context))
            \(Dock(save.html(context)).html)
            </form>
            """
    }

    private func vertexTable(
        _ sheet: ZoneSheet,
        _ border: ZoneShape.Border,
        _ context: RequestContext
    ) -> HTML {
        let rows = sheet.rows.enumerated().map { row, typed in
            vertexRow(row, typed, number: sheet.first + row + 1, context)
        }
        return """
            <div class="scroll"><table class="vertices">
            <caption class="hidden">\(context.say(ZoneTexts.verticesOf(sheet.zone.title)))</caption>
            <thead><tr><th scope="col">\(context.say(ZoneTexts.vertex))</th>\
            <th scope="col">\(context.say(ZoneTexts.latitude))</th>\
            <th scope="col">\(context.say(ZoneTexts.longitude))</th>\
            <th scope="col">\(context.say(ZoneTexts.change))</th></tr></thead>
            <tbody data-vertices>\(rows)</tbody></table></div>
            """
    }

    private func vertexRow(
        _ row: Int,
        _ typed: ZoneForm.Row,
        number: Int,
        _ context: RequestContext
    ) -> HTML {
        let wrong = HTML.when(typed.place == nil, " aria-invalid=\"true\"")
        let buttons: [(String, String, Text)] = [
            ("up", "↑", ZoneTexts.up(number)), ("down", "↓", ZoneTexts.down(number)),
            ("insert", "+", ZoneTexts.insert(number)), ("remove", "×", ZoneTexts.remove(number)),
        ]
        let latitude = context.say(ZoneTexts.latitudeOf(number))
        let longitude = context.say(ZoneTexts.longitudeOf(number))
        let cells = buttons.map { action, sign, words -> HTML in
            """
            <button name="do" value="\(action)-\(row)" aria-label="\(context.say(words))">\
            \(sign)</button>
            """
        }
        return """
            <tr id="vertex-\(number)"><th scope="row">\(number)</th>\
            <td><input name="latitude" value="\(typed.latitude)" inputmode="decimal" \
            autocomplete="off" aria-label="\(latitude)"\(wrong)></td>\
            <td><input name="longitude" value="\(typed.longitude)" inputmode="decimal" \
            autocomplete="off" aria-label="\(longitude)"\(wrong)></td>\
            <td>\(cells)</td></tr>

            """
    }

    /// Buttons that save and then show another part of the border.
    private func stretches(
        _ sheet: ZoneSheet,
        _ border: ZoneShape.Border,
        _ context: RequestContext
    ) -> HTML {
        let end = sheet.first + sheet.count
        var buttons: [HTML] = []
        if sheet.first > 0 {
            let first = max(0, sheet.first - ZoneForm.stretch)
            buttons.append(showing(sheet.border, first, ZoneTexts.earlier).html(context))
        }
        if end < border.corners.count {
            buttons.append(showing(sheet.border, end, ZoneTexts.later).html(context))
        }
        return HTML.when(!buttons.isEmpty, "<div class=\"actions\">\(buttons)</div>")
    }

    /// Buttons that save and then show another border.
    private func otherBorders(_ sheet: ZoneSheet, _ context: RequestContext) -> HTML {
        let buttons = sheet.shape.borders.enumerated().filter { $0.offset != sheet.border }.map {
            number,
            other in
            let words = ZoneTexts.show(ZoneSheet.title(other, sheet.shape), number + 1)
            return showing(number, 0, words).html(context)
        }
        return "<div class=\"actions\">\(buttons)</div>"
    }

    private func showing(_ border: Int, _ first: Int, _ words: Text) -> Button {
        Button(words, .submit(name: "do", value: "show-\(border)-\(first)"))
    }

    /// Less frequent actions: pasting or removing borders, and removing the zone.
    private func more(
        _ sheet: ZoneSheet,
        _ border: ZoneShape.Border,
        _ context: RequestContext
    ) -> FoldedRow {
        let pasted = Field(
            name: "pasted",
            label: ZoneTexts.pasted,
            kind: .longText,
            hint: ZoneTexts.pastedHint(coordinatesExample),
            value: sheet.pasted,
            isRequired: false
        )
        let buttons: [(String, Text)] = [
            ("replace", ZoneTexts.replaceBorder), ("part", ZoneTexts.addPart),
            ("hole", ZoneTexts.addHole),
        ]
        let actions = buttons.map { action, words -> HTML in
            "<button name=\"do\" value=\"\(action)\">\(context.say(words))</button>"
        }
        let taking: HTML = """
            <button class="danger" name="do" value="border">\
            \(context.say(border.isHole ? ZoneTexts.removeHole : ZoneTexts.removePart))</button>
            """
        return FoldedRow(
            .upload,
            ZoneTexts.moreChanges,
            value: .empty,
            isOpen: !sheet.pasted.isEmpty,
            content: """
                \(pasted.html(context))
                <div class="actions">\(actions)</div>
                <div class="actions">\(HTML.when(sheet.shape.borders.count > 1, taking))
                <button class="danger" name="do" value="zone">\
                \(context.say(ZoneTexts.removeZone))</button></div>
                """
        )
    }
}
