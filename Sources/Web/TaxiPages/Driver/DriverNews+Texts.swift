package import Dispatching
package import Localization
package import Taxi

extension RequestOutcome {
    /// How a ride ended, in words for the driver.
    package var driverText: Text {
        switch self {
        case .completed: StandingTexts.driven
        case .cancelled: StandingTexts.cancelledByThePassenger
        case .withdrawn: StandingTexts.cancelledByTheOperator
        case .noShow: StandingTexts.nobodyCame
        case .suspended: StandingTexts.theServiceWasSuspended
        case .outsideCity: StandingTexts.theZonesWereRedrawn
        case .noTaxi, .allRefused, .heldTooLong, .dropped:
            StandingTexts.noTaxiWasFound
        }
    }
}

extension DriverNews.Happening {
    /// A sentence about an event that affects the driver; nil if the driver caused it.
    package func text(_ policy: Policy) -> Text? {
        switch self {
        case .offerClosed(let outcome): outcome.sentence
        case .rideEnded(_, .completed): nil
        case .rideEnded(_, let outcome): outcome.lostRide
        case .offDuty(let cause, let reason): cause.text(policy, reason)
        case .queued(let cause): cause.text
        case .leftCity:
            StandingTexts.leftTheCity
        }
    }
}

extension OfferOutcome {
    fileprivate var sentence: Text? {
        switch self {
        case .refused: nil
        case .ignored:
            StandingTexts.offerUnanswered
        case .undeliverable:
            StandingTexts.offerUndelivered
        case .withdrawn:
            StandingTexts.offerWithdrawn
        }
    }
}

extension RequestOutcome {
    fileprivate var lostRide: Text {
        switch self {
        case .cancelled:
            StandingTexts.thePassengerCancelledTheRide
        case .noShow:
            StandingTexts.nobodyCameToYourRide
        default:
            StandingTexts.theOperatorCancelledYourRide
        }
    }
}

extension OffDutyCause {
    /// A sentence about why the driver is off duty; nil if the driver chose it.
    package func text(_ policy: Policy, _ reason: String) -> Text? {
        switch self {
        case .driver: nil
        case .ignoredOffers:
            StandingTexts.tooManyUnanswered(policy[.maxIgnored])
        case .outOfContact:
            StandingTexts.silentTooLong
        case .licence:
            StandingTexts.yourLicenceNoLongerHolds
        case .replaced where reason.isEmpty:
            StandingTexts.rideReassigned
        case .replaced:
            StandingTexts.rideReassignedBecause(reason)
        case .dispatcher where reason.isEmpty:
            StandingTexts.madeUnavailable
        case .dispatcher:
            StandingTexts.madeUnavailableBecause(reason)
        }
    }
}

extension QueueCause {
    fileprivate var text: Text? {
        switch self {
        case .enteredCity:
            StandingTexts.backInTheCity
        case .changedZone:
            StandingTexts.youAreInAnotherZone
        case .regainedContact:
            StandingTexts.contactRestored
        case .redrawn:
            StandingTexts.theCityRedrewItsZones
        case .returned:
            StandingTexts.backInYourZone
        case .turnRestored:
            StandingTexts.turnRestored
        default: nil
        }
    }
}
