/// What a taxi can carry, or what a request needs.
public struct Capacity: Hashable, Sendable, BitwiseCopyable {
    /// The number of passenger seats, 1 to 16.
    public var seats: UInt8
    /// Whether there is space for a wheelchair.
    public var wheelchair: Bool

    /// Creates a capacity of seats and wheelchair space.
    public init(seats: UInt8, wheelchair: Bool = false) {
        self.seats = seats
        self.wheelchair = wheelchair
    }

    /// The greatest number of seats of a taxi or a request.
    public static let mostSeats: UInt8 = 16

    /// Whether a taxi of this capacity can serve a request for `need`.
    public func covers(_ need: Capacity) -> Bool {
        seats >= need.seats && (wheelchair || !need.wheelchair)
    }

    /// Whether the seats are in range.
    var isValid: Bool { seats >= 1 && seats <= Self.mostSeats }
}
