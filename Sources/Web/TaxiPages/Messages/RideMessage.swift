package import Chronology
package import Drivers
package import Localization
package import Notify

/// Messages to a passenger about a requested taxi, kept short for a telephone screen.
package enum RideMessage: Message {
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
    package struct Taxi: Sendable, Equatable {
        /// The code assigned by the city, which is painted on the vehicle.
        package let code: String
        package let plate: String
        /// Make and colour, as far as they are known.
        package let look: VehicleLook
        /// The code that driver and passenger compare at boarding (R59); nil if the
        /// policy uses none.
        package let security: String?

        package init(
            code: String,
            plate: String,
            look: VehicleLook = VehicleLook(),
            security: String?
        ) {
            self.code = code
            self.plate = plate
            self.look = look
            self.security = security
        }
    }

    /// The receipt of a ride.
    package struct Receipt: Sendable, Equatable {
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
        /// The parts of the price; empty if unknown.
        package let parts: [Part]
        package let taxi: Taxi
        /// The web page of the receipt.
        package let page: Link

        /// A part of the price.
        package struct Part: Sendable, Equatable {
            package let reason: Reason
            package let amount: Amount

            package init(_ reason: Reason, _ amount: Amount) {
                self.reason = reason
                self.amount = amount
            }
        }

        /// What a part of the price is for.
        package enum Reason: Sendable, Equatable {
            case initialCharge
            case travelled
            case minimum
            /// A surcharge with its number of occurrences.
            case surcharge(String, count: Int64)
            /// A fixed fare between two places.
            case fixed(String, String)
        }

        package init(
            number: String,
            origin: String,
            destination: String?,
            began: Moment,
            ended: Moment,
            price: Amount?,
            parts: [Part] = [],
            taxi: Taxi,
            page: Link
        ) {
            self.number = number
            self.origin = origin
            self.destination = destination
            self.began = began
            self.ended = ended
            self.price = price
            self.parts = parts
            self.taxi = taxi
            self.page = page
        }
    }

    /// The kind of the message.
    package var kind: any NotificationKind {
        switch self {
        case .taxiFound: TaxiNotificationKind.taxiFound
        case .taxiNear, .taxiArrived: TaxiNotificationKind.taxiArrived
        case .passengerMissed: TaxiNotificationKind.passengerMissed
        case .taxiLost, .dropped: TaxiNotificationKind.rideDropped
        case .sharingChanged: TaxiNotificationKind.sharingChanged
        case .receipt: TaxiNotificationKind.receipt
        }
    }

    /// The message in a language.
    package func letter(in language: Language, from city: City) -> Letter {
        switch self {
        case .taxiFound(let taxi, let minutes, let page):
            Letter(
                language,
                minutes.map { RideMessageTexts.taxiFoundSubject($0) }
                    ?? RideMessageTexts.taxiFoundSubjectUnknown,
                short: Self.joined(
                    minutes.map {
                        RideMessageTexts.taxiFoundShort(taxi.code, taxi.plate, $0)
                    } ?? RideMessageTexts.taxiFoundShortUnknown(taxi.code, taxi.plate),
                    taxi.vehicle,
                    taxi.security.map(RideMessageTexts.codeShort)
                ),
                RideMessageTexts.taxiFoundAction,
                page,
                Self.joined(
                    RideMessageTexts.taxiFoundText(taxi.code, taxi.plate),
                    taxi.vehicle,
                    taxi.security.map(RideMessageTexts.codeText)
                )
            )
        case .taxiNear(let taxi, let page):
            Letter(
                language,
                RideMessageTexts.taxiNearSubject,
                short: Self.joined(
                    RideMessageTexts.taxiNearShort(taxi.code, taxi.plate),
                    taxi.vehicle
                ),
                RideMessageTexts.taxiNearAction,
                page,
                Self.joined(
                    RideMessageTexts.taxiNearText(taxi.code, taxi.plate),
                    taxi.vehicle
                )
            )
        case .taxiArrived(let taxi, let page):
            Letter(
                language,
                RideMessageTexts.taxiArrivedSubject,
                short: Self.joined(
                    RideMessageTexts.taxiArrivedShort(taxi.code, taxi.plate),
                    taxi.vehicle,
                    taxi.security.map(RideMessageTexts.codeShort)
                ),
                RideMessageTexts.taxiArrivedAction,
                page,
                Self.joined(
                    RideMessageTexts.taxiArrivedText(taxi.code, taxi.plate),
                    taxi.vehicle,
                    taxi.security.map(RideMessageTexts.codeText)
                )
            )
        case .taxiLost(let page), .passengerMissed(let page), .dropped(let page):
            letterWithoutTaxi(page, in: language)
        case .sharingChanged(let page):
            Letter(
                language,
                RideMessageTexts.sharingChangedSubject,
                RideMessageTexts.sharingChangedAction,
                page,
                RideMessageTexts.sharingChangedText
            )
        case .receipt(let receipt): receipt.letter(in: language, from: city)
        }
    }

    /// The letter for the cases in which no taxi comes.
    private func letterWithoutTaxi(_ page: Link, in language: Language) -> Letter {
        switch self {
        case .taxiLost:
            Letter(
                language,
                RideMessageTexts.taxiLostSubject,
                RideMessageTexts.taxiLostAction,
                page,
                RideMessageTexts.taxiLostText
            )
        case .passengerMissed:
            Letter(
                language,
                RideMessageTexts.passengerMissedSubject,
                RideMessageTexts.passengerMissedAction,
                page,
                RideMessageTexts.passengerMissedText
            )
        default:
            Letter(
                language,
                RideMessageTexts.droppedSubject,
                RideMessageTexts.droppedAction,
                page,
                RideMessageTexts.droppedText
            )
        }
    }

    /// A sentence, followed by the further ones that apply: the look of the taxi, and the code of
    /// boarding where the policy uses one.
    fileprivate static func joined(_ sentence: Text, _ further: Text?...) -> Text {
        Text(joining: [sentence] + further.compactMap(\.self), separator: " ")
    }
}

