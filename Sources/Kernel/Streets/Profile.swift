/// A way of travelling on the streets, with permissions and speeds of its own.
public enum Profile: UInt8, CaseIterable, Sendable {
    /// Walking.
    case foot
    /// Moving in a wheelchair: as on foot, without steps, high kerbs and steep ways.
    case wheelchair
    /// Riding a bicycle; where riding is forbidden but walking allowed, it is pushed.
    case bicycle
    /// Driving a private car.
    case car
    /// Driving a taxi: as a car, with bus lanes and restricted-traffic areas open to it.
    case taxi
}
