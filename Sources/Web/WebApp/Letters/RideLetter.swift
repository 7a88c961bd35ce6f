import CalendarPages
import Chronology
import Dispatching
import Drivers
import Fares
import Identity
import Localization
package import Notify
import Storage
import Taxi
import TaxiPages

/// The type of a message to a passenger about a ride.
///
/// The queue stores only this type and the number of the request.
///
/// The text is composed at delivery time, so that the queue contains no code, plate or place (I15)
/// and no outdated message is sent.
enum RideLetter: String, CaseIterable, Hashable, Sendable {
    case found
    case near
    case there
    case lost
    case missed
    case dropped
    case receipt
    case booked
    case reminder
    case notServed
    case cancelled
    case shared

    /// The first byte of a ride message; account messages start with smaller values.
    static let mark: UInt8 = 255

    /// The message that corresponds to a notice; nil if the notice appears on pages only.
    init?(_ notice: Notice) {
        switch notice.kind {
        case .taxiFound: self = .found
        case .taxiThere: self = .there
        case .taxiLost: self = .lost
        case .booked: self = .booked
        case .sharingJoined, .sharingOwner, .sharingLeft: self = .shared
        case .ended, .reservationEnded:
            let isReservation = notice.kind == .reservationEnded
            switch notice.outcome {
            case .completed: self = .receipt
            case .noShow: self = .missed
            // Passengers who cancel need no message.
            case .cancelled, nil: return nil
            // Only reservations end this way (R79).
            case .dropped: self = .notServed
            case .noTaxi, .allRefused, .heldTooLong: self = isReservation ? .notServed : .dropped
            case .withdrawn, .suspended, .outsideCity:
                self = isReservation ? .cancelled : .dropped
            }
        default: return nil
        }
    }

    /// The message kind in the delivery queue.
    var kind: TaxiNotificationKind {
        switch self {
        case .found: .taxiFound
        case .near, .there: .taxiArrived
        case .missed: .passengerMissed
        case .lost, .dropped: .rideDropped
        case .receipt: .receipt
        case .booked: .reservationBooked
        case .reminder: .reservationReminder
        case .notServed: .reservationNotServed
        case .cancelled: .reservationCancelled
        case .shared: .sharingChanged
        }
    }

    /// The encoded message for the queue, with the number of the taxi if the message is about one.
    func bytes(_ request: RequestNumber, _ taxi: TaxiNumber? = nil) -> [UInt8] {
        let numbers = ["\(request.rawValue)"] + [taxi].compactMap { $0.map { "\($0.rawValue)" } }
        return [Self.mark] + Array("\(rawValue) \(numbers.joined(separator: " "))".utf8)
    }

    /// The message that a passenger's taxi is about to arrive, sent once per taxi.
    static func nearness(of taxi: TaxiNumber, to rider: EventAudience.Rider) -> Posting? {
        PostingId("ride.near.\(rider.request.rawValue).\(taxi.rawValue)").map { id in
            Posting(
                id,
                to: "\(PersonNumber(passenger: rider.passenger).rawValue)",
                kind: near.kind,
                sealed: near.bytes(rider.request, taxi)
            )
        }
    }

    /// Queues messages to passengers whose taxi is about to arrive.
    static func writeNearness(
        of taxi: TaxiNumber,
        to riders: [EventAudience.Rider],
        in accounts: Accounts,
        at now: Moment
    ) async {
        // A lost message is not repeated: the page and the next message give more detail.
        try? await accounts.data.write { transaction in
            for rider in riders {
                guard let letter = nearness(of: taxi, to: rider) else { continue }
                try transaction.post(letter, at: now)
            }
        }
    }

