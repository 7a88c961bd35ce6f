import SeededRandom

/// Assigns the house numbers of the demo city: odd numbers on the left of a street and even ones on
/// its right, ascending from the end nearer to the cathedral, as in Italian towns.
enum HouseNumbers {
    /// Adds the numbers of all named streets to the map.
    ///
    /// - Returns: how many were added.
    static func draw(_ plan: StreetPlan, on map: inout MapDraft, random: SeededRandom) -> Int {
        var random = random
        var count = 0
        for street in plan.streets where !street.name.isEmpty {
            // Both sides count on together, so that opposite houses have close numbers.
            var odd = 1
            var even = 2
            for step in street.chains.joined() {
                let stretch = plan.stretches[Int(step.stretch)]
                guard stretch.crossing == .none, let aside = setBack(stretch.kind) else { continue }
                let left = step.forward ? stretch.left : stretch.right
                let right = step.forward ? stretch.right : stretch.left
                let polyline = plan.polyline(of: step)
                for (use, side) in [(left, 1.0), (right, -1.0)] where use.hasHouses {
                    let zone = plan.ground.zone(at: polyline[0], use: use)
                    for place in fronts(polyline, zone: zone, aside: aside * side, random: &random)
                    {
                        var number = String(side > 0 ? odd : even)
                        if side > 0 { odd += 2 } else { even += 2 }
                        if random.happens(0.02) { number += "/A" }
                        map.add(
                            place,
                            tags: [("addr:street", street.name), ("addr:housenumber", number)]
                        )
                        count += 1
                    }
                }
                if odd > even + 7 { even = odd + 1 }
                if even > odd + 7 { odd = even - 1 }
            }
        }
        return count
    }

    /// The distance from the middle of a street to its entrances, in metres; nil
    /// where there are none.
    private static func setBack(_ kind: LineKind) -> Double? {
        switch kind {
        case .primary: 16
        case .secondary: 13
        case .tertiary, .unclassified: 10
        case .residential, .livingStreet: 7.5
        case .pedestrian, .service: 5
        default: nil
        }
    }

    /// The entrances along one side of a stretch.
    private static func fronts(
        _ polyline: [Point],
        zone: TownZone,
        aside: Double,
        random: inout SeededRandom
    ) -> [Point] {
        let length = DemoPolyline.length(polyline)
        var places: [Point] = []
        var distance = 9 + random.unit() * zone.front * 0.6
        while distance < length - 8 {
            let (place, way) = DemoPolyline.place(on: polyline, at: distance)
            places.append(place + way.left * aside)
            distance += zone.front * random.between(0.7, 1.4)
        }
        return places
    }
}

extension LandUse {
    /// Whether the land has houses.
    var hasHouses: Bool { self == .block || self == .industrial || self == .square }
}
