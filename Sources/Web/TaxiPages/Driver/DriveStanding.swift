package import Dispatching
package import Localization
package import Taxi

/// A driver's current state, as the first sentence of the driver's page (ui.md 4.1, 1).
package struct DriveStanding: Sendable {
    /// The sentence, without its full stop.
    package let title: Text
    /// The screen reader announcement when the state changes.
    ///
    /// It includes the queue position for the first five drivers (ui.md 4.5). The script announces
    /// an offer, with the time left to answer it.
    package let said: Text

    /// Describes a position in a zone's queue: the number of drivers ahead and in total.
    package init(behind ahead: Int, of queued: Int, in zone: String) {
        title = Self.place(ahead, queued, zone)
        said = Self.said(TaxiStatus.available.label(nil), ahead)
    }

    /// Describes the state of a driver's taxi.
    package init(_ view: DriverView) {
        switch view.taxi.status {
        case .available:
            if let ahead = view.ahead, let zone = view.zoneName {
                title = Self.place(ahead, view.queued, zone)
            } else {
                title = StandingTexts.youAreAvailable
            }
        case .pendingConfirmation:
            title = StandingTexts.hasOffer
        case .riding: title = StandingTexts.youHaveARide
        case .unavailable: title = StandingTexts.youAreUnavailable
        case .outOfCity: title = StandingTexts.youAreOutsideTheCity
        case .outOfContact:
            title = StandingTexts.contactLost
        case .removed:
            title = StandingTexts.yourTaxiIsNotRegistered
        }
        if view.taxi.status == .pendingConfirmation {
            said = Text(same: "")
        } else {
            said = view.ahead.map { Self.said(view.taxi.status.label(view.policy), $0) } ?? title
        }
    }

    /// The title as a complete sentence.
    package var sentence: Text {
        Text(joining: [title, Text(same: ".")])
    }

    private static func place(_ ahead: Int, _ queued: Int, _ zone: String) -> Text {
        let place = Self.ordinal(ahead + 1)
        return StandingTexts.placeInQueue(place, queued, zone)
    }

    private static func said(_ state: Text, _ ahead: Int) -> Text {
        guard ahead < TaxiEventPublisher.firstInQueue else { return state }
        let place = Self.ordinal(ahead + 1)
        return Text(joining: [state, Text(same: ": "), place])
    }
}

extension TaxiStatus {
    /// The state's short label under the policy (C15); nil if the label does not depend on the
    /// policy.
    package func label(_ policy: Policy?) -> Text {
        let isShort = policy?.driverStates == .three
        return switch self {
        case .available: StandingTexts.available
        case .pendingConfirmation where isShort, .riding where isShort:
            StandingTexts.busy
        case .unavailable where isShort, .removed where isShort:
            StandingTexts.offShift
        case .outOfCity where isShort, .outOfContact where isShort:
            StandingTexts.availableInNoQueue
        case .pendingConfirmation: StandingTexts.rideOffered
        case .riding: StandingTexts.riding
        case .unavailable: StandingTexts.unavailable
        case .outOfCity: StandingTexts.outOfCity
        case .outOfContact: StandingTexts.notHeardFrom
        case .removed: StandingTexts.notRegistered
        }
    }
}

extension DriveStanding {
    /// An ordinal number, counted from 1, in both languages.
    package static func ordinal(_ number: Int) -> Text {
        StandingTexts.place(number)
    }
}
