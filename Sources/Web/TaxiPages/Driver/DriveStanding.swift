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

    /// The same as a sentence within a text.
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
    /// The state in a word or two, as the policy has drivers see it (C15); nil for a state that
    /// is called the same under every policy.
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
    /// A place in an order, from 1.
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
