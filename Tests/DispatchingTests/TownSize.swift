/// How large a random world is.
struct TownSize: Hashable, Sendable {
    var zones: ClosedRange<Int>
    var taxis: ClosedRange<Int>
    var passengers: Int
    /// How many of a hundred requests and places are in the first zone.
    var crowdPercent: Int

    /// A world in which everybody meets everybody.
    static let small = TownSize(zones: 2...4, taxis: 3...8, passengers: 6, crowdPercent: 60)
    /// A town whose queues are longer than its troubles.
    static let medium = TownSize(zones: 4...9, taxis: 15...30, passengers: 25, crowdPercent: 35)
    /// A city, as far as every state of it can be looked at after each step.
    static let large = TownSize(zones: 12...20, taxis: 60...100, passengers: 90, crowdPercent: 15)
}
