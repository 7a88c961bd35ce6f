package import Chronology
import Crypto
package import Dispatching
import Encoding
package import Fares
import Foundation
package import Geo
package import Taxi
package import WebCore

/// A place that a passenger has chosen, as a draft keeps it.
package struct ChosenPlace: Codable, Hashable, Sendable {
    /// Degrees north, in units of 1e-7.
    package var latitude: Int32
    /// Degrees east, in units of 1e-7.
    package var longitude: Int32
    /// Its address; nil where none is known.
    package var words: String?
    /// How exact it is, in metres, where a phone's position was taken (R45).
    package var accuracyMetres: Double?

    /// The longest words that are kept, in characters.
    private static let wordsLimit = 120

    package init(_ place: Coordinate, words: String?, accuracyMetres: Double? = nil) {
        latitude = place.latitude
        longitude = place.longitude
        self.words = words.map { String($0.prefix(Self.wordsLimit)) }
        self.accuracyMetres = accuracyMetres
    }

    package var coordinate: Coordinate { Coordinate(latitude: latitude, longitude: longitude) }

    /// What it is called.
    package var called: PlaceWords { PlaceWords(words, at: coordinate) }
}

/// The two ends of a ride.
package enum RideEnd: String, CaseIterable, Codable, Hashable, Sendable {
    case from
    case to
}

/// What a passenger has filled in so far, before he confirms (R46).
package struct OrderDraft: Codable, Hashable, Sendable {
    /// What was typed for one end, and what it was found to be.
    package struct Wish: Codable, Hashable, Sendable {
        package var typed = ""
        package var place: ChosenPlace?

        /// A value of these parts.
        package init(typed: String = "", place: ChosenPlace? = nil) {
            self.typed = typed
            self.place = place
        }

        /// The longest text that is kept, in characters.
        package static let limit = 100

        /// Whether something was typed of which it is not known yet what it is.
        package var isOpen: Bool { place == nil && !typed.isEmpty }
    }

    /// A part of the map that is looked at, to show a point on it.
    package struct Window: Codable, Hashable, Sendable {
        package var latitude: Int32
        package var longitude: Int32
        /// Half its height, in metres.
        package var metres: Int32

        /// A value of these parts.
        package init(latitude: Int32, longitude: Int32, metres: Int32) {
            self.latitude = latitude
            self.longitude = longitude
            self.metres = metres
        }
    }

    package var wishes: [RideEnd: Wish] = [:]
    package var seats: UInt8 = 1
    package var hasWheelchair = false
    package var window: Window?
    /// Whether others may ride along.
    package var isShared = false
    /// When the taxi is wanted; nil for now.
    package var later: Later?
    /// The reservation that this one is to be put in the place of.
    package var changes: UInt64?

    /// A value of these parts.
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

    package subscript(end: RideEnd) -> Wish {
        get { wishes[end] ?? Wish() }
        set { wishes[end] = newValue }
    }

    /// What the passenger asks for.
    ///
    /// - Parameters:
    ///   - passenger: who asks.
    ///   - isGuest: whether he has no account.
    /// - Returns: nil while the meeting point is not known.
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
        order.originWords = from.words
        order.destinationWords = to?.words
        return order
    }
}

/// Seals drafts, so that a browser carries them and neither reads nor forges them.
///
/// Places stand in no address and in no table before somebody asks for a taxi (R130), and the
/// words that a driver will be shown are those that were found, not what anybody likes.
package struct OrderSeal: Sendable {
    /// How long a draft is good, in seconds.
    package static let lasting: Int64 = 3_600
    /// No draft is longer once it is sealed; browsers keep cookies of 4,096 bytes.
    package static let limit = 3_800

    private struct Envelope: Codable {
        var draft: OrderDraft
        var until: Int64
    }

    private let key: SymmetricKey

    /// A seal with a key of 32 bytes.
    package init(key: [UInt8]) {
        self.key = SymmetricKey(data: key)
    }

    /// The draft as letters, digits, `-` and `_`; nil where it is too long for a cookie.
    package func seal(_ draft: OrderDraft, at now: Moment) -> String? {
        let until = now.adding(seconds: Self.lasting).milliseconds
        guard let bytes = try? JSONEncoder().encode(Envelope(draft: draft, until: until)),
            let box = try? ChaChaPoly.seal(bytes, using: key)
        else { return nil }
        let text = Base64.encodedForURL(Array(box.combined))
        return text.utf8.count <= Self.limit ? text : nil
    }

    /// The draft that was sealed; nil for anything else, and for one that is too old.
    package func open(_ text: String, at now: Moment) -> OrderDraft? {
        guard text.utf8.count <= Self.limit, let data = Base64.decoded(text),
            let box = try? ChaChaPoly.SealedBox(combined: data),
            let bytes = try? ChaChaPoly.open(box, using: key),
            let envelope = try? JSONDecoder().decode(Envelope.self, from: bytes),
            now.milliseconds < envelope.until
        else { return nil }
        return envelope.draft
    }
}

extension TaxiPageModule {
    /// The name of the cookie that carries a draft.
    package static var orderCookieName: String { "order" }

    /// What the visitor has filled in so far.
    package func draft(_ visit: Visit) -> OrderDraft? {
        visit.cookie(Self.orderCookieName).flatMap { orders.open($0, at: visit.now) }
    }

    /// The cookie that carries a draft; nil takes it away.
    package func orderCookie(_ draft: OrderDraft?, _ visit: Visit) -> Cookie {
        let text = draft.flatMap { orders.seal($0, at: visit.now) }
        return Cookie(
            name: Self.orderCookieName,
            value: text ?? "",
            age: text == nil ? 0 : OrderSeal.lasting,
            isSecure: hasTLS
        )
    }
}
