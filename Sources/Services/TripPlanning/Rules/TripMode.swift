package import Transit

/// A means of travel as rules and reasons name it: a kind of trip, or one kind of public transport.
package enum TripMode: Sendable, Hashable {
    /// A means of travel; all of public transport counts as one.
    case kind(TripKind)
    /// One kind of public transport.
    case vehicle(TransitMode)

    /// The mode with a name as people write it, such as `bike`, `transit` or `metro`; nil for any
    /// other text.
    package init?(named name: some StringProtocol) {
        let name = name == "bicycle" ? "bike" : String(name)
        if let kind = TripKind.allCases.first(where: { $0.modeName == name }) {
            self = .kind(kind)
        } else if let vehicle = TransitMode.allCases.first(where: { "\($0)" == name }) {
            self = .vehicle(vehicle)
        } else {
            return nil
        }
    }

    /// The name in output files.
    package var name: String {
        switch self {
        case .kind(let kind): kind.modeName
        case .vehicle(let vehicle): "\(vehicle)"
        }
    }
}
