import Chronology
import Crypto
import Dispatching
import Encoding
import Fares
import Foundation
import Geo
import Taxi
import WebCore

/// A place that a passenger has chosen, as a draft keeps it.
struct ChosenPlace: Codable, Hashable, Sendable {
    /// Degrees north, in units of 1e-7.
    var latitude: Int32
    /// Degrees east, in units of 1e-7.
    var longitude: Int32
    /// Its address; nil where none is known.
    var words: String?
    /// How exact it is, in metres, where a phone's position was taken (R45).
    var accuracyMetres: Double?

    /// The longest words that are kept, in characters.
    private static let wordsLimit = 120

    init(_ place: Coordinate, words: String?, accuracyMetres: Double? = nil) {
        latitude = place.latitude
        longitude = place.longitude
        self.words = words.map { String($0.prefix(Self.wordsLimit)) }
        self.accuracyMetres = accuracyMetres
    }

    var coordinate: Coordinate { Coordinate(latitude: latitude, longitude: longitude) }

    /// What it is called.
    var called: PlaceWords { PlaceWords(words, at: coordinate) }
}

/// The two ends of a ride.
enum RideEnd: String, CaseIterable, Codable, Hashable, Sendable {
    case from
    case to
}

/// What a passenger has filled in so far, before he confirms (R46).
struct OrderDraft: Codable, Hashable, Sendable {
    /// What was typed for one end, and what it was found to be.
    struct Wish: Codable, Hashable, Sendable {
        var typed = ""
        var place: ChosenPlace?

        /// The longest text that is kept, in characters.
        static let limit = 100

        /// Whether something was typed of which it is not known yet what it is.
        var isOpen: Bool { place == nil && !typed.isEmpty }
    }

    /// A part of the map that is looked at, to show a point on it.
    struct Window: Codable, Hashable, Sendable {
        var latitude: Int32
        var longitude: Int32
        /// Half its height, in metres.
        var metres: Int32
    }

    var wishes: [RideEnd: Wish] = [:]
    var seats: UInt8 = 1
    var hasWheelchair = false
    var window: Window?
    /// Whether others may ride along.
    var isShared = false
    /// When the taxi is wanted; nil for now.
    var later: Later?
    /// The reservation that this one is to be put in the place of.
    var changes: UInt64?

    subscript(end: RideEnd) -> Wish {
        get { wishes[end] ?? Wish() }
        set { wishes[end] = newValue }
    }

    /// What the passenger asks for.
    ///
    /// - Parameters:
    ///   - passenger: who asks.
    ///   - isGuest: whether he has no account.
    /// - Returns: nil while the meeting point is not known.
    func order(of passenger: PassengerNumber, isGuest: Bool) -> RideOrder? {
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
struct OrderSeal: Sendable {
    /// How long a draft is good, in seconds.
    static let lasting: Int64 = 3_600
    /// No draft is longer once it is sealed; browsers keep cookies of 4,096 bytes.
    static let limit = 3_800

    private struct Envelope: Codable {
        var draft: OrderDraft
        var until: Int64
    }

    private let key: SymmetricKey

    /// A seal with a key of 32 bytes.
    init(key: [UInt8]) {
        self.key = SymmetricKey(data: key)
    }

    /// The draft as letters, digits, `-` and `_`; nil where it is too long for a cookie.
    func seal(_ draft: OrderDraft, at now: Moment) -> String? {
        let until = now.adding(seconds: Self.lasting).milliseconds
        guard let bytes = try? JSONEncoder().encode(Envelope(draft: draft, until: until)),
            let box = try? ChaChaPoly.seal(bytes, using: key)
        else { return nil }
        let text = Base64.encodedForURL(Array(box.combined))
        return text.utf8.count <= Self.limit ? text : nil
    }

    /// The draft that was sealed; nil for anything else, and for one that is too old.
    func open(_ text: String, at now: Moment) -> OrderDraft? {
        guard text.utf8.count <= Self.limit, let data = Base64.decoded(text),
            let box = try? ChaChaPoly.SealedBox(combined: data),
            let bytes = try? ChaChaPoly.open(box, using: key),
            let envelope = try? JSONDecoder().decode(Envelope.self, from: bytes),
            now.milliseconds < envelope.until
        else { return nil }
        return envelope.draft
    }
}

extension Site {
    /// The name of the cookie that carries a draft.
    static let orderCookieName = "order"

    /// What the visitor has filled in so far.
    func draft(_ visit: Visit) -> OrderDraft? {
        visit.cookie(Self.orderCookieName).flatMap { orders.open($0, at: visit.now) }
    }

    /// The cookie that carries a draft; nil takes it away.
    func orderCookie(_ draft: OrderDraft?, _ visit: Visit) -> Cookie {
        let text = draft.flatMap { orders.seal($0, at: visit.now) }
        return Cookie(
            name: Self.orderCookieName,
            value: text ?? "",
            age: text == nil ? 0 : OrderSeal.lasting,
            isSecure: hasTLS
        )
    }
}