    /// Decodes what ``bytes(_:_:)`` encoded; nil for any other message.
    static func read(
        _ bytes: [UInt8]
    ) -> (letter: RideLetter, request: RequestNumber, taxi: TaxiNumber?)? {
        guard bytes.first == mark else { return nil }
        let words = String(decoding: bytes.dropFirst(), as: UTF8.self).split(separator: " ")
        guard (2...3).contains(words.count), let letter = RideLetter(rawValue: String(words[0])),
            let number = UInt64(words[1])
        else { return nil }
        var taxi: TaxiNumber?
        if words.count == 3 {
            guard let code = UInt32(words[2]) else { return nil }
            taxi = TaxiNumber(rawValue: code)
        }
        return (letter, RequestNumber(rawValue: number), taxi)
    }
}

/// Composes the text of ride messages at delivery time.
package struct RideLetters: Sendable {
    let installation: Installation
    let home: Link

    /// Creates the message composer of an installation.
    ///
    /// - Parameters:
    ///   - installation: the installation that holds the rides.
    ///   - home: the address of the start page.
    package init(_ installation: Installation, home: Link) {
        self.installation = installation
        self.home = home
    }

    /// What determines the recipient and text of a product's messages, by their first byte.
    var decoders: [UInt8: AccountMessages.MessageDecoder] {
        [
            RideLetter.mark: resolve, DriverLetter.mark: resolveDriver,
            DepartureReminder.mark: resolveDeparture, UnreachableNotice.mark: resolveUnreachable,
        ]
    }

    /// Determines the recipient and text of a message; `erased` if the message no longer applies.
    ///
    /// - Throws: if the message cannot be composed now; delivery is retried later.
    func resolve(_ message: SealedMessage) async throws -> Resolution {
        guard let (letter, request, about) = RideLetter.read(message.sealed),
            let number = Int64(message.person),
            let recipient = try await recipient(PersonNumber(rawValue: number)),
            let words = try await words(
                letter,
                request,
                about,
                for: PersonNumber(rawValue: number),
                in: recipient.language,
                at: installation.clock.now()
            )
        else { return .erased }
        return .found(recipient, words)
    }

    private func recipient(_ person: PersonNumber) async throws -> Recipient? {
        let accounts = installation.accounts
        do {
            return Recipient(try await accounts.profile(of: person))
        } catch AccountFailure.noSuchPerson {
            return try await accounts.contact(ofGuest: person).map { Recipient($0) }
        }
    }

    private func words(
        _ letter: RideLetter,
        _ request: RequestNumber,
        _ about: TaxiNumber?,
        for person: PersonNumber,
        in language: Language,
        at now: Moment
    ) async throws -> (any Message)? {
        switch letter {
        case .booked, .reminder, .notServed, .cancelled:
            try await reservation(letter, request, for: person, in: language)
        case .found, .near, .there, .lost, .missed, .dropped, .receipt, .shared:
            try await ride(letter, request, about, for: person, at: now)
        }
    }

    private func ride(
        _ letter: RideLetter,
        _ request: RequestNumber,
        _ about: TaxiNumber? = nil,
        for person: PersonNumber,
        at now: Moment
    ) async throws -> RideMessage? {
        let page = home.page(["ride", "\(request.rawValue)"]) ?? home
        switch letter {
        case .booked, .reminder, .notServed, .cancelled: return nil
        case .shared:
            guard let view = try await installation.taxi.view(request, for: person.passenger)
            else { return nil }
            // Passengers who join after a taxi was assigned receive its details (R87).
            if view.ride != request, case .coming = RideState(view) {
                return try await ride(.found, request, for: person, at: now)
            }
            return .sharingChanged(page: page)
        case .found, .near, .there:
            guard let view = try await installation.taxi.view(request, for: person.passenger),
                // If another taxi has been assigned since, a separate message announces it.
                about == nil || view.taxiNumber == about,
                let face = try await installation.taxi.face(view, in: installation.accounts)
            else { return nil }
            let taxi = RideMessage.Taxi(
                code: face.code,
                plate: face.plate ?? "",
                look: face.look,
                security: view.code
            )
            switch RideState(view) {
            case .coming(let arrival) where letter == .found:
                return .taxiFound(taxi, minutes: Self.minutes(arrival, at: now), page: page)
            case .coming where letter == .near: return .taxiNear(taxi, page: page)
            case .here where letter == .there: return .taxiArrived(taxi, page: page)
            default: return nil
            }
        case .lost:
            // If another taxi has been assigned or the search has ended since, a separate message
            // reports that.
            let view = try await installation.taxi.view(request, for: person.passenger)
            return view?.hasLostTaxi == true ? .taxiLost(page: page) : nil
        case .missed: return .passengerMissed(page: page)
        case .dropped: return .dropped(page: home)
        case .receipt: return try await receipt(request, for: person)
        }
    }

    private static func minutes(_ arrival: RideView.Arrival, at now: Moment) -> Int? {
        guard case .at(let moment) = arrival else { return nil }
        return Int(wholeMinutes((moment.milliseconds - now.milliseconds) / 1_000))
    }

    private func receipt(
        _ request: RequestNumber,
        for person: PersonNumber
    ) async throws -> RideMessage? {
        guard
            let ended = try await installation.taxi.ended(request, for: person.passenger),
            let end = ended.record.ended
        else { return nil }
        let number = "\(request.rawValue)"
        let code = ended.record.taxiCode ?? ""
        var signs: TaxiSigns?
        if let taxi = PersonNumber(dispatcherCode: code) {
            signs = try await installation.accounts.drivers.signs(of: taxi)
        }
        let taxi = RideMessage.Taxi(
            code: signs?.code ?? code,
            plate: signs?.plate ?? "",
            look: signs?.look ?? VehicleLook(),
            security: nil
        )
        let price = ended.fare.map { Amount($0.share) }
        return .receipt(
            RideMessage.Receipt(
                number: number,
                origin: ended.meeting?.text ?? "",
                destination: ended.destination?.text,
                began: ended.record.boarded ?? ended.record.asked,
                ended: end,
                price: price,
                parts: ended.fare.map { Self.parts(of: $0.fare) } ?? [],
                taxi: taxi,
                page: home.page(["receipt", number]) ?? home
            )
        )
    }
}

