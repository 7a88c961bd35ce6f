import Encoding
import Identity

/// The capacity of a taxi according to its papers.
package struct VehicleClass: Equatable, Sendable {
    /// The number of passengers, 1 to 9.
    package let seats: Int
    /// Whether there is space for a wheelchair.
    package let wheelchair: Bool

    // A larger vehicle is a bus, which needs other papers.
    private static let mostSeats = 9
    /// The seats of an ordinary taxi.
    private static let usualSeats = 4

    /// Creates a class from stored values.
    init(seats: Int, wheelchair: Bool) {
        self.seats = seats
        self.wheelchair = wheelchair
    }

    /// Parses typed values and adds any problems to the list.
    init(seats: String, wheelchair: String, _ problems: inout [FieldProblem]) {
        var count: Int? = Self.usualSeats
        if !seats.trimmingWhiteSpace().isEmpty { count = Int(seats.trimmingWhiteSpace()) }
        if let count, (1...Self.mostSeats).contains(count) {
            self.seats = count
        } else {
            problems.append(FieldProblem(.seats, .badFormat))
            self.seats = Self.usualSeats
        }
        switch wheelchair.trimmingWhiteSpace().lowercased() {
        case "yes", "si", "sì", "true", "1": self.wheelchair = true
        case "", "no", "false", "0": self.wheelchair = false
        default:
            problems.append(FieldProblem(.wheelchair, .badFormat))
            self.wheelchair = false
        }
    }

    /// The text for whether there is space for a wheelchair.
    static func text(_ wheelchair: Bool) -> String { wheelchair ? "yes" : "no" }
}
