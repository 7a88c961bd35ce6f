package import Dispatching
package import Localization
package import Taxi

/// Where a driver stands, in the sentence that his page begins with (ui.md 4.1, 1).
package struct DriveStanding: Sendable {
    /// The sentence, without its full stop.
    package let title: Text
    /// What is read out when it changes: the state, and the place in the queue of the first five
    /// (ui.md 4.5); an offer is announced by the script, with the time that it leaves.
    package let said: Text

    /// The sentence of who waits in a queue behind so many.
    package init(behind ahead: Int, of queued: Int, in zone: String) {
        title = Self.place(ahead, queued, zone)
        said = Self.said(TaxiStatus.available.label(nil), ahead)
    }

    /// The sentence of a taxi's state.
    package init(_ view: DriverView) {
        switch view.taxi.status {
        case .available:
            if let ahead = view.ahead, let zone = view.zoneName {
                title = Self.place(ahead, view.queued, zone)
            } else {
                title = StandingTexts.youAreAvailable
            }
        case .pendingConfirmation:
            title = StandingTexts.aRideIsOfferedTo
        case .riding: title = StandingTexts.youHaveARide
        case .unavailable: title = StandingTexts.youAreUnavailable
        case .outOfCity: title = StandingTexts.youAreOutsideTheCity
        case .outOfContact:
            title = StandingTexts.weDoNotHearFrom
        case .removed:
            title = StandingTexts.yourTaxiIsNotRegistered
        }
        if view.taxi.status == .pendingConfirmation {
            said = Text(same: "")
        } else {
            said = view.ahead.map { Self.said(view.taxi.status.label(view.policy), $0) } ?? title
        }
    }

    /// The same as a sentence within a text.
    package var sentence: Text {
        Text(joining: [title, Text(same: ".")])
    }

    private static func place(_ ahead: Int, _ queued: Int, _ zone: String) -> Text {
        let place = Self.ordinal(ahead + 1)
        return StandingTexts.youAreOfIn(place, queued, zone)
    }

    private static func said(_ state: Text, _ ahead: Int) -> Text {
        guard ahead < Herald.firstInQueue else { return state }
        let place = Self.ordinal(ahead + 1)
        return Text(joining: [state, Text(same: ": "), place])
    }
}

extension TaxiStatus {
    /// The state in a word or two, as the policy has drivers see it (C15); nil for a state that
    /// is called the same under every policy.
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
    /// A place in an order, from 1.
    package static func ordinal(_ number: Int) -> Text {
        StandingTexts.place(number)
    }
}
