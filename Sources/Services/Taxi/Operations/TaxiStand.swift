package import Dispatching

/// The state of a taxi as operators distinguish it.
package enum TaxiStand: String, Hashable, Sendable, CaseIterable {
    /// Queued in its zone.
    case free
    /// Has an offer that is not answered yet.
    case offered
    /// On the way to the pickup point.
    case coming
    /// At the pickup point.
    case there
    /// Has passengers on board.
    case aboard
    case off
    /// On duty without a recent position report.
    case lost
    /// On duty and outside all zones.
    case outside
}

extension Dispatcher {
    /// Returns the state of a taxi; nil if it was removed from the register.
    package func stand(of taxi: Taxi) -> TaxiStand? {
        switch taxi.status {
        case .available: .free
        case .pendingConfirmation: .offered
        case .riding: rideStand(of: taxi)
        case .unavailable: .off
        case .outOfCity: .outside
        case .outOfContact: .lost
        case .removed: nil
        }
    }

    private func rideStand(of taxi: Taxi) -> TaxiStand {
        guard case .ride(let number) = taxi.work else { return .coming }
        return switch request(number)?.ride?.stage {
        case .aboard: .aboard
        case .atMeetingPoint: .there
        case .onTheWay, nil: .coming
        }
    }
}
