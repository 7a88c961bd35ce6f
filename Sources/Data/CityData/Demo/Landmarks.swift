import SeededRandom

/// The features of the demo city's map besides its streets: water, parks, industry, squares,
/// quarters, tracks, and named places.
struct Landmarks: Sendable {
    private let plan: StreetPlan
    private var random: SeededRandom
    private var names: TownNames

    /// A kind of named place, with the number of inhabitants per place.
    private struct Kind: Sendable {
        var tags: [(String, String)]
        var people: Int
        var form: Form
    }

    /// How a place is named.
    private enum Form: Sendable {
        /// A name after a person.
        case person(String)
        /// A name after a saint.
        case saint(String)
        /// A name after the quarter.
        case quarter(String)
    }

    private static let kinds: [Kind] = [
        Kind(tags: [("amenity", "school")], people: 4_000, form: .person("Scuola primaria")),
        Kind(tags: [("amenity", "school")], people: 9_000, form: .person("Liceo")),
        Kind(tags: [("amenity", "kindergarten")], people: 7_000, form: .person("Asilo nido")),
        Kind(tags: [("amenity", "pharmacy")], people: 3_500, form: .person("Farmacia")),
        Kind(tags: [("amenity", "hospital")], people: 90_000, form: .saint("Ospedale")),
        Kind(tags: [("amenity", "library")], people: 30_000, form: .person("Biblioteca")),
        Kind(tags: [("amenity", "theatre")], people: 45_000, form: .person("Teatro")),
        Kind(tags: [("amenity", "cinema")], people: 60_000, form: .quarter("Cinema")),
        Kind(tags: [("amenity", "marketplace")], people: 25_000, form: .quarter("Mercato")),
        Kind(tags: [("amenity", "post_office")], people: 14_000, form: .quarter("Poste")),
        Kind(tags: [("amenity", "police")], people: 40_000, form: .quarter("Polizia locale")),
        Kind(tags: [("amenity", "cafe")], people: 1_500, form: .person("Caffè")),
        Kind(tags: [("amenity", "restaurant")], people: 1_200, form: .person("Trattoria")),
        Kind(tags: [("amenity", "taxi")], people: 15_000, form: .quarter("Posteggio taxi")),
        Kind(
            tags: [("amenity", "place_of_worship"), ("religion", "christian")],
            people: 6_000,
            form: .saint("Chiesa di")
        ),
        Kind(tags: [("tourism", "hotel")], people: 5_000, form: .person("Albergo")),
        Kind(tags: [("tourism", "museum")], people: 30_000, form: .person("Museo")),
        Kind(tags: [("shop", "supermarket")], people: 5_000, form: .quarter("Alimentari")),
        Kind(tags: [("leisure", "sports_centre")], people: 20_000, form: .quarter("Palestra")),
    ]

    /// Creates the landmarks of a plan.
    init(_ plan: StreetPlan, names: TownNames, random: SeededRandom) {
        self.plan = plan
        self.names = names
        self.random = random
    }

    /// Draws all; the quarters have the names given.
    mutating func draw(quarters: [(name: String, place: Point)], on map: inout MapDraft) {
        drawSettlements(quarters, on: &map)
        drawRiver(on: &map)
        for area in plan.areas { draw(area, on: &map) }
        drawRestrictedZone(on: &map)
        drawPlaces(quarters, on: &map)
    }

    private func drawSettlements(
        _ quarters: [(name: String, place: Point)],
        on map: inout MapDraft
    ) {
        map.add(
            .zero,
            tags: [
                ("place", "city"), ("name", names.city),
                ("population", String(plan.ground.inhabitants)),
            ]
        )
        for quarter in quarters {
            let isOuter = quarter.place.length > plan.ground.belt
            let kind = isOuter ? "suburb" : "quarter"
            map.add(quarter.place, tags: [("place", kind), ("name", quarter.name)])
        }
        map.add(
            Point(x: 12, y: 8),
            tags: [
                ("amenity", "place_of_worship"), ("religion", "christian"),
                ("name", "Duomo di \(names.city)"), ("tourism", "attraction"),
            ]
        )
        map.add(
            Point(x: -60, y: 40),
            tags: [("amenity", "townhall"), ("name", "Palazzo del Comune")]
        )
    }

