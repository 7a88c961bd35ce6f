package import Identity
package import Localization
package import Notify

/// A kind of messages whose channels people choose, as the account pages show it.
package struct NotificationChoice: Sendable {
    /// The kind of messages.
    package let kind: any NotificationKind
    /// What a message of this kind tells.
    package let label: Text
    /// The role of the people who get such messages.
    package let role: Role

    /// The name under which a person's preferences store the kind.
    package var name: String { kind.rawValue }
    /// The field of the form of preferences.
    package var field: String { "kind-\(name)" }

    package init(_ kind: any NotificationKind, _ label: Text, for role: Role = .traveller) {
        precondition(kind.rules.isChosen, "People may not choose the channels of \(kind).")
        self.kind = kind
        self.label = label
        self.role = role
    }
}

extension TaxiNotificationKind {
    /// The kinds whose channels people choose.
    package static var choices: [NotificationChoice] {
        allCases.compactMap { kind in
            kind.label.map { NotificationChoice(kind, $0, for: kind.role) }
        }
    }

    /// The role of the people who get such messages.
    private var role: Role {
        switch self {
        case .driverVerified, .driverRejected, .licenceExpires, .licenceExpired, .offer,
            .dutyChanged:
            .driver
        case .reservationBooked, .reservationChanged, .reservationCancelled, .reservationReminder,
            .reservationNotServed, .taxiFound, .taxiArrived, .passengerMissed, .rideDropped,
            .sharingChanged, .receipt:
            .traveller
        }
    }

    /// What a message of this kind tells; nil for those that are always sent.
    private var label: Text? {
        switch self {
        case .licenceExpires, .licenceExpired: nil
        case .driverVerified: TaxiNotificationTexts.driverVerified
        case .driverRejected: TaxiNotificationTexts.driverRejected
        case .offer: TaxiNotificationTexts.offer
        case .dutyChanged: TaxiNotificationTexts.dutyChanged
        case .reservationBooked: TaxiNotificationTexts.reservationBooked
        case .reservationChanged: TaxiNotificationTexts.reservationChanged
        case .reservationCancelled: TaxiNotificationTexts.reservationCancelled
        case .reservationReminder: TaxiNotificationTexts.reservationReminder
        case .reservationNotServed: TaxiNotificationTexts.reservationNotServed
        case .taxiFound: TaxiNotificationTexts.taxiFound
        case .taxiArrived: TaxiNotificationTexts.taxiArrived
        case .passengerMissed: TaxiNotificationTexts.passengerMissed
        case .rideDropped: TaxiNotificationTexts.rideDropped
        case .sharingChanged: TaxiNotificationTexts.sharingChanged
        case .receipt: TaxiNotificationTexts.receipt
        }
    }
}
