package import Geo

/// A change to a set of zones.
package enum ZoneEdit: Hashable, Sendable {
    /// A new zone, after all others.
    case insert(Zone)
    /// Another area for a zone.
    case redraw(code: String, area: MultiPolygon)
    /// Another name for a zone; its code stays, and with it its queue.
    case rename(code: String, name: String)
    /// Removes the zone with that code.
    case remove(code: String)
}

/// A place that is in another zone than before.
package struct ZoneMove: Hashable, Sendable {
    /// Its position in the list of places.
    package let place: Int
    /// The code of the zone it was in; nil outside all.
    package let from: String?
    /// The code of the zone it is in now; nil outside all.
    package let to: String?
}

extension ZoneDraft {
    /// The draft after changes; borders are not checked.
    ///
    /// - Parameter edits: the changes, in order.
    /// - Returns: the new draft, whose borders may overlap; this one is unchanged.
    /// - Throws: every unknown code; otherwise repeated codes, an empty result, or zones that are
    ///   too many or too large.
    package func applying(_ edits: [ZoneEdit]) throws(ZoneFailure) -> ZoneDraft {
        var zones = zones
        var problems: [ZoneProblem] = []
        for edit in edits {
            let code: String
            switch edit {
            case .insert(let zone):
                zones.append(zone)
                continue
            case .redraw(let wanted, _), .rename(let wanted, _), .remove(let wanted):
                code = wanted
            }
            guard let number = zones.firstIndex(where: { $0.code == code }) else {
                problems.append(.unknownCode(code))
                continue
            }
            switch edit {
            case .insert: break
            case .redraw(_, let area): zones[number] = zones[number].with(area: area)
            case .rename(_, let name): zones[number] = zones[number].with(name: name)
            case .remove: zones.remove(at: number)
            }
        }
        if !problems.isEmpty { throw ZoneFailure(file: file, problems: problems) }
        return try ZoneDraft(zones, naming: naming, file: file)
    }
}

extension ZoneSet {
    /// The set after changes, checked and healed as if read from a file.
    ///
    /// All changes are made before anything is checked, so that land can pass from one zone to
    /// another, or a zone be divided, in one step.
    ///
    /// - Parameter edits: the changes, in order.
    /// - Returns: the new set; this one is unchanged.
    /// - Throws: every unknown code; otherwise all problems of the new zones.
    package func applying(_ edits: [ZoneEdit]) throws(ZoneFailure) -> ZoneSet {
        try draft.applying(edits).healed()
    }

    /// The zones as they would be drawn, to be changed one by one before they are checked again.
    package var draft: ZoneDraft { ZoneDraft(of: self) }

    /// Which of many places change their zone when another set takes effect: the
    /// dry run of a redraw.
    ///
    /// Zones with the same code are the same zone.
    ///
    /// - Parameters:
    ///   - places: the positions of taxis, requests and reservations.
    ///   - next: the set that is to follow.
    /// - Returns: the moves, in the order of the places.
    package func moves(of places: [Coordinate], to next: ZoneSet) -> [ZoneMove] {
        places.enumerated().compactMap { number, place in
            let from = zone(at: place).map { self[$0].code }
            let to = next.zone(at: place).map { next[$0].code }
            return from == to ? nil : ZoneMove(place: number, from: from, to: to)
        }
    }
}
