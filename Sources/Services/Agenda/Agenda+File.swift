package import Identity
package import OpenData

extension Agenda {
    /// All entries as one file, as an export of a person's data and other calendar programs read
    /// it.
    package func file(of person: PersonNumber) async throws -> ICalendar {
        Self.file(of: try await entries(of: person).entries)
    }

    /// The entries as one file.
    ///
    /// Programs give names of their own to the zones that they define, so the zones of two entries
    /// may share a name. The later one gets another there.
    package static func file(of entries: [AgendaEntry]) -> ICalendar {
        // The definition of each zone, as it is written, and how many share a name.
        var zones: [String: [UInt8]] = [:]
        var counts: [String: Int] = [:]
        var all: [ICalendarComponent] = []
        for entry in entries {
            var own = entry.calendar.entryComponents
            for zone in own where zone.name == "VTIMEZONE" {
                guard let name = try? zone.property("TZID")?.text(), let known = zones[name],
                    known != ICalendar([zone]).bytes, ZoneDirectory.system.table(name) == nil
                else { continue }
                var free = name
                while zones[free] != nil {
                    counts[name, default: 1] += 1
                    free = "\(name) (\(counts[name, default: 1]))"
                }
                own = own.map { $0.renaming(zone: name, to: free) }
            }
            for component in own {
                if component.name == "VTIMEZONE",
                    let name = try? component.property("TZID")?.text()
                {
                    if zones[name] != nil { continue }
                    zones[name] = ICalendar([component]).bytes
                }
                all.append(component)
            }
        }
        return .entry(all)
    }
}

extension ICalendarComponent {
    /// The component with another name of a zone, wherever it is named.
    fileprivate func renaming(zone: String, to name: String) -> ICalendarComponent {
        var copy = self
        copy.entries = entries.map { entry in
            switch entry {
            case .unreadable: return entry
            case .component(let inner): return .component(inner.renaming(zone: zone, to: name))
            case .property(let property):
                if property.name == "TZID", (try? property.text()) == zone {
                    return .property(ICalendarProperty("TZID", text: name))
                }
                guard property.parameter("TZID") == zone else { return entry }
                let parameters = property.parameters.map { parameter in
                    parameter.name == "TZID" ? ICalendarParameter("TZID", name) : parameter
                }
                let value = String(decoding: property.value, as: UTF8.self)
                return .property(ICalendarProperty(property.name, parameters, value: value))
            }
        }
        return copy
    }
}