    /// The river as a middle line and, in pieces, as water between its banks.
    private func drawRiver(on map: inout MapDraft) {
        let ground = plan.ground
        let polyline = ground.river
        map.add(
            polyline: polyline.map { ground.bent($0) },
            tags: [("waterway", "river"), ("name", names.river)]
        )
        let left = DemoPolyline.offset(polyline, by: ground.riverHalfWidth - 4)
        let right = DemoPolyline.offset(polyline, by: 4 - ground.riverHalfWidth)
        var start = 0
        while start < polyline.count - 1 {
            let end = min(polyline.count - 1, start + 40)
            let outline = right[start...end] + left[start...end].reversed()
            map.add(
                polyline: outline.map { ground.bent($0) },
                closed: true,
                tags: [("natural", "water"), ("water", "river"), ("name", names.river)]
            )
            start = end
        }
    }

    private mutating func draw(_ area: StreetPlan.Area, on map: inout MapDraft) {
        var tags: [(String, String)]
        switch area.use {
        case .park: tags = [("leisure", "park"), ("name", names.park(size: area.size))]
        case .industrial: tags = [("landuse", "industrial")]
        case .block: tags = [("landuse", "residential")]
        case .square:
            let isMain =
                DemoPolyline.distance(from: .zero, to: area.outline) < plan.ground.walls * 0.3
            let name = isMain ? "Piazza del Duomo" : names.square()
            tags = [("place", "square"), ("name", name)]
        case .outside, .water, .railway, .motorway: return
        }
        map.add(polyline: area.outline, closed: true, tags: tags)
    }

    private func drawRestrictedZone(on map: inout MapDraft) {
        let polyline = stride(from: 0.0, to: 6.2, by: 0.2).map {
            plan.ground.bent(plan.ground.ring(plan.ground.walls * 0.76, angle: $0))
        }
        map.add(
            polyline: polyline,
            closed: true,
            tags: [
                ("boundary", "limited_traffic_zone"), ("name", "ZTL Centro Storico"),
                ("opening_hours", "Mo-Fr 07:30-19:30"),
            ]
        )
    }

    /// Adds named places beside the streets, more of them near the centre.
    private mutating func drawPlaces(
        _ quarters: [(name: String, place: Point)],
        on map: inout MapDraft
    ) {
        let index = QuarterIndex(ground: plan.ground)
        let named = plan.stretches.indices.filter {
            let stretch = plan.stretches[$0]
            return !plan.streets[Int(stretch.street)].name.isEmpty && stretch.crossing == .none
                && (stretch.left.hasHouses || stretch.right.hasHouses)
        }
        guard !named.isEmpty else { return }
        var taken: Set<String> = []
        for kind in Self.kinds {
            for _ in 0..<max(1, plan.ground.inhabitants / kind.people) {
                var number = named[random.below(named.count)]
                let other = named[random.below(named.count)]
                let here = plan.junctions[Int(plan.stretches[number].from)].length
                let there = plan.junctions[Int(plan.stretches[other].from)].length
                if there < here { number = other }
                let stretch = plan.stretches[number]
                let place = self.place(beside: stretch)
                let quarter = quarters.isEmpty ? "" : quarters[index.quarter(at: place)].name
                let street = plan.streets[Int(stretch.street)].name
                var name = name(kind.form, quarter: quarter)
                if !taken.insert(name).inserted { name += " – \(street)" }
                map.add(place, tags: kind.tags + [("name", name), ("addr:street", street)])
            }
        }
    }

    private mutating func place(beside stretch: StreetPlan.Stretch) -> Point {
        let polyline = plan.polyline(of: stretch)
        let at = DemoPolyline.length(polyline) * random.between(0.25, 0.75)
        let (place, way) = DemoPolyline.place(on: polyline, at: at)
        return place + way.left * (stretch.left.hasHouses ? 15 : -15)
    }

    private mutating func name(_ form: Form, quarter: String) -> String {
        switch form {
        case .person(let head): "\(head) \(names.person())"
        case .saint(let head): "\(head) \(random.pick(WordLists.saints)) in \(quarter)"
        case .quarter(let head): "\(head) \(quarter)"
        }
    }
}
