package import Chronology
import Geo
package import OpenData

extension EntryDetails {
    /// Reads what an item of a calendar says.
    ///
    /// - Parameters:
    ///   - item: the item.
    ///   - zone: the city's zone, on whose clocks times of other zones are read too.
    package init(_ item: ICalendarItem, zone: NamedZone) {
        var zones = zone.zones(of: ICalendar([ICalendarComponent]()))
        self.init(item, zone, &zones)
    }

    /// Reads what an item says whose times may be of zones that its calendar defines.
    init(_ item: ICalendarItem, _ zone: NamedZone, _ zones: inout ICalendarZones) {
        let timing = EntryTiming(item, zone, &zones)
        // Other programs write addresses in several lines, and the form has one.
        self.init(title: Self.line(item.summary ?? "", separator: " "), timing: timing)
        notes = item.description ?? ""
        let name = Self.line(item.location ?? item.places.first?.name ?? "", separator: ", ")
        let position = item.position ?? item.places.first?.position
        if !name.isEmpty || position != nil { place = EntryPlace(name, at: position) }
        if !timing.isFixed, let piece = item.leastPiece?.plainSeconds, piece >= 60 {
            pieceMinutes = piece / 60
        }
        repetition = EntryRepetition(item, zone, start: timing.start)
        exclusivity = item.isOverlappable ? .overlappable : item.isTransfer ? .transfer : .exclusive
        leadMinutes = (item.lead?.plainSeconds ?? 0) / 60
        let names = Set(item.categories.map { $0.lowercased() })
        category = EntryCategory.allCases.first { names.contains($0.rawValue) } ?? .other
        isWork =
            names.contains(Self.workName)
            ? true : names.contains(Self.personalName) ? false : nil
        means = item.modes.map { modes in
            Set(modes.compactMap { TravelMeans(rawValue: $0.lowercased()) })
        }
        // One that another program wrote in a wrong way is none of ours.
        let made = (try? item.component.property(Self.templateProperty)?.text()) ?? ""
        if !made.isEmpty, made.count <= EntryTemplate.nameLimit { template = made }
        hasNotices = item.hasNotices
        aim = item.aim.flatMap(TravelAim.init(rawValue:))
        avoidsRain = item.avoidsRain
    }

    /// The property that names the template with which an entry was made.
    private static let templateProperty = "X-VIAVAI-TEMPLATE"

    private static let workName = "work"
    private static let personalName = "personal"

    private static func line(_ text: String, separator: String) -> String {
        guard text.contains(where: \.isNewline) else { return text }
        return text.split(whereSeparator: \.isNewline).joined(separator: separator)
    }

    /// A component that says what the details say, and all else that a former one said.
    ///
    /// Times and rules are written in the city's zone. Where they did not change they stay as they
    /// were, since a rule means other days in another zone. So does each other property that says
    /// what it said before.
    ///
    /// - Parameters:
    ///   - former: the item to be changed; nil for a new one.
    ///   - uid: the identifier of the entry.
    ///   - zone: the city's zone.
    ///   - now: when it is written.
    /// - Returns: a `VEVENT`, or a `VTODO` for a task without a fixed time.
    package func component(
        changing former: ICalendarItem? = nil,
        uid: String,
        zone: NamedZone,
        at now: Instant
    ) -> ICalendarComponent {
        var zones = zone.zones(of: ICalendar([ICalendarComponent]()))
        return component(changing: former, uid: uid, zone, &zones, at: now)
    }

