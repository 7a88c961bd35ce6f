import Geo

extension TransitGuide {
    /// The approximate number of cells into which an area is divided to find its stops: finer cells
    /// cost more than they save with the few thousand stops of a city.
    private static let cells = 4_096

    /// The stops in an area at which vehicles leave.
    ///
    /// - Parameters:
    ///   - area: the area.
    ///   - centre: the place from which directions are measured.
    ///   - language: the language of names.
    /// - Returns: the number of stops, and the farthest in each direction, clockwise from north.
    func stops(
        in area: MultiPolygon,
        around centre: Coordinate,
        language: String
    ) -> (count: Int, farthest: [FarthestStop]) {
        let index = PolygonIndex([area], cells: Self.cells)
        let groups = arrangement.groups
        var count = 0
        var farthest = [(group: Int, metres: Double)?](
            repeating: nil,
            count: CompassDirection.allCases.count
        )
        for group in groups.indices where !groups[group].routes.isEmpty {
            let place = groups[group].coordinate
            guard index.first(containing: place) != nil else { continue }
            count += 1
            let metres = centre.distanceMetres(to: place)
            let bearing = centre.bearingDegrees(to: place)
            let direction = CompassDirection(bearingDegrees: bearing).rawValue
            if metres > farthest[direction]?.metres ?? 0 { farthest[direction] = (group, metres) }
        }
        let found = CompassDirection.allCases.compactMap { direction in
            farthest[direction.rawValue].map { group, metres in
                FarthestStop(
                    direction: direction,
                    stop: place(groups[group], language),
                    metres: metres
                )
            }
        }
        return (count, found)
    }
}
