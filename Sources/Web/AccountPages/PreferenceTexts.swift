import Identity
import Localization
import Notify
import TaxiPages

extension Preferences.Channel {
    /// What the channel is called.
    var label: Text {
        switch self {
        case .mail: AccountPagesTexts.eMail
        case .push: AccountPagesTexts.notificationOnYourDevice
        case .sms: AccountPagesTexts.sms
        }
    }
}

extension Kind {
    /// Whether a person with these roles ever gets it.
    func concerns(_ roles: Set<Role>) -> Bool {
        switch self {
        case .offer, .dutyChanged, .driverVerified, .driverRejected: roles.contains(.driver)
        default: roles.contains(.traveller)
        }
    }

    /// What a message of this kind tells; for those of which people choose the channel.
    var label: Text {
        switch self {
        case .offer: AccountPagesTexts.aRideIsOfferedTo
        case .dutyChanged:
            AccountPagesTexts.youBecomeUnavailableOrAre
        case .driverVerified: AccountPagesTexts.yourPapersAreVerified
        case .driverRejected:
            AccountPagesTexts.yourPapersAreNotAccepted
        case .reservationBooked: AccountPagesTexts.youHaveReservedATaxi
        case .reservationChanged:
            AccountPagesTexts.yourReservationHasChanged
        case .reservationCancelled:
            AccountPagesTexts.yourReservationIsCancelled
        case .reservationReminder:
            AccountPagesTexts.yourReservationIsSoon
        case .reservationNotServed:
            AccountPagesTexts.noTaxiForYourReservation
        case .taxiFound: AccountPagesTexts.aTaxiIsComing
        case .taxiArrived: AccountPagesTexts.theTaxiIsThere
        case .passengerMissed: AccountPagesTexts.theTaxiDidNotFind
        case .rideDropped: AccountPagesTexts.theDriverCannotCome
        case .sharingChanged:
            AccountPagesTexts.aRideThatYouShare
        case .receipt: AccountPagesTexts.receipts
        case .departure: AccountPagesTexts.itIsTimeToLeave
        case .unreachable: AccountPagesTexts.anEventIsNotReached
        case .serviceSuspended: AccountPagesTexts.theServiceIsSuspended
        case .serviceResumed: AccountPagesTexts.theServiceGoesOn
        default: Text(same: rawValue)
        }
    }
}
