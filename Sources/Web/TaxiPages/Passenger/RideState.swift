package import Chronology
package import Dispatching
package import Drivers
package import Identity
import Localization
package import Taxi

/// The state of a live request, as its passenger sees it (ui.md 4.4).
package enum RideState: Hashable, Sendable {
    /// The given number of drivers have received an offer.
    ///
    /// The last offer is still open.
    case asking(Int)
    /// All nearby drivers are deciding about other offers.
    ///
    /// The next attempt is at the given time (R56).
    case held(Moment)
    /// An operator handles the request manually.
    case parked
    /// A reservation before its search for a taxi.
    case reserved
    /// A taxi is on its way to the meeting point.
    case coming(RideView.Arrival)
    /// The taxi is at the meeting point.
    case here
    /// The passenger is in the taxi.
    case aboard

    /// Derives the state from the passenger's view of the ride.
    package init(_ view: RideView) {
        switch view.phase {
        case .reserved: self = .reserved
        case .seeking: self = .asking(max(1, view.asked))
        case .offered: self = .asking(max(1, view.asked))
        case .held(let nextTry): self = .held(nextTry)
        case .parked, .joined: self = .parked
        case .riding(let ride):
            switch ride.stage {
            case .onTheWay: self = .coming(view.arrival ?? .unknown)
            case .atMeetingPoint: self = .here
            case .aboard: self = .aboard
            }
        }
    }

    /// Which of ``RideTexts/steps`` it is.
    package var step: Int {
        switch self {
        case .asking, .held, .parked, .reserved: 0
        case .coming: 1
        case .here: 2
        case .aboard: 3
        }
    }

    /// Whether the request has a taxi.
    package var hasTaxi: Bool { step > 0 }
}

/// Whether a passenger may cancel, and with what consequence (C27).
package enum CancelRule: Hashable, Sendable {
    /// Allowed: no taxi is on its way yet.
    case free
    /// Allowed: a reservation without a taxi (R80).
    case reserved
    /// Allowed, although a taxi is on its way.
    case taxiComing
    /// Not allowed: the city's policy permits no cancellation.
    case never
    /// Not allowed any more: a taxi has accepted the request.
    case found
    /// Not allowed any more: the taxi has arrived, or the passenger is in it.
    case there

    /// Derives the rule from the state and the city's policy.
    package init(_ state: RideState, _ policy: Policy, isReservation: Bool = false) {
        let until = policy.cancelRequest
        if isReservation {
            self = !state.hasTaxi ? .reserved : state.step == 1 ? .found : .there
        } else if until == .never {
            self = .never
        } else if !state.hasTaxi {
            self = .free
        } else if state.step == 1 {
            self = until == .untilAccept ? .found : .taxiComing
        } else {
            self = .there
        }
    }

    /// Whether the passenger may cancel now.
    package var isAllowed: Bool { self == .free || self == .reserved || self == .taxiComing }
}

/// The details by which a passenger recognises the taxi.
package struct TaxiFace: Hashable, Sendable {
    /// The taxi's code in the city.
    package var code: String
    /// The number plate; nil if it is not known.
    package var plate: String?
    /// Make and colour, as far as they are known.
    package var look = VehicleLook()
    /// The driver's first name; nil if it is not known.
    package var driver: String?
}

extension TaxiService {
    /// Returns the details by which a passenger recognises the taxi of a live ride.
    ///
    /// Only the ride's passenger may see them, and only from acceptance to the end of the ride.
    ///
    /// - Parameters:
    ///   - view: the passenger's view of the ride.
    ///   - accounts: the accounts with the taxis and drivers.
    /// - Returns: nil until a taxi is found; only the code if nothing more is known.
    /// - Throws: any `DatabaseFailure`.
    package func face(_ view: RideView, in accounts: Accounts) async throws -> TaxiFace? {
        guard let code = view.taxi else { return nil }
        var shift: Int64?
        if let number = view.taxiNumber { shift = try await self.shift(of: number) }
        guard let number = PersonNumber(dispatcherCode: code),
            let signs = try await accounts.drivers.signs(
                of: number,
                drivenBy: shift.map { PersonNumber(rawValue: $0) }
            )
        else { return TaxiFace(code: code) }
        return TaxiFace(
            code: signs.code,
            plate: signs.plate,
            look: signs.look,
            driver: signs.driver
        )
    }
}
