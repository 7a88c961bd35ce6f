/// A taxi's number, assigned at registration: 0, 1, 2 and so on; never reused.
public struct TaxiNumber: RawRepresentable, Hashable, Comparable, Sendable, BitwiseCopyable {
    /// The position in the order of registration, from 0.
    public let rawValue: UInt32

    /// Creates the number of a taxi.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Orders taxis by registration.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// A zone's index among the zones in force, from 0; a redraw may change it.
public struct ZoneNumber: RawRepresentable, Hashable, Comparable, Sendable, BitwiseCopyable {
    /// The index among the zones in force, from 0.
    public let rawValue: UInt32

    /// Creates the index of a zone.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Orders zones as the zones in force are ordered.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The number of a request, a reservation or a joiner of a shared ride, counted
/// from 1 and never reused.
///
/// The ride of the request has the same number.
public struct RequestNumber: RawRepresentable, Hashable, Comparable, Sendable, BitwiseCopyable {
    /// The position in the order of arrival, from 1.
    public let rawValue: UInt64

    /// Creates the number of a request.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Orders requests by arrival.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The pseudonym of a passenger; the dispatcher stores no names.
public struct PassengerNumber: RawRepresentable, Hashable, Comparable, Sendable, BitwiseCopyable {
    /// The number that stands for the passenger.
    public let rawValue: UInt64

    /// Creates a pseudonym from its number.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Orders pseudonyms by their numbers.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
