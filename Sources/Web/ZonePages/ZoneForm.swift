import Geo
import Localization
import TaxiPages
import WebCore
import Zones

/// The submitted form of one zone: a part of one border, and the action to perform.
struct ZoneForm {
    /// A corner as entered in the form.
    struct Row: Hashable {
        var latitude: String
        var longitude: String

        init(latitude: String, longitude: String) {
            self.latitude = latitude
            self.longitude = longitude
        }

        init(_ place: Coordinate) {
            latitude = BorderText.degrees(place.latitude)
            longitude = BorderText.degrees(place.longitude)
        }

        var place: Coordinate? { BorderText.place(latitude: latitude, longitude: longitude) }
    }

    /// The action of a button; all but the last also save the entered values.
    enum Action: Hashable {
        case save
        case up(Int)
        case down(Int)
        case remove(Int)
        case insert(after: Int)
        /// Show another border or another part of it.
        case show(border: Int, first: Int)
        case removeBorder
        /// Replace the border with the pasted text.
        case replace
        case addPart
        case addHole
        case removeZone

        init?(_ text: String) {
            let words = text.split(separator: "-")
            let numbers = words.dropFirst().compactMap { Int($0) }.filter { $0 >= 0 }
            switch (words.first ?? "", numbers.count, words.count) {
            case ("save", 0, 1): self = .save
            case ("up", 1, 2): self = .up(numbers[0])
            case ("down", 1, 2): self = .down(numbers[0])
            case ("remove", 1, 2): self = .remove(numbers[0])
            case ("insert", 1, 2): self = .insert(after: numbers[0])
            case ("show", 2, 3): self = .show(border: numbers[0], first: numbers[1])
            case ("border", 0, 1): self = .removeBorder
            case ("replace", 0, 1): self = .replace
            case ("part", 0, 1): self = .addPart
            case ("hole", 0, 1): self = .addHole
            case ("zone", 0, 1): self = .removeZone
            default: return nil
            }
        }
    }

    /// The errors in the submitted values.
    enum Problem: Error, Hashable {
        case name
        /// These rows, numbered from 0, are not valid locations.
        case rows([Int])
        /// Fewer than three corners would remain.
        case tooFewCorners
        /// The zone's only part cannot be removed without the zone.
        case lastPart
        case pasted(BorderText.Flaw)
    }

    /// The draft's revision when the page was made.
    var revision: Int64
    /// The newer revision that the sender chose to overwrite.
    var over: Int64?
    /// The state of the zone when the page was made; see `ZoneShape.fingerprint`.
    var fingerprint: String
    /// The border that was shown, with the first corner and the number of corners.
    var border: Int
    var first: Int
    var count: Int
    var name: String
    var rows: [Row]
    var pasted: String
    var action: Action

    /// The maximum number of corners on a page: more would be slow on an old phone.
    static let stretch = 40
    /// The valid numbers of corners of a border.
    private static let corners = 0...ZoneDraft.cornerLimit
    /// The maximum number of characters in a name.
    static let nameLimit = 80

    /// Parses a submitted form; nil if no page of this site could have sent it.
    init?(_ form: Form) {
        let latitudes = form.all("latitude")
        let longitudes = form.all("longitude")
        guard let revision = form["revision"].flatMap({ Int64($0) }),
            let border = form["border"].flatMap({ Int($0) }), border >= 0,
            let first = form["first"].flatMap({ Int($0) }), Self.corners.contains(first),
            let count = form["count"].flatMap({ Int($0) }), Self.corners.contains(count),
            let action = Action(form["do"] ?? "save"), latitudes.count == longitudes.count
        else { return nil }
        self.revision = revision
        over = form["over"].flatMap { Int64($0) }
        fingerprint = form["zone"] ?? ""
        self.border = border
        self.first = first
        self.count = count
        self.action = action
        name = (form["name"] ?? "").asOneLine
        pasted = form["pasted"] ?? ""
        rows = zip(latitudes, longitudes).map { Row(latitude: $0, longitude: $1) }
    }

