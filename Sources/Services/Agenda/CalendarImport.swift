package import OpenData

/// What a file of another calendar program has: each of its entries as a calendar of its own, and
/// what of it cannot be used.
///
/// An entry is all events and tasks with one identifier, byte for byte, with the time zones that
/// they name. Nothing is stored here; ``Agenda/merge(_:of:)`` stores all entries or none.
package struct CalendarImport: Sendable {
    /// The largest file in bytes: ten years of a busy life.
    package static let bytesLimit = 4 << 20
    /// The most entries of a file.
    package static let entriesLimit = 2_000
    /// The most bytes of all entries, each of which repeats the zones that it names.
    static let entryBytesLimit = 4 * bytesLimit
    /// How many zones a file may define that the IANA database does not know: each takes a search
    /// for its changes of several centuries.
    static let zonesLimit = 100

    /// A part of the file that is not used.
    package struct Omission: Sendable, Hashable {
        /// The number of its line, from 1.
        package let line: Int
        /// Why it is not used.
        package let reason: Reason
    }

    /// Why a part of the file is not used.
    package enum Reason: Sendable, Hashable {
        /// It cannot be read.
        case unreadable(ICalendarFailure)
        /// It is neither an event nor a task.
        case otherKind(String)
        /// The entry has more bytes than one may have.
        case tooLarge
        /// The file defines its time zone in two ways.
        case ambiguousZone(String)
    }

    /// Why the whole file is refused.
    package enum Failure: Error, Sendable, Hashable {
        /// It is not a calendar.
        case unreadable(ICalendarFailure)
        /// It has more than ``bytesLimit``.
        case tooLarge
        /// It has more than ``entriesLimit``.
        case tooManyEntries
        /// It defines more time zones of its own than are read.
        case tooManyZones
    }

    /// The entries, in the order of the file.
    package private(set) var calendars: [ICalendar] = []
    /// How many events were left out that a plan of this program added.
    package private(set) var journeyCount = 0
    /// What is not used, by line.
    package private(set) var omissions: [Omission] = []

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - bytes: the file.
    ///   - zone: the city's zone.
    ///   - mark: the property of events that plans of this program added, which are left out: the
    ///     day is planned again.
    /// - Throws: ``Failure``.
    /// - Complexity: linear in the size of the file, but for the zones that it defines.
    package init(
        _ bytes: [UInt8],
        zone: NamedZone,
        leavingOut mark: String
    ) throws(Failure) {
        guard bytes.count <= Self.bytesLimit else { throw .tooLarge }
        let file: ICalendar
        do throws(ICalendarFailure) { file = try ICalendar(bytes) } catch {
            throw .unreadable(error)
        }
        for failure in file.unreadable { omit(failure) }
        var groups = Groups()
        for component in file.components where component.name == "VCALENDAR" {
            take(component.components, into: &groups, mark)
        }
        // Components outside of all calendars may name each other's zones.
        let bare = file.components.filter { $0.name != "VCALENDAR" }
        take(bare, areBare: true, into: &groups, mark)
        guard groups.order.count <= Self.entriesLimit else { throw .tooManyEntries }
        guard groups.zones.count <= Self.zonesLimit else { throw .tooManyZones }
        var total = 0
        for uid in groups.order {
            guard let group = groups.entries[uid], let calendar = calendar(of: group, zone) else {
                continue
            }
            total += calendar.bytes.count
            guard total <= Self.entryBytesLimit else { throw .tooLarge }
            calendars.append(calendar)
        }
        omissions.sort { $0.line < $1.line }
    }

    /// The components of one identifier.
    private struct Group {
        var zones: [ICalendarComponent] = []
        var items: [ICalendarComponent] = []
        /// Whether one of them is outside of all calendars.
        var isBare = false
    }

    private struct Groups {
        /// The identifiers in the order in which they first appear.
        var order: [String] = []
        var entries: [String: Group] = [:]
        /// The zones that are named and that the IANA database does not know.
        var zones: Set<String> = []
    }

    /// Sorts the components of a calendar by identifier.
    private mutating func take(
        _ components: [ICalendarComponent],
        areBare: Bool = false,
        into groups: inout Groups,
        _ mark: String
    ) {
        var definitions: [String: ICalendarComponent] = [:]
        for zone in components where zone.name == "VTIMEZONE" {
            guard let name = try? zone.property("TZID")?.text() else { continue }
            definitions[name] = definitions[name] ?? zone
        }
        for item in components where item.name != "VTIMEZONE" {
            guard ICalendarItem.Kind(rawValue: item.name) != nil else {
                omissions.append(Omission(line: item.line, reason: .otherKind(item.name)))
                continue
            }
            guard item.property(mark) == nil else {
                journeyCount += 1
                continue
            }
            do throws(ICalendarFailure) {
                guard let uid = try item.property("UID")?.text() else {
                    throw ICalendarFailure(line: item.line, problem: .missing("UID"))
                }
                if groups.entries[uid] == nil { groups.order.append(uid) }
                if areBare { groups.entries[uid, default: Group()].isBare = true }
                add(item, definitions, to: &groups.entries[uid, default: Group()], &groups.zones)
            } catch {
                omit(error)
            }
        }
    }

    /// Adds an item and the zones that it names.
    private mutating func add(
        _ item: ICalendarComponent,
        _ definitions: [String: ICalendarComponent],
        to group: inout Group,
        _ own: inout Set<String>
    ) {
        var zones = group.zones
        for name in item.zoneNames.sorted() {
            guard let zone = definitions[name] else { continue }
            let isKnown = ZoneDirectory.system.table(name) != nil
            if let other = zones.first(where: { (try? $0.property("TZID")?.text()) == name }) {
                // The database's zone counts, whatever the file says.
                guard isKnown || ICalendar([other]).bytes == ICalendar([zone]).bytes else {
                    omissions.append(Omission(line: item.line, reason: .ambiguousZone(name)))
                    return
                }
                continue
            }
            if !isKnown { own.insert(name) }
            zones.append(zone)
        }
        group.zones = zones
        group.items.append(item)
    }

    /// The calendar of an entry without the items that cannot be read; nil if none is left.
    private mutating func calendar(of group: Group, _ zone: NamedZone) -> ICalendar? {
        var items = group.items
        // Without an item that cannot be read, another may turn out to be of no use.
        for _ in 0..<3 {
            guard let first = items.first else { return nil }
            // What is outside of all calendars gets one when it is stored.
            let calendar =
                group.isBare ? ICalendar(group.zones + items) : .entry(group.zones + items)
            guard calendar.bytes.count <= AgendaEntry.bytesLimit else {
                omissions.append(Omission(line: first.line, reason: .tooLarge))
                return nil
            }
            var zones = zone.zones(of: calendar)
            let (series, failures) = calendar.series(&zones)
            if failures.isEmpty, series.count == 1 { return calendar }
            var wrong: Set<Int> = []
            for failure in failures {
                omit(failure)
                wrong.insert(items.lazy.map(\.line).filter { $0 <= failure.line }.max() ?? 0)
            }
            items.removeAll { wrong.contains($0.line) }
        }
        return nil
    }

    private mutating func omit(_ failure: ICalendarFailure) {
        omissions.append(Omission(line: failure.line, reason: .unreadable(failure)))
    }
}

extension ICalendarComponent {
    /// The zones that it and the components within it name.
    fileprivate var zoneNames: Set<String> {
        var names: Set<String> = []
        for entry in entries {
            switch entry {
            case .property(let property):
                if let name = property.parameter("TZID") { names.insert(name) }
            case .component(let inner): names.formUnion(inner.zoneNames)
            case .unreadable: break
            }
        }
        return names
    }
}
