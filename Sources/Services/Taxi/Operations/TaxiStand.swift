package import Dispatching

/// What a taxi does, as an operator tells taxis apart.
package enum TaxiStand: String, Hashable, Sendable, CaseIterable {
    /// In the queue of its zone.
    case free
    /// Asked, and not answered yet.
    case offered
    /// On its way to the meeting point.
    case coming
    /// At the meeting point.
    case there
    /// With passengers aboard.
    case aboard
    /// Off duty.
    case off
    /// On duty and not heard from.
    case lost
    /// On duty and outside all zones.
    case outside
}

extension Dispatcher {
    /// What a taxi does; nil for one that was taken from the register.
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