    /// The same for an item whose times may be of zones that its calendar defines.
    func component(
        changing former: ICalendarItem?,
        uid: String,
        _ zone: NamedZone,
        _ zones: inout ICalendarZones,
        at now: Instant
    ) -> ICalendarComponent {
        let old = former.map { EntryDetails($0, zone, &zones) }
        let usual: ICalendarItem.Kind = timing.isFixed ? .event : .task
        // A task of another program may have a fixed time, and stays a task.
        let kind = old?.timing.isFixed == timing.isFixed ? former?.kind ?? usual : usual
        var component = ICalendarComponent(kind.rawValue)
        if let former { component.entries = former.component.entries }
        // An identifier may hold characters that a new property could not.
        if former?.uid != uid { component.set(ICalendarProperty("UID", text: uid)) }
        component.set(ICalendarTime.instant(now).property("DTSTAMP"))
        component.set(ICalendarTime.instant(now).property("LAST-MODIFIED"))
        if let former {
            component.set(ICalendarProperty("SEQUENCE", value: "\(former.sequence &+ 1)"))
            if former.kind != kind { component.removeProgress(of: former) }
        }
        func write(_ name: String, _ text: String?) {
            if let text, !text.isEmpty {
                component.set(ICalendarProperty(name, text: text))
            } else {
                component.remove(name)
            }
        }
        if old?.title != title { write("SUMMARY", title) }
        if old?.notes != notes { write("DESCRIPTION", notes) }
        if old?.place != place { writePlace(to: &component) }
        if old?.category != category || old?.isWork != isWork {
            writeCategories(to: &component, former)
        }
        if old?.exclusivity != exclusivity {
            write(ICalendarItem.exclusivityProperty, exclusivity.propertyText)
        }
        if old?.leadMinutes != leadMinutes {
            write(ICalendarItem.leadProperty, leadMinutes > 0 ? "PT\(leadMinutes)M" : nil)
        }
        if old?.means != means { writeMeans(to: &component) }
        if old?.template != template { write(Self.templateProperty, template) }
        if old?.hasNotices ?? true != hasNotices {
            write(ICalendarItem.noticesProperty, hasNotices ? nil : "OFF")
        }
        if old?.aim != aim { write(ICalendarItem.aimProperty, aim?.rawValue.uppercased()) }
        if old?.avoidsRain ?? false != avoidsRain {
            write(ICalendarItem.rainProperty, avoidsRain ? "AVOID" : nil)
        }
        if old?.pieceMinutes != pieceMinutes {
            write(ICalendarItem.pieceProperty, pieceMinutes.map { "PT\($0)M" })
        }
        if old?.timing != timing || old?.repetition != repetition {
            let form = TimeForm(of: self, former)
            timing.write(to: &component, zone, form, &zones)
            repetition.write(to: &component, start: timing.start, zone, form)
        }
        return component
    }

    private func writeMeans(to component: inout ICalendarComponent) {
        guard let means else {
            component.remove(ICalendarItem.modesProperty)
            return
        }
        let list = TravelMeans.allCases.filter(means.contains)
            .map { $0.rawValue.uppercased() }.joined(separator: ",")
        component.set(ICalendarProperty(ICalendarItem.modesProperty, value: list))
    }

    private func writePlace(to component: inout ICalendarComponent) {
        // A place of another program's would contradict this one.
        component.entries.removeAll { entry in
            if case .component(let inner) = entry { inner.name == "VLOCATION" } else { false }
        }
        component.remove("GEO")
        component.remove("LOCATION")
        guard let place else { return }
        if !place.name.isEmpty { component.set(ICalendarProperty("LOCATION", text: place.name)) }
        if let position = place.position {
            let text = "\(Self.degrees(position.latitude));\(Self.degrees(position.longitude))"
            component.set(ICalendarProperty("GEO", value: text))
        }
    }

    /// Degrees with seven decimals, from units of 1e-7.
    private static func degrees(_ units: Int32) -> String {
        let (whole, part) = units.magnitude.quotientAndRemainder(dividingBy: 10_000_000)
        let digits = String(part)
        let zeros = String(repeating: "0", count: 7 - digits.count)
        return "\(units < 0 ? "-" : "")\(whole).\(zeros)\(digits)"
    }

    /// Writes the kind, and whether it is work, before the categories of other programs.
    private func writeCategories(
        to component: inout ICalendarComponent,
        _ former: ICalendarItem?
    ) {
        let kinds = [
            category == .other ? nil : category.rawValue.uppercased(),
            isWork.map { ($0 ? Self.workName : Self.personalName).uppercased() },
        ]
        .compactMap(\.self)
        let known = Set(
            EntryCategory.allCases.map(\.rawValue) + [Self.workName, Self.personalName]
        )
        let others = (former?.categories ?? []).filter { !known.contains($0.lowercased()) }
        let all = kinds + others
        if all.isEmpty {
            component.remove("CATEGORIES")
        } else {
            let list = all.map(ICalendarText.escaped).joined(separator: ",")
            component.set(ICalendarProperty("CATEGORIES", value: list))
        }
    }
}

extension ICalendarComponent {
    /// Removes what says how far a task is, or whether an event is certain: neither kind has the
    /// states of the other.
    fileprivate mutating func removeProgress(of former: ICalendarItem) {
        if former.status != "CANCELLED" { remove("STATUS") }
        remove("COMPLETED")
        remove("PERCENT-COMPLETE")
    }
}

extension EntryExclusivity {
    fileprivate var propertyText: String? {
        switch self {
        case .exclusive: nil
        case .overlappable: "OVERLAPPABLE"
        case .transfer: "TRANSFER"
        }
    }
}
