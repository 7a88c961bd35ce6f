package import CityData
package import Dispatching
package import Fares
package import Geo
package import Taxi
package import WebCore

/// A place that a passenger has chosen, as stored in a draft.
package struct ChosenPlace: Codable, Hashable, Sendable {
    /// The latitude in units of 1e-7 degrees.
    package var latitude: Int32
    /// The longitude in units of 1e-7 degrees.
    package var longitude: Int32
    /// The address; nil if none is known.
    package var words: String?
    /// The accuracy in metres, if the place is a phone's position (R45).
    package var accuracyMetres: Double?
    /// What kind of place it is; nil if that is not known.
    package var kind: ResolvedPlace.Kind?

    /// The maximum length of the stored address, in characters.
    private static let wordsLimit = 120

    /// Creates a chosen place, with the address cut to its maximum length.
    package init(
        _ place: Coordinate,
        words: String?,
        accuracyMetres: Double? = nil,
        kind: ResolvedPlace.Kind? = nil
    ) {
        latitude = place.latitude
        longitude = place.longitude
        self.words = words.map { String($0.prefix(Self.wordsLimit)) }
        self.accuracyMetres = accuracyMetres
        self.kind = kind
    }

    /// The position of the place.
    package var coordinate: Coordinate { Coordinate(latitude: latitude, longitude: longitude) }

    /// The place's address, or its coordinates if no address is known.
    package var called: PlaceDescription { PlaceDescription(words, at: coordinate) }
}

/// The two ends of a ride: origin and destination.
package enum RideEnd: String, CaseIterable, Codable, Hashable, Sendable {
    case from
    case to

    /// The name of the field that carries a part of the device's position as this end.
    func measured(_ part: String) -> String {
        switch self {
        case .from: part
        case .to: "to-\(part)"
        }
    }
}

/// What a passenger has entered so far, before confirming the order (R46).
package struct OrderDraft: Codable, Hashable, Sendable {
    /// The text entered for one end of the ride, and the place found for it.
    package struct Wish: Codable, Hashable, Sendable {
        /// The text as entered.
        package var typed = ""
        /// The place found for the text; nil if none has been found yet.
        package var place: ChosenPlace?

        /// Creates an entry from its text and place.
        package init(typed: String = "", place: ChosenPlace? = nil) {
            self.typed = typed
            self.place = place
        }

        /// The maximum length of the text, in characters.
        package static let limit = 100

        /// Whether a text was entered for which no place has been found yet.
        package var isOpen: Bool { place == nil && !typed.isEmpty }
    }

    /// The visible section of the map on which the passenger chooses a point.
    package struct Window: Codable, Hashable, Sendable {
        /// The latitude of the centre, in units of 1e-7 degrees.
        package var latitude: Int32
        /// The longitude of the centre, in units of 1e-7 degrees.
        package var longitude: Int32
        /// Half the height of the section, in metres.
        package var metres: Int32

        /// Creates a section from its centre and half its height.
        package init(latitude: Int32, longitude: Int32, metres: Int32) {
            self.latitude = latitude
            self.longitude = longitude
            self.metres = metres
        }
    }

    /// The entries for both ends of the ride.
    package var wishes: [RideEnd: Wish] = [:]
    /// The number of passengers.
    package var seats: UInt8 = 1
    /// Whether a passenger travels in a wheelchair.
    package var hasWheelchair = false
    /// The section of the map that the passenger last looked at.
    package var window: Window?
    /// Whether others may join the ride.
    package var isShared = false
    /// The pickup time; nil for now.
    package var later: Later?
    /// The number of the reservation that this order replaces.
    package var changes: UInt64?
    /// The conditions for the trip planner; nil until its form was sent.
    package var travel: Travel?

    /// Creates a draft from its parts.
    package init(
        wishes: [RideEnd: Wish] = [:],
        seats: UInt8 = 1,
        hasWheelchair: Bool = false,
        window: Window? = nil,
        isShared: Bool = false,
        later: Later? = nil,
        changes: UInt64? = nil
    ) {
        self.wishes = wishes
        self.seats = seats
        self.hasWheelchair = hasWheelchair
        self.window = window
        self.isShared = isShared
        self.later = later
        self.changes = changes
    }

    /// The entry for one end of the ride; empty if there is none.
    package subscript(end: RideEnd) -> Wish {
        get { wishes[end] ?? Wish() }
        set { wishes[end] = newValue }
    }

    /// Returns the order that the draft describes.
    ///
    /// - Parameters:
    ///   - passenger: the passenger.
    ///   - isGuest: whether the passenger has no account.
    /// - Returns: nil until the meeting point is known.
    package func order(of passenger: PassengerNumber, isGuest: Bool) -> RideOrder? {
        guard let from = self[.from].place, !self[.to].isOpen else { return nil }
        let to = self[.to].place
        var order = RideOrder(
            passenger,
            from: from.coordinate,
            to: to?.coordinate,
            needs: Capacity(seats: seats, wheelchair: hasWheelchair)
        )
        order.isGuest = isGuest
        order.isShared = isShared && !isGuest
        order.accuracyMetres = from.accuracyMetres
        order.originDescription = from.words
        order.destinationDescription = to?.words
        return order
    }
}

/// Seals the drafts, which the browser stores.
///
/// Places are in no address and in no table before the passenger requests a taxi (R130). Because
/// the draft cannot be forged, the address shown to the driver is always one that the server found.
package typealias OrderSeal = CookieSeal<OrderDraft>

extension CookieSeal<OrderDraft> {
    /// Creates a seal with a key of 32 bytes; a draft is valid for an hour.
    package init(key: [UInt8]) {
        self.init(key: key, lasting: 3_600)
    }
}

extension TaxiPageModule {
    /// The name of the cookie that stores a draft.
    package static var orderCookieName: String { "order" }

    /// The visitor's current draft; nil if there is none.
    package func draft(_ context: RequestContext) -> OrderDraft? {
        context.cookie(Self.orderCookieName).flatMap { orders.open($0, at: context.now) }
    }

    /// The cookie that stores a draft.
    ///
    /// For nil it deletes the stored one.
    package func orderCookie(_ draft: OrderDraft?, _ context: RequestContext) -> Cookie {
        let text = draft.flatMap { orders.seal($0, at: context.now) }
        return Cookie(
            name: Self.orderCookieName,
            value: text ?? "",
            age: text == nil ? 0 : orders.lasting,
            isSecure: hasTLS
        )
    }

    /// The order that the visitor confirmed; nil if it is invalid or too old.
    package func confirmedDraft(_ context: RequestContext) -> OrderDraft? {
        context.form["order"].flatMap { orders.open($0, at: context.now) }
    }

    /// The idempotency key of a confirmed order, which the dispatcher's log contains with its
    /// request; nil if the form has none.
    ///
    /// A server that stops after the command but before it answers leaves the form unanswered; the
    /// key then leads to the request that the form created.
    package static func orderKey(_ context: RequestContext) -> DispatchService.Key? {
        context.formKey.map {
            DispatchService.Key(caller: "order " + $0.caller, key: $0.submission)
        }
    }

    /// The request that an earlier submission of this form created; nil if there is none.
    package func requestMadeBefore(_ context: RequestContext) async throws -> RequestNumber? {
        guard let key = Self.orderKey(context) else { return nil }
        return try await taxi.request(madeUnder: key)
    }
}
