/// What a driver does at a point of a route.
public struct Manoeuvre: Sendable, Hashable {
    /// What the driver does.
    public let action: Action
    /// The point of the route's geometry where they do it.
    public let point: Int
    /// How far it is along the route's geometry, in metres.
    public let metres: Double
    /// The number of the name of the street that follows; 0 if it has none.
    public let name: UInt32

    /// The kinds of manoeuvres.
    public enum Action: Sendable, Hashable {
        /// The route begins.
        case depart
        /// The middle one of several streets that lead on.
        case straight
        /// The left one of two streets that both lead on.
        case keepLeft
        /// The right one of two streets that both lead on.
        case keepRight
        /// A turn to the left by less than 45°, off the street that leads straight on.
        case slightLeft
        /// A turn to the right by less than 45°, off the street that leads straight on.
        case slightRight
        /// A turn to the left.
        case left
        /// A turn to the right.
        case right
        /// A turn to the left by more than 120°.
        case sharpLeft
        /// A turn to the right by more than 120°.
        case sharpRight
        /// Back along the same street.
        case turnBack
        /// Through a roundabout to one of its exits, counted from 1; 0 if the route ends in it.
        case roundabout(exit: Int32)
        /// Out of the roundabout in which the route begins.
        case leaveRoundabout
        /// At the end of the route.
        case arrive
    }
}

extension Manoeuvre {
    /// A street that leads away from a junction.
    struct Exit {
        /// The angle between the direction of travel before the junction and the street.
        ///
        /// In degrees clockwise, from −180 to 180.
        var turn: Double
        /// Whether it is a service road or less.
        var isMinor: Bool
    }

    /// What a driver does who passes a junction; nil if they simply follow the street.
    ///
    /// A turn by 45° or more counts unless nothing but minor roads, which lead further aside,
    /// leaves the street. Less than that counts only where another street is almost as straight,
    /// so that a driver who is told nothing could take the wrong one.
    ///
    /// - Parameters:
    ///   - way: the street that the route takes.
    ///   - others: the other streets, without the one from which the driver comes.
    /// - Returns: nil where the driver need not be told anything.
    static func action(_ way: Exit, among others: [Exit]) -> Action? {
        let size = way.turn.magnitude
        let rivals = others.filter { way.isMinor || !$0.isMinor || $0.turn.magnitude < size }
        guard !rivals.isEmpty else { return nil }
        let isLeft = way.turn < 0
        if size > 120 { return isLeft ? .sharpLeft : .sharpRight }
        if size >= 45 { return isLeft ? .left : .right }
        let similar = rivals.filter { $0.turn.magnitude <= size + 25 }
        guard !similar.isEmpty else { return nil }
        let hasLeft = similar.contains { $0.turn < way.turn }
        let hasRight = similar.contains { $0.turn >= way.turn }
        if hasLeft, hasRight { return .straight }
        let isOff = size >= 20 && similar.contains { $0.turn.magnitude < size }
        // A bend to one side may still be the other one of two streets.
        if hasRight { return isOff && isLeft ? .slightLeft : .keepLeft }
        return isOff && !isLeft ? .slightRight : .keepRight
    }
}
