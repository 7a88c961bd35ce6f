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
                title = Text("You are available", "Sei disponibile")
            }
        case .pendingConfirmation:
            title = Text("A ride is offered to you", "Ti viene offerta una corsa")
        case .riding: title = Text("You have a ride", "Hai una corsa")
        case .unavailable: title = Text("You are unavailable", "Non sei disponibile")
        case .outOfCity: title = Text("You are outside the city", "Sei fuori città")
        case .outOfContact:
            title = Text("We do not hear from you", "Non riceviamo la tua posizione")
        case .removed:
            title = Text("Your taxi is not registered", "Il tuo taxi non è registrato")
        }
        if view.taxi.status == .pendingConfirmation {
            said = Text(same: "")
        } else {
            said = view.ahead.map { Self.said(view.taxi.status.label(view.policy), $0) } ?? title
        }
    }

    /// The title as a complete sentence.
    package var sentence: Text {
        Text(title.in(.english) + ".", title.in(.italian) + ".")
    }

    private static func place(_ ahead: Int, _ queued: Int, _ zone: String) -> Text {
        let place = Self.ordinal(ahead + 1)
        return Text(
            "You are \(place.in(.english)) of \(queued) in \(zone)",
            "Sei \(place.in(.italian)) di \(queued) in \(zone)"
        )
    }

    private static func said(_ state: Text, _ ahead: Int) -> Text {
        guard ahead < Herald.firstInQueue else { return state }
        let place = Self.ordinal(ahead + 1)
        return Text(
            "\(state.in(.english)): \(place.in(.english))",
            "\(state.in(.italian)): \(place.in(.italian))"
        )
    }
}

extension TaxiStatus {
    /// The state's short label under the policy (C15); nil if the label does not depend on the
    /// policy.
    package func label(_ policy: Policy?) -> Text {
        let isShort = policy?.driverStates == .three
        return switch self {
        case .available: Text("Available", "Disponibile")
        case .pendingConfirmation where isShort, .riding where isShort:
            Text("Busy", "Occupato")
        case .unavailable where isShort, .removed where isShort:
            Text("Off shift", "Fuori servizio")
        case .outOfCity where isShort, .outOfContact where isShort:
            Text("Available, in no queue", "Disponibile, in nessuna coda")
        case .pendingConfirmation: Text("Ride offered", "Corsa offerta")
        case .riding: Text("Riding", "In corsa")
        case .unavailable: Text("Unavailable", "Non disponibile")
        case .outOfCity: Text("Out of city", "Fuori città")
        case .outOfContact: Text("Not heard from", "Senza contatto")
        case .removed: Text("Not registered", "Non registrato")
        }
    }
}

extension DriveStanding {
    /// An ordinal number, counted from 1, in both languages.
    package static func ordinal(_ number: Int) -> Text {
        let ending =
            switch (number % 10, number % 100) {
            case (_, 11...13): "th"
            case (1, _): "st"
            case (2, _): "nd"
            case (3, _): "rd"
            default: "th"
            }
        return Text("\(number)\(ending)", "\(number)º")
    }
}
