import Geo
import SeededRandom

/// The whole demo city in memory, before it is written.
struct CityDraft {
    /// The map with all that OpenStreetMap would show.
    private(set) var map: MapDraft
    /// The lines and stops of public transport.
    private(set) var transit = TransitPlan()
    /// The plan of the streets.
    private(set) var plan: StreetPlan
    /// The numbers of what was planned so far.
    private(set) var summary = DemoCity.Summary()
    private var times: SeededRandom

    /// The position of the cathedral: in the fields of the Po plain, where there is no city.
    private static let cathedral = Coordinate(latitude: 449_000_000, longitude: 99_000_000)

    /// The city of some inhabitants and seed.
    init(inhabitants: Int, seed: UInt64, progress: (DemoCity.Progress) -> Void) {
        var random = SeededRandom(seed: seed ^ UInt64(inhabitants) &* 0x2545_F491_4F6C_DD1D)
        var base = random.branch()
        let ground = Ground(inhabitants: inhabitants, random: &base)
        plan = StreetPlan(ground: ground, random: &base) {
            progress(DemoCity.Progress(stage: .streets, share: $0 * 0.2))
        }
        var names = TownNames(random: random.branch())
        names.name(&plan)
        let quarters = ground.quarters.map { (names.quarter(), ground.bent($0)) }
        summary.name = names.city
        progress(DemoCity.Progress(stage: .map, share: 0.25))
        map = MapDraft(around: Self.cathedral)
        let streets = StreetMap(plan, on: &map, random: random.branch())
        Motorway.draw(plan, streets: streets, on: &map)
        summary.stretches = plan.sections
        summary.houseNumbers = HouseNumbers.draw(plan, on: &map, random: random.branch())
        var landmarks = Landmarks(plan, names: names, random: random.branch())
        landmarks.draw(quarters: quarters, on: &map)
        progress(DemoCity.Progress(stage: .lines, share: 0.4))
        let network = RoadNetwork(plan)
        let stations = StationNames(quarters: quarters)
        var metro = MetroLines(network: network, names: stations, random: random.branch())
        metro.lay(on: &transit)
        var surface = SurfaceLines(network: network, random: random.branch())
        surface.lay(on: &transit) {
            progress(DemoCity.Progress(stage: .lines, share: 0.4 + $0 * 0.15))
        }
        var rail = RailLines(plan, names: stations, random: random.branch())
        rail.lay(on: &transit)
        times = random.branch()
        TransitMap.drawStops(transit, on: &map)
        TransitMap.drawSubways(rail.stations, plan: plan, streets: streets, on: &map)
        TransitMap.drawTracks(
            railways: rail.tracks,
            tunnels: metro.tunnels,
            tramways: surface.tramways,
            plan: plan,
            on: &map
        )
    }

    /// The timetable of all lines.
    mutating func timetable() -> DemoTimetable {
        DemoTimetable(transit, random: &times)
    }
}
