/// The size of a random town.
struct TownSize: Hashable, Sendable {
    var zones: ClosedRange<Int>
    var taxis: ClosedRange<Int>
    var passengers: Int
    /// The percentage of requests and positions that are in the first zone.
    var crowdPercent: Int

    /// A town in which all parties interact.
    static let small = TownSize(zones: 2...4, taxis: 3...8, passengers: 6, crowdPercent: 60)
    /// A town with long queues.
    static let medium = TownSize(zones: 4...9, taxis: 15...30, passengers: 25, crowdPercent: 35)
    /// The largest city whose whole state can be checked after each step.
    static let large = TownSize(zones: 12...20, taxis: 60...100, passengers: 90, crowdPercent: 15)
}
