/// What a taxi can carry, or what a request needs.
public struct Capacity: Hashable, Sendable, BitwiseCopyable {
    /// Seats for passengers: 1 to 16.
    public var seats: UInt8
    /// Whether there is room for a wheelchair.
    public var wheelchair: Bool

    /// So many seats, and room for a wheelchair or none.
    public init(seats: UInt8, wheelchair: Bool = false) {
        self.seats = seats
        self.wheelchair = wheelchair
    }

    /// The most seats of a taxi and of a request.
    public static let mostSeats: UInt8 = 16

    /// Whether a taxi of this capacity can serve a request for `need`.
    public func covers(_ need: Capacity) -> Bool {
        seats >= need.seats && (wheelchair || !need.wheelchair)
    }

    /// Whether the seats are in range.
    var isValid: Bool { seats >= 1 && seats <= Self.mostSeats }
}