extension RideLetters {
    /// The parts of a fare, for the letter with the receipt.
    private static func parts(of fare: Fare) -> [RideMessage.Receipt.Part] {
        fare.lines.map { line in
            let reason: RideMessage.Receipt.Reason =
                switch line.kind {
                case .initialDay, .initialNight, .initialHoliday: .initialCharge
                case .travelled: .travelled
                case .minimum: .minimum
                case .surcharge(let name, let count): .surcharge(name, count: count)
                case .fixed(let from, let to): .fixed(from, to)
                }
            return RideMessage.Receipt.Part(reason, Amount(Money(line.amount, fare.currency)))
        }
    }
}

extension Recipient {
    /// Creates the recipient for an account, with the person's preferences.
    ///
    /// An address, language or name given for the message takes precedence.
    init(
        _ profile: Profile,
        name: String? = nil,
        language: Language? = nil,
        mail: String? = nil
    ) {
        let wishes = profile.preferences
        self.init(
            name: name ?? profile.name,
            language: language ?? profile.language,
            mail: MailAddress(mail ?? profile.email),
            phone: PhoneNumber(profile.phone),
            allowed: wishes.channels.carried,
            choices: wishes.choices.mapValues(\.carried),
            quiet: wishes.quiet.flatMap { QuietHours(begin: $0.from, end: $0.until) }
        )
    }

    /// Creates the recipient for a guest, who is reached at a verified address or number.
    init(_ contact: GuestContact) {
        self.init(
            name: "",
            language: Language(rawValue: contact.language) ?? .usual,
            mail: contact.proof == .email ? MailAddress(contact.text) : nil,
            phone: contact.proof == .phone ? PhoneNumber(contact.text) : nil
        )
    }
}
