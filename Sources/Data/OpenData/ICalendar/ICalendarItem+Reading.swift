import Chronology
import Geo

extension ICalendarItem {
    /// The greatest number of rules of an item; programs write one.
    static let rulesLimit = 16

    /// Reads an item from its component.
    ///
    /// - Parameter component: a `VEVENT` or a `VTODO`.
    /// - Throws: what is wrong with its times, rules, places or texts, and in which line.
    package init(_ component: ICalendarComponent) throws(ICalendarFailure) {
        let reader = ItemReader(component)
        guard let kind = Kind(rawValue: component.name) else {
            throw ICalendarFailure(line: component.line, problem: .badValue("BEGIN"))
        }
        self.kind = kind
        self.component = component
        guard let uid = try reader.text("UID") else {
            throw ICalendarFailure(line: component.line, problem: .missing("UID"))
        }
        self.uid = uid
        sequence = try reader.number("SEQUENCE") ?? 0
        start = try reader.one("DTSTART")?.time()
        end = try reader.one(kind == .event ? "DTEND" : "DUE")?.time()
        duration = try reader.one("DURATION")?.duration()
        estimatedDuration = try reader.one("ESTIMATED-DURATION")?.duration()
        minimumDuration = try reader.one(Self.minimumProperty)?.duration()
        lead = try reader.one(Self.leadProperty)?.duration()
        let exclusivity = try reader.text(Self.exclusivityProperty)?.uppercased()
        isOverlappable = exclusivity == "OVERLAPPABLE"
        isTransfer = exclusivity == "TRANSFER"
        let modes = try reader.one(Self.modesProperty)?.texts()
        self.modes = modes?.map { $0.uppercased() }
        let id = try reader.one("RECURRENCE-ID")
        recurrenceID = try id?.time()
        isFuture = id?.parameter("RANGE")?.uppercased() == "THISANDFUTURE"
        rules = try reader.rules()
        summary = try reader.text("SUMMARY")
        description = try reader.text("DESCRIPTION")
        location = try reader.text("LOCATION")
        position = try reader.one("GEO").map(Self.position)
        categories = try reader.texts("CATEGORIES")
        status = try reader.text("STATUS")?.uppercased()
        isTransparent = try reader.text("TRANSP")?.uppercased() == "TRANSPARENT"
        color = try reader.text("COLOR")
        conferences = try reader.links("CONFERENCE")
        images = try reader.links("IMAGE")
        links = try reader.links("LINK")
        concepts = try reader.links("CONCEPT").map(\.address)
        groups = try reader.texts("REFID")
        relations = try reader.relations()
        places = try component.components.filter { $0.name == "VLOCATION" }.map(Self.place)
        if kind == .event, start == nil {
            throw ICalendarFailure(line: component.line, problem: .missing("DTSTART"))
        }
        if end != nil, duration != nil {
            throw reader.failure("DURATION", .repeated("DURATION"))
        }
        // An exclusion rule is not supported; without it, the series would have too many
        // occurrences. No current program writes one.
        if let property = component.property("EXRULE") {
            throw ICalendarFailure(line: property.line, problem: .unsupported("EXRULE"))
        }
        if let start, let end, !Self.isOrdered(start, end) {
            throw reader.failure(kind == .event ? "DTEND" : "DUE", .endsBeforeStart)
        }
    }

    /// Whether an end is not before a start, if both are read from the same clocks.
    private static func isOrdered(_ start: ICalendarTime, _ end: ICalendarTime) -> Bool {
        switch (start, end) {
        case (.date, .date), (.floating, .floating), (.instant, .instant):
            start.local <= end.local
        // When a zone's clocks go back, an end may show an earlier time than the start.
        case (.zoned(let from, let zone), .zoned(let until, let other)) where zone == other:
            from.wallSeconds <= until.wallSeconds + 86_400
        default: true
        }
    }

    /// The position in `GEO`: latitude and longitude in degrees (RFC 5545, 3.8.1.6).
    private static func position(
        _ property: ICalendarProperty
    ) throws(ICalendarFailure) -> Coordinate {
        // Some programs separate them by a comma.
        let parts = property.value.split(omittingEmptySubsequences: false) { byte in
            byte == UInt8(ascii: ";") || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\\")
        }.filter { !$0.isEmpty }
        guard parts.count == 2, let latitude = DecimalText.value(parts[0]),
            let longitude = DecimalText.value(parts[1]),
            let position = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
        else { throw property.wrong }
        return position
    }

    private static func place(
        _ component: ICalendarComponent
    ) throws(ICalendarFailure) -> Place {
        let reader = ItemReader(component)
        var position = try reader.one("GEO").map(Self.position)
        if position == nil, let url = try reader.text("URL"), url.lowercased().hasPrefix("geo:") {
            let numbers = url.dropFirst(4).prefix { $0 != ";" && $0 != "?" }.split(separator: ",")
            if numbers.count >= 2, let latitude = Double(numbers[0]),
                let longitude = Double(numbers[1])
            {
                position = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
            }
        }
        return Place(
            name: try reader.text("NAME"),
            kinds: try reader.texts("LOCATION-TYPE"),
            position: position
        )
    }
}

/// The properties of one component, by name.
private struct ItemReader {
    private let line: Int
    private let properties: [String: [ICalendarProperty]]

    init(_ component: ICalendarComponent) {
        line = component.line
        properties = Dictionary(grouping: component.properties, by: \.name)
    }

    func all(_ name: String) -> [ICalendarProperty] { properties[name] ?? [] }

    /// The only property with a name.
    func one(_ name: String) throws(ICalendarFailure) -> ICalendarProperty? {
        let all = all(name)
        guard all.count <= 1 else { throw failure(name, .repeated(name)) }
        return all.first
    }

    func failure(_ name: String, _ problem: ICalendarFailure.Problem) -> ICalendarFailure {
        ICalendarFailure(line: all(name).last?.line ?? line, problem: problem)
    }

    func text(_ name: String) throws(ICalendarFailure) -> String? { try one(name)?.text() }

    func texts(_ name: String) throws(ICalendarFailure) -> [String] {
        var texts: [String] = []
        for property in all(name) { texts += try property.texts() }
        return texts
    }

    func number(_ name: String) throws(ICalendarFailure) -> Int? {
        guard let property = try one(name) else { return nil }
        guard let number = Int(String(decoding: property.value, as: UTF8.self)) else {
            throw property.wrong
        }
        return number
    }

    func rules() throws(ICalendarFailure) -> [RecurrenceRule] {
        let all = all("RRULE")
        guard all.count <= ICalendarItem.rulesLimit else {
            throw failure("RRULE", .repeated("RRULE"))
        }
        var rules: [RecurrenceRule] = []
        for property in all { rules.append(try property.rule()) }
        return rules
    }

    func links(_ name: String) throws(ICalendarFailure) -> [ICalendarItem.Link] {
        var links: [ICalendarItem.Link] = []
        for property in all(name) where property.parameter("ENCODING") == nil {
            let address = try property.text()
            links.append(
                ICalendarItem.Link(address: address, label: property.parameter("LABEL"))
            )
        }
        return links
    }

    func relations() throws(ICalendarFailure) -> [ICalendarItem.Relation] {
        var relations: [ICalendarItem.Relation] = []
        for property in all("RELATED-TO") {
            relations.append(
                ICalendarItem.Relation(
                    target: try property.text(),
                    kind: property.parameter("RELTYPE")?.uppercased() ?? "PARENT",
                    gap: property.parameter("GAP").flatMap {
                        CalendarDuration(text: Array($0.utf8)[...])
                    }
                )
            )
        }
        return relations
    }
}
