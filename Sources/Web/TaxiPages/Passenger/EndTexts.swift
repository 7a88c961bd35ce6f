import Dispatching
package import Localization

extension EndTexts {
    package static func way(_ kilometres: Double, _ minutes: Int64) -> Text {
        let parts = "\(kilometres)".split(separator: ".", maxSplits: 1).map(String.init)
        return EndTexts.kmInMin(parts[0], parts[1], minutes)
    }
}

extension RequestOutcome {
    /// How a request ended, in one line for the passenger.
    package var title: Text {
        switch self {
        case .completed: PassengerTexts.youHaveArrived
        case .noTaxi: PassengerTexts.noTaxiIsFreeNear
        case .allRefused: PassengerTexts.noDriverCouldTakeIt
        case .heldTooLong: PassengerTexts.noTaxiBecameFree
        case .dropped: PassengerTexts.noTaxiFoundInTime
        case .cancelled: PassengerTexts.youHaveCancelledIt
        case .withdrawn: PassengerTexts.theOperatorCancelledIt
        case .noShow: PassengerTexts.theTaxiLeftWithoutYou
        case .suspended: PassengerTexts.theServiceWasSuspended
        case .outsideCity:
            PassengerTexts.yourMeetingPointIsOutside
        }
    }

    /// What it means, and what to do next.
    package var advice: Text {
        switch self {
        case .completed:
            PassengerTexts.thankYouForRidingWith
        case .noTaxi:
            PassengerTexts.noTaxiThatCanCarry
        case .allRefused:
            PassengerTexts.allTaxisAsked
        case .heldTooLong:
            PassengerTexts.triesExhausted
        case .dropped:
            PassengerTexts.reservationDropped
        case .cancelled: PassengerTexts.noTaxiComes
        case .withdrawn:
            PassengerTexts.theCitysOperatorHasTaken
        case .noShow:
            PassengerTexts.driverDidNotFindYou
        case .suspended:
            PassengerTexts.suspendedWhileSearching
        case .outsideCity:
            PassengerTexts.zonesRedrawn
        }
    }
}
