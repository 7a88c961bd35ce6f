/// A mode of travel on the streets, with its own permissions and speeds.
public enum Profile: UInt8, CaseIterable, Sendable {
    /// A person who walks.
    case foot
    /// Moving in a wheelchair: as on foot, without steps, high kerbs and steep ways.
    case wheelchair
    /// Riding a bicycle; where riding is forbidden but walking allowed, it is pushed.
    case bicycle
    /// A driver of a private car.
    case car
    /// Driving a taxi: as a car, with bus lanes and restricted-traffic areas open to it.
    case taxi
}
