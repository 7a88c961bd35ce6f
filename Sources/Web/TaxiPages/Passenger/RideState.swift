package import Chronology
package import Dispatching
import Drivers
package import Identity
import Localization
package import Taxi

/// Where a live request stands, as its passenger is told (ui.md 4.4).
package enum RideState: Hashable, Sendable {
    /// So many drivers were asked; the last of them is being asked now.
    case asking(Int)
    /// Everybody near is busy answering; the next try is then (R56).
    case held(Moment)
    /// The operator has it in hand.
    case parked
    /// A reservation whose time has not come.
    case reserved
    /// A taxi is coming.
    case coming(RideView.Arrival)
    /// It is at the meeting point.
    case here
    /// The passenger is aboard.
    case aboard

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

    /// Whether a taxi was found.
    package var hasTaxi: Bool { step > 0 }
}

/// Whether a passenger may cancel, and what that means (C27).
package enum CancelRule: Hashable, Sendable {
    /// Nobody is on the way yet.
    case free
    /// It is a reservation without a taxi (R80).
    case reserved
    /// A taxi is coming.
    case taxiComing
    /// The city lets nobody cancel.
    case never
    /// A taxi was found.
    case found
    /// The taxi is there, or the passenger aboard.
    case there

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

    package var isAllowed: Bool { self == .free || self == .reserved || self == .taxiComing }
}

/// How a passenger knows his taxi.
package struct TaxiFace: Hashable, Sendable {
    /// The code that the city gave it.
    package var code: String
    /// Its plate; nil where it is not known.
    package var plate: String?
    /// The first name of its driver; nil where it is not known.
    package var driver: String?
}

extension TaxiService {
    /// How the taxi of a live ride is known; nil while none was found.
    ///
    /// Only for its passenger, and only from accepting to the end of the ride.
    ///
    /// - Parameters:
    ///   - view: the ride.
    ///   - accounts: who knows taxis and drivers.
    /// - Returns: the code alone where the city knows nothing more.
    /// - Throws: what the databases throw.
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
        return TaxiFace(code: signs.code, plate: signs.plate, driver: signs.driver)
    }
}
