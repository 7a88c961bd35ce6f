package import Chronology
import Localization

/// Messages to a passenger about a requested taxi, kept short for a telephone screen.
package enum RideMessage: Sendable, Equatable, Codable {
    /// A driver has accepted (R58); `minutes` is nil if the arrival time is unknown (F14).
    case taxiFound(Taxi, minutes: Int?, page: Link)
    /// The taxi is about to arrive; replaced by the notice that it has arrived, of the same kind.
    case taxiNear(Taxi, page: Link)
    /// The taxi is at the pickup point.
    case taxiArrived(Taxi, page: Link)
    /// The assigned taxi cannot come, and another one is being found.
    case taxiLost(page: Link)
    /// The driver waited and did not find the passenger (R64).
    case passengerMissed(page: Link)
    /// No taxi will come: none was found, or the assigned one could not continue (R54, R55).
    case dropped(page: Link)
    /// A passenger joined or left a shared ride, or its owner changed (R87).
    case sharingChanged(page: Link)
    /// The receipt after a ride.
    case receipt(Receipt)

    /// The marks by which a passenger recognises the right taxi.
    package struct Taxi: Sendable, Equatable, Codable {
        /// The code assigned by the city, which is painted on the vehicle.
        package let code: String
        package let plate: String
        /// The code that driver and passenger compare at boarding (R59); nil if the
        /// policy uses none.
        package let security: String?

        package init(code: String, plate: String, security: String?) {
            self.code = code
            self.plate = plate
            self.security = security
        }
    }

    /// The receipt of a ride.
    package struct Receipt: Sendable, Equatable, Codable {
        /// The number of the receipt.
        package let number: String
        /// The origin in readable form.
        package let origin: String
        /// The destination; nil if the passenger gave none.
        package let destination: String?
        /// When the passenger boarded.
        package let began: Moment
        /// When the ride ended.
        package let ended: Moment
        /// The price; nil if unknown to the service.
        package let price: Amount?
        package let taxi: Taxi
        /// The web page of the receipt.
        package let page: Link

        package init(
            number: String,
            origin: String,
            destination: String?,
            began: Moment,
            ended: Moment,
            price: Amount?,
            taxi: Taxi,
            page: Link
        ) {
            self.number = number
            self.origin = origin
            self.destination = destination
            self.began = began
            self.ended = ended
            self.price = price
            self.taxi = taxi
            self.page = page
        }
    }

    var kind: Kind {
        switch self {
        case .taxiFound: .taxiFound
        case .taxiNear, .taxiArrived: .taxiArrived
        case .passengerMissed: .passengerMissed
        case .taxiLost, .dropped: .rideDropped
        case .sharingChanged: .sharingChanged
        case .receipt: .receipt
        }
    }

    func letter(_ time: WrittenTime) -> Letter {
        time.language.pick(english, italian)(time)
    }

    private func english(_ time: WrittenTime) -> Letter {
        switch self {
        case .taxiFound(let taxi, let minutes, let page):
            Letter(
                minutes.map { "Your taxi comes in about \($0) min" } ?? "Your taxi is coming",
                short: "Taxi \(taxi.code), plate \(taxi.plate)"
                    + (minutes.map { ", in about \($0) min." } ?? ", is coming.")
                    + Self.security(taxi, " Code "),
                "Follow the taxi",
                page,
                "Taxi \(taxi.code), plate \(taxi.plate)." + Self.security(taxi, " Your code is ")
            )
        case .taxiNear(let taxi, let page):
            Letter(
                "Your taxi arrives in a moment",
                short: "Your taxi arrives in a moment: \(taxi.code), plate \(taxi.plate).",
                "Follow the taxi",
                page,
                "Taxi \(taxi.code), plate \(taxi.plate), is about to reach the meeting point."
            )
        case .taxiArrived(let taxi, let page):
            Letter(
                "Your taxi is here",
                short: "Your taxi is here: \(taxi.code), plate \(taxi.plate)."
                    + Self.security(taxi, " Code "),
                "See the ride",
                page,
                "Taxi \(taxi.code), plate \(taxi.plate), waits at the meeting point."
                    + Self.security(taxi, " Your code is ")
            )
        case .taxiLost(let page), .passengerMissed(let page), .dropped(let page):
            englishWithoutTaxi(page)
        case .sharingChanged(let page):
            Letter(
                "Your shared ride has changed",
                "See the ride",
                page,
                "Somebody has joined the ride or left it. Meeting point and time stand on its page."
            )
        case .receipt(let receipt):
            Letter(
                receipt.price.map { "Your ride: \($0.written(in: .english))" }
                    ?? "Your ride is over",
                "See the receipt",
                receipt.page,
                "Receipt \(receipt.number): from \(receipt.origin)"
                    + (receipt.destination.map { " to \($0)." } ?? "."),
                "From \(time.moment(receipt.began)) to \(time.clock(receipt.ended)), with taxi "
                    + "\(receipt.taxi.code), plate \(receipt.taxi.plate)."
            )
        }
    }

    private func italian(_ time: WrittenTime) -> Letter {
        switch self {
        case .taxiFound(let taxi, let minutes, let page):
            Letter(
                minutes.map { "Il tuo taxi arriva tra circa \($0) min" }
                    ?? "Il tuo taxi sta arrivando",
                short: "Taxi \(taxi.code), targa \(taxi.plate)"
                    + (minutes.map { ", tra circa \($0) min." } ?? ", sta arrivando.")
                    + Self.security(taxi, " Codice "),
                "Segui il taxi",
                page,
                "Taxi \(taxi.code), targa \(taxi.plate)." + Self.security(taxi, " Il codice è ")
            )
        case .taxiNear(let taxi, let page):
            Letter(
                "Il tuo taxi sta per arrivare",
                short: "Il tuo taxi sta per arrivare: \(taxi.code), targa \(taxi.plate).",
                "Segui il taxi",
                page,
                "Il taxi \(taxi.code), targa \(taxi.plate), sta per raggiungere il punto "
                    + "d'incontro."
            )
        case .taxiArrived(let taxi, let page):
            Letter(
                "Il tuo taxi è arrivato",
                short: "Il tuo taxi è arrivato: \(taxi.code), targa \(taxi.plate)."
                    + Self.security(taxi, " Codice "),
                "Vedi la corsa",
                page,
                "Il taxi \(taxi.code), targa \(taxi.plate), ti aspetta al punto d'incontro."
                    + Self.security(taxi, " Il codice è ")
            )
        case .taxiLost(let page), .passengerMissed(let page), .dropped(let page):
            italianWithoutTaxi(page)
        case .sharingChanged(let page):
            Letter(
                "La tua corsa condivisa è cambiata",
                "Vedi la corsa",
                page,
                "Qualcuno si è unito alla corsa o l'ha lasciata. Punto d'incontro e ora sono sulla "
                    + "sua pagina."
            )
        case .receipt(let receipt):
            Letter(
                receipt.price.map { "La tua corsa: \($0.written(in: .italian))" }
                    ?? "La tua corsa è finita",
                "Vedi la ricevuta",
                receipt.page,
                "Ricevuta \(receipt.number): da \(receipt.origin)"
                    + (receipt.destination.map { " a \($0)." } ?? "."),
                "Da \(time.moment(receipt.began)) alle \(time.clock(receipt.ended)), con il taxi "
                    + "\(receipt.taxi.code), targa \(receipt.taxi.plate)."
            )
        }
    }

    /// The letter for the cases in which no taxi comes.
    private func englishWithoutTaxi(_ page: Link) -> Letter {
        switch self {
        case .taxiLost:
            Letter(
                "Your taxi cannot come",
                "Follow the search",
                page,
                "We are looking for another one. Your request keeps its place."
            )
        case .passengerMissed:
            Letter(
                "The taxi left without you",
                "Request another taxi",
                page,
                "The driver was at the meeting point and did not find you."
            )
        default:
            Letter(
                "No taxi comes for your request",
                "Request again",
                page,
                "We are sorry: there is no taxi for you now. The request is closed."
            )
        }
    }

    private func italianWithoutTaxi(_ page: Link) -> Letter {
        switch self {
        case .taxiLost:
            Letter(
                "Il tuo taxi non può venire",
                "Segui la ricerca",
                page,
                "Ne cerchiamo un altro. La tua richiesta conserva il suo posto."
            )
        case .passengerMissed:
            Letter(
                "Il taxi è ripartito senza di te",
                "Chiedi un altro taxi",
                page,
                "Il tassista era al punto d'incontro e non ti ha trovato."
            )
        default:
            Letter(
                "Nessun taxi per la tua richiesta",
                "Chiedi di nuovo",
                page,
                "Ci dispiace: adesso non c'è un taxi per te. La richiesta è chiusa."
            )
        }
    }

    private static func security(_ taxi: Taxi, _ words: String) -> String {
        taxi.security.map { words + $0 + "." } ?? ""
    }
}