extension RideMessage.Taxi {
    /// What the taxi looks like, in a sentence; nil if that is not known.
    fileprivate var vehicle: Text? { look.text.map(RideMessageTexts.vehicle) }
}

extension RideMessage.Receipt {
    fileprivate func letter(in language: Language, from city: City) -> Letter {
        Letter(
            language,
            price.map { RideMessageTexts.receiptSubject($0) }
                ?? RideMessageTexts.receiptSubjectUnknown,
            RideMessageTexts.receiptAction,
            page,
            destination.map {
                RideMessageTexts.receiptText(number, origin, $0)
            } ?? RideMessageTexts.receiptTextUnknown(number, origin),
            RideMessage.joined(
                RideMessageTexts.receiptRide(
                    city.local(began),
                    city.local(ended),
                    taxi.code,
                    taxi.plate
                ),
                taxi.vehicle
            )
        ).stating(facts(in: language))
    }

    /// The parts of the price, and at the end what this passenger pays.
    private func facts(in language: Language) -> [Letter.Fact] {
        guard let price else { return [] }
        let facts = parts.map { part in
            Letter.Fact(
                label: part.reason.text.in(language),
                value: part.amount.written(in: language)
            )
        }
        let total = RideMessageTexts.total.in(language)
        return facts + [Letter.Fact(label: total, value: price.written(in: language))]
    }
}

extension RideMessage.Receipt.Reason {
    fileprivate var text: Text {
        switch self {
        case .initialCharge: RideMessageTexts.initialCharge
        case .travelled: RideMessageTexts.travelled
        case .minimum: RideMessageTexts.minimum
        case .surcharge(let name, let count): Text(same: "\(name) × \(count)")
        case .fixed(let from, let to): RideMessageTexts.fixed(from, to)
        }
    }
}
