/// A taxi by the number it got when it was registered: 0, 1, 2 and so on; never given again.
public struct TaxiNumber: RawRepresentable, Hashable, Comparable, Sendable, BitwiseCopyable {
    /// The place of the taxi in the order of registration, from 0.
    public let rawValue: UInt32

    /// The taxi of that number.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The one registered earlier is the smaller.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// A zone by its place in the zones in force, from 0; a redraw may give it another number.
public struct ZoneNumber: RawRepresentable, Hashable, Comparable, Sendable, BitwiseCopyable {
    /// The place of the zone among the zones in force.
    public let rawValue: UInt32

    /// The zone of that number.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The one that comes first among the zones in force is the smaller.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// A request, a reservation or a joiner of a shared ride, counted from 1 and never given again.
///
/// The ride that comes of it has the same number.
public struct RequestNumber: RawRepresentable, Hashable, Comparable, Sendable, BitwiseCopyable {
    /// The place of the request in the order of arrival, from 1.
    public let rawValue: UInt64

    /// The request of that number.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The one that came earlier is the smaller.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// A passenger by a pseudonym: the dispatcher knows no names.
public struct PassengerNumber: RawRepresentable, Hashable, Comparable, Sendable, BitwiseCopyable {
    /// The pseudonym.
    public let rawValue: UInt64

    /// The passenger of that pseudonym.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Pseudonyms have the order of their numbers.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
