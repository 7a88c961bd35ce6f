import Geo

extension ZoneDraft {
    /// The zones with aligned borders: no place is in two of them.
    ///
    /// Overlaps and gaps narrower than 1 m become one shared line and are reported, as are places
    /// where a zone crosses itself by less than that. Wider gaps are reported and left. That no two
    /// zones overlap is then verified from the new borders alone, in integer arithmetic.
    ///
    /// - Throws: every wider overlap, and every zone that is not an area or would vanish.
    package func healed() throws(ZoneFailure) -> ZoneSet {
        let healing = Healing(zones.map(\.area))
        var problems = Self.problems(of: healing, zones)
        if problems.isEmpty, !ZoneSet.areDisjoint(healing.areas) { problems = [.unsettled] }
        if !problems.isEmpty { throw ZoneFailure(file: file, problems: problems) }
        let naming = naming.separated(for: zones)
        let healed = zip(zones, healing.areas).map { zone, area in
            zone.with(area: area, properties: naming.properties(of: zone))
        }
        return ZoneSet(healed, naming: naming, report: healing.report)
    }

    /// Refuses borders that cross or lie over each other so often that they cannot be compared in
    /// reasonable time; for files, before they are kept.
    ///
    /// - Throws: ``ZoneProblem/tooManyCrossings(limit:_:)``, ``ZoneProblem/tooDense(place:)`` or
    ///   ``ZoneProblem/tooDeep(limit:place:)``.
    package func checkBorders() throws(ZoneFailure) {
        let rounded = SnapRounding(BorderPiece.borders(of: zones.map(\.area)))
        var problem: ZoneProblem?
        if let excess = rounded.excess {
            problem = Self.problem(of: excess, zones)
        } else if rounded.isSettled, let place = Arrangement(rounded).deepest {
            problem = .tooDeep(limit: Arrangement.depthLimit, place: place)
        }
        if let problem { throw ZoneFailure(file: file, problems: [problem]) }
    }

    private static func problem(of excess: SnapRounding.Excess, _ zones: [Zone]) -> ZoneProblem {
        switch excess {
        case .crossings(let crossings):
            .tooManyCrossings(
                limit: SnapRounding.crossingLimit,
                crossings.map {
                    ZoneCrossing(
                        zone: zones[Int($0.zone)].code,
                        other: zones[Int($0.other)].code,
                        place: $0.place
                    )
                }
            )
        case .density(let place): .tooDense(place: place)
        }
    }

    /// The pairs of zones that overlap as they were drawn, on the grid of coordinates, by their
    /// order.
    ///
    /// Zones that do not cross at all but share land less than a unit (1.1 cm) wide may be left
    /// out. There are none if ``checkBorders()`` refuses the borders.
    package func overlaps() -> [ZoneOverlap] {
        let rounded = SnapRounding(BorderPiece.borders(of: zones.map(\.area)))
        guard rounded.excess == nil else { return [] }
        return Arrangement(rounded).doubleCovers(narrow: Healing.narrow)
            .filter { $0.zone != $0.other }.compactMap { Self.overlap($0, zones) }
    }

    /// The problems that healing found, with the zones' codes.
    static func problems(of healing: Healing, _ zones: [Zone]) -> [ZoneProblem] {
        healing.problems.compactMap { problem in
            switch problem {
            case .withoutArea(let zone): .withoutArea(zone: zones[zone].code)
            case .vanished(let zone): .vanished(zone: zones[zone].code)
            case .unsettled: .unsettled
            case .excess(let excess): Self.problem(of: excess, zones)
            case .tooDeep(let place): .tooDeep(limit: Arrangement.depthLimit, place: place)
            case .cover(let double): cover(double, zones)
            }
        }
    }

    private static func cover(_ double: DoubleCover, _ zones: [Zone]) -> ZoneProblem? {
        guard let overlap = overlap(double, zones) else { return nil }
        if double.zone != double.other { return .overlap(overlap) }
        return .crossesItself(
            zone: overlap.zone,
            place: overlap.place,
            widthMetres: overlap.widthMetres
        )
    }

    private static func overlap(_ double: DoubleCover, _ zones: [Zone]) -> ZoneOverlap? {
        double.widest.map { widest in
            ZoneOverlap(
                zone: zones[Int(double.zone)].code,
                other: zones[Int(double.other)].code,
                areaSquareMetres: double.area,
                widthMetres: widest.width,
                place: widest.place
            )
        }
    }
}

extension ZoneSet {
    /// Whether no two areas share land, and none lies over itself: proved, not measured.
    ///
    /// True only where all borders meet at their ends alone, so that nothing was rounded, and
    /// every face between them is covered at most once; all in whole numbers.
    static func areDisjoint(_ areas: [MultiPolygon]) -> Bool {
        let rounded = SnapRounding(BorderPiece.borders(of: areas))
        guard rounded.isSettled, rounded.isExact else { return false }
        let map = Arrangement(rounded)
        return map.deepest == nil
            && map.covers.allSatisfy { cover in
                cover.count <= 1 && cover.allSatisfy { $0.times == 1 }
            }
    }
}