    /// The changed zone and the position to show next.
    struct Outcome {
        var zone: Zone
        var border: Int
        var corner: Int
    }

    /// Applies the form's changes to a zone.
    ///
    /// - Parameter zone: the zone that the form shows in part.
    /// - Returns: the changed zone; nil if the form does not match it.
    /// - Throws: the error in the submitted values.
    func applied(to zone: Zone) throws(Problem) -> Outcome? {
        var shape = ZoneShape(zone.area)
        guard shape.borders.indices.contains(border),
            first + count <= shape.borders[border].corners.count
        else { return nil }
        guard !name.isEmpty, name.count <= Self.nameLimit else { throw .name }
        let wrong = rows.indices.filter { rows[$0].place == nil }
        if !wrong.isEmpty { throw .rows(wrong) }
        var corners = shape.borders[border].corners
        corners.replaceSubrange(first..<(first + count), with: rows.compactMap(\.place))
        var corner = first
        try change(&corners, &corner)
        guard corners.count >= 3 else { throw .tooFewCorners }
        shape.borders[border].corners = corners
        var shown = border
        switch action {
        case .show(let wanted, let place):
            shown = wanted
            corner = place
        case .removeBorder:
            shape.remove(border)
            guard !shape.borders.isEmpty else { throw .lastPart }
            shown = 0
            corner = 0
        case .addPart:
            shape.addPart(try pastedBorder())
            shown = shape.borders.count - 1
            corner = 0
        case .addHole:
            shown = shape.addHole(try pastedBorder(), besides: border)
            corner = 0
        default: break
        }
        guard let area = try? shape.area() else { throw .tooFewCorners }
        let changed = Zone(
            code: zone.code,
            name: name,
            area: area,
            properties: zone.properties
        )
        return Outcome(zone: changed, border: shown, corner: corner)
    }

    /// Applies the action of a row's button to the corners of the whole border.
    private func change(_ corners: inout [Coordinate], _ corner: inout Int) throws(Problem) {
        switch action {
        case .up(let row) where row < rows.count:
            corner = first + row
            guard corner > 0 else { return }
            corners.swapAt(corner, corner - 1)
            corner -= 1
        case .down(let row) where row < rows.count:
            corner = first + row
            guard corner < corners.count - 1 else { return }
            corners.swapAt(corner, corner + 1)
            corner += 1
        case .remove(let row) where row < rows.count:
            guard corners.count > 3 else { throw .tooFewCorners }
            corner = first + row
            corners.remove(at: corner)
            corner = min(corner, corners.count - 1)
        case .insert(let row) where row < rows.count:
            corner = first + row + 1
            let next = corners[corner % corners.count]
            corners.insert(corners[corner - 1].middle(to: next), at: corner)
        case .replace:
            corners = try pastedBorder()
            corner = 0
        default: break
        }
    }

    private func pastedBorder() throws(Problem) -> [Coordinate] {
        do {
            return try BorderText.border(pasted)
        } catch {
            throw .pasted(error)
        }
    }
}

extension ZoneForm {
    /// The fields of the form.
    static let input: [InputField] = [
        .revision.required,
        .set("over", .anyNumber, "The newer draft that is overwritten."),
        .set("zone", .opaque(128), "The fingerprint of the zone that the page showed."),
        .set("border", .number(0...Int64.max), "The border that the page showed.").required,
        .set("first", .number(0...Int64(ZoneDraft.cornerLimit)), "The first corner.").required,
        .set("count", .number(0...Int64(ZoneDraft.cornerLimit)), "The number of corners.").required,
        .set("do", .text(40), "The button that was pressed."),
        .typed("name", .text(nameLimit), "The name of the zone."),
        .typed(
            "latitude",
            .several(.latitude, ZoneDraft.cornerLimit),
            "The latitudes, in degrees."
        ),
        .typed(
            "longitude",
            .several(.longitude, ZoneDraft.cornerLimit),
            "The longitudes, in degrees."
        ),
        .typed("pasted", .opaque(ZonePages.zoneFileLimit), "A border as text."),
    ]
}
