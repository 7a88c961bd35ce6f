/// What a taxi can carry, as its papers say.
package struct VehicleClass: Equatable, Sendable {
    /// How many passengers, 1 to 9.
    package let seats: Int
    /// Whether there is room for a wheelchair.
    package let wheelchair: Bool

    // More is a bus, which needs other papers.
    private static let mostSeats = 9
    /// What most taxis have.
    private static let usualSeats = 4

    /// A class that was stored.
    init(seats: Int, wheelchair: Bool) {
        self.seats = seats
        self.wheelchair = wheelchair
    }

    /// Reads what was typed; what is wrong is added to the problems.
    init(seats: String, wheelchair: String, _ problems: inout [FieldProblem]) {
        var count: Int? = Self.usualSeats
        if !seats.trimmed.isEmpty { count = Int(seats.trimmed) }
        if let count, (1...Self.mostSeats).contains(count) {
            self.seats = count
        } else {
            problems.append(FieldProblem(.seats, .badFormat))
            self.seats = Self.usualSeats
        }
        switch wheelchair.trimmed.lowercased() {
        case "yes", "si", "sì", "true", "1": self.wheelchair = true
        case "", "no", "false", "0": self.wheelchair = false
        default:
            problems.append(FieldProblem(.wheelchair, .badFormat))
            self.wheelchair = false
        }
    }

    /// The word for whether there is room for a wheelchair.
    static func text(_ wheelchair: Bool) -> String { wheelchair ? "yes" : "no" }
}
