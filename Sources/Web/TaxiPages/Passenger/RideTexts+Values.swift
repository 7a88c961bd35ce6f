import Chronology
package import Localization
import Taxi

extension RideTexts {
    package static let steps = [
        RideTexts.searching, RideTexts.taxiFound,
        RideTexts.taxiHere, RideTexts.onBoard,
        RideTexts.done,
    ]

    package static func title(_ state: RideState, minutes: Int64?) -> Text {
        switch state {
        case .asking, .held: RideTexts.lookingForATaxi
        case .parked: RideTexts.theOperatorLooksAfterIt
        case .reserved: RideTexts.yourTaxiIsReserved
        case .coming:
            minutes.map { minutes in
                RideTexts.taxiArrivesInMinutes(minutes)
            } ?? RideTexts.taxiIsOnTheWay
        case .here: RideTexts.yourTaxiIsHere
        case .aboard:
            minutes.map { minutes in
                RideTexts.youArriveInMinutes(minutes)
            } ?? RideTexts.youAreOnBoard
        }
    }

    /// The same in a line of every page.
    package static func banner(_ state: RideState) -> Text {
        switch state {
        case .coming(.at), .coming(.unknown): RideTexts.yourTaxiIsComing
        default: title(state, minutes: nil)
        }
    }

    package static func asking(_ count: Int) -> Text {
        if count <= 1 {
            return RideTexts.askingFirstTaxi
        }
        return RideTexts.askingTheTaxiInLine(count)
    }

    /// From how many seconds on a position is old (ui.md 4.1, 5).
    package static let staleSeconds: Int64 = 30
    package static func seen(_ seconds: Int64) -> Text {
        seconds < 120
            ? RideTexts.updatedSecondsAgo(seconds)
            : RideTexts.updatedMinutesAgo(seconds / 60)
    }

    package static func cancelRule(_ rule: CancelRule) -> Text {
        switch rule {
        case .free, .reserved:
            RideTexts.nobodyIsOnTheWay
        case .taxiComing:
            RideTexts.aTaxiIsAlreadyComing
        case .never:
            RideTexts.inThisCityARequest
        case .found:
            RideTexts.tooLateTaxiFound
        case .there:
            RideTexts.tooLateTaxiArrived
        }
    }
}

extension CancelTexts {
    package static func title(_ rule: CancelRule) -> Text {
        rule == .reserved
            ? CancelTexts.deleteYourReservation
            : CancelTexts.cancelYourTaxi
    }
    package static func consequence(_ rule: CancelRule) -> Text {
        switch rule {
        case .reserved:
            CancelTexts.reservationLead
        case .taxiComing:
            CancelTexts.taxiComingLead
        default:
            CancelTexts.searchingLead
        }
    }
    package static func confirm(_ rule: CancelRule) -> Text {
        rule == .reserved
            ? CancelTexts.yesDeleteIt : CancelTexts.yesCancel
    }
}
