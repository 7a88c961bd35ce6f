import Chronology
import Dispatching
import Fares
import Identity
import Localization
import Notify
import Taxi
import TaxiPages
import Zones

/// The type of a message to a driver who does not have the page open.
///
/// The queue stores only this type and the number of the request or taxi.
///
/// As with ``RideLetter``, the text is composed at delivery time; messages that no longer apply are
/// dropped.
enum DriverLetter: String, CaseIterable, Hashable, Sendable {
    case offer
    case rideLost
    case sharing
    case suspended
    case resumed
    case turnRestored
    case cameBack
    case offDutyIgnored
    case offDutySilent
    case offDutyLicence
    case offDutyOperator
    case offDutyReplaced

    /// The first byte of a driver message; no other message type starts with it.
    static let mark: UInt8 = 254

    /// The message that corresponds to a notice to a driver or to everyone; nil if the notice
    /// appears on pages only.
    init?(_ notice: Notice) {
        switch (notice.recipient, notice.kind) {
        case (.driver, .offer): self = .offer
        case (.driver, .rideCancelled): self = .rideLost
        case (.driver, .sharingJoined), (.driver, .sharingLeft): self = .sharing
        case (.everybody, .suspended): self = .suspended
        case (.everybody, .resumed): self = .resumed
        case (.driver, .turnRestored): self = .turnRestored
        // Other queue positions change too often for a message outside the page (R27).
        case (.driver, .queued) where notice.queued == .enteredCity: self = .cameBack
        case (.driver, .offDuty):
            // Drivers who go off duty themselves need no message.
            guard let cause = notice.offDuty,
                let letter = Self.allCases.first(where: { $0.offDuty == cause })
            else { return nil }
            self = letter
        default: return nil
        }
    }

    /// The reason why the driver was taken off duty; nil if the notice is about something else.
    fileprivate var offDuty: OffDutyCause? {
        switch self {
        case .offDutyIgnored: .ignoredOffers
        case .offDutySilent: .outOfContact
        case .offDutyLicence: .licence
        case .offDutyOperator: .dispatcher
        case .offDutyReplaced: .replaced
        default: nil
        }
    }

    /// The message kind in the delivery queue.
    var kind: any NotificationKind {
        switch self {
        case .offer, .rideLost: TaxiNotificationKind.offer
        case .sharing: TaxiNotificationKind.sharingChanged
        case .suspended: ServiceNotificationKind.serviceSuspended
        case .resumed: ServiceNotificationKind.serviceResumed
        case .turnRestored, .cameBack, .offDutyIgnored, .offDutySilent, .offDutyLicence,
            .offDutyOperator, .offDutyReplaced:
            TaxiNotificationKind.dutyChanged
        }
    }

    /// Creates the queue entry for a message to a driver.
    ///
    /// The entry's key is derived from an item of the dispatcher's outbox.
    ///
    /// - Parameters:
    ///   - item: the outbox item's id.
    ///   - person: the driver.
    ///   - number: the number of the request or of the driver's taxi.
    /// - Returns: nil if the id cannot be used as a key.
    func posting(_ item: String, to person: PersonNumber, about number: UInt64) -> Posting? {
        PostingId("drive.\(item).\(person.rawValue)").map { id in
            Posting(
                id,
                to: "\(person.rawValue)",
                kind: kind,
                sealed: [Self.mark] + Array("\(rawValue) \(number)".utf8)
            )
        }
    }

    /// Decodes what ``posting(_:to:about:)`` encoded; nil for any other message.
    static func read(_ bytes: [UInt8]) -> (letter: DriverLetter, number: UInt64)? {
        guard bytes.first == mark else { return nil }
        let words = String(decoding: bytes.dropFirst(), as: UTF8.self).split(separator: " ")
        guard words.count == 2, let letter = DriverLetter(rawValue: String(words[0])),
            let number = UInt64(words[1])
        else { return nil }
        return (letter, number)
    }
}

extension RideLetters {
    /// Determines the recipient and text of a message to a driver; `erased` if the message no
    /// longer applies.
    ///
    /// - Throws: if the message cannot be composed now; delivery is retried later.
    func resolveDriver(_ message: SealedMessage) async throws -> Resolution {
        guard let (letter, number) = DriverLetter.read(message.sealed),
            let person = Int64(message.person).map(PersonNumber.init)
        else { return .erased }
        let profile: Profile
        do {
            profile = try await installation.accounts.profile(of: person)
        } catch AccountFailure.noSuchPerson {
            return .erased
        }
        guard let words = try await words(letter, number, for: profile) else { return .erased }
        return .found(Recipient(profile), words)
    }

    private func words(
        _ letter: DriverLetter,
        _ number: UInt64,
        for profile: Profile
    ) async throws -> (any Message)? {
        let page = home.page(["drive"]) ?? home
        let taxi = installation.taxi
        let request = RequestNumber(rawValue: number)
        switch letter {
        case .offer: return try await offer(request, for: profile.number, page)
        // The page shows the current queue position.
        case .rideLost: return DriverMessage.rideLost(page: page)
        case .sharing: return try await sharing(request, for: profile.number, page)
        case .suspended:
            guard let line = try await taxi.dispatch.read({ $0.suspension }) else { return nil }
            let notice = SuspensionNotice(line: line)
            let reason = notice.reason(in: profile.language).text
            return ServiceMessage.suspended(reason: reason, until: notice.until)
        case .resumed:
            guard try await taxi.dispatch.read({ $0.suspension }) == nil else { return nil }
            return ServiceMessage.resumed(page: page)
        case .turnRestored, .cameBack, .offDutyIgnored, .offDutySilent, .offDutyLicence,
            .offDutyOperator, .offDutyReplaced:
            return try await duty(letter, number, for: profile, page)
        }
    }

    /// The message that the driver was taken off duty, if that is still the case, or the current
    /// queue position, if there is one.
    private func duty(
        _ letter: DriverLetter,
        _ number: UInt64,
        for profile: Profile,
        _ page: Link
    ) async throws -> DutyMessage? {
        let taxi = installation.taxi
        let own = TaxiNumber(rawValue: UInt32(clamping: number))
        // The log receives an operator's reason before it is available in memory.
        await taxi.settled()
        guard try await taxi.shift(of: own) == profile.number.rawValue,
            let code = try await taxi.dispatch.read({ $0.taxi(own)?.code }),
            let view = try await taxi.driver(own, code: code)
        else { return nil }
        if let cause = letter.offDuty {
            guard !view.taxi.isOnDuty else { return nil }
            // An operator's reason is kept in memory only and is lost on restart, as on the page.
            var stated = ""
            if case .offDuty(let last, let reason) = view.news.last?.what {
                guard last == cause else { return nil }
                stated = reason
            }
            return cause.text(view.policy, stated).map {
                .ended(reason: $0.in(profile.language), page: page)
            }
        }
        guard view.ahead != nil else { return nil }
        let standing = DriveStanding(view).sentence.in(profile.language)
        return letter == .turnRestored
            ? .turnRestored(standing: standing, page: page)
            : .cameBack(standing: standing, page: page)
    }

    /// The number of passengers who now share the ride, while they wait for the driver; an offer
    /// already includes it.
    private func sharing(
        _ request: RequestNumber,
        for person: PersonNumber,
        _ page: Link
    ) async throws -> (any Message)? {
        let taxi = installation.taxi
        let riding = try await taxi.dispatch.read { $0.request(request)?.ride }
        guard let riding, riding.stage != .aboard,
            try await taxi.shift(of: riding.taxi) == person.rawValue,
            let shown = try await taxi.ride(of: riding.taxi), shown.request == request
        else { return nil }
        return DriverMessage.sharingChanged(
            people: Int(shown.needs.seats),
            place: shown.meeting?.words.text ?? "",
            page: page
        )
    }

    /// The offer, if it is still open and the driver who received it still has the taxi.
    private func offer(
        _ request: RequestNumber,
        for person: PersonNumber,
        _ page: Link
    ) async throws -> (any Message)? {
        let taxi = installation.taxi
        let asked = try await taxi.dispatch.read { $0.request(request)?.offer?.taxi }
        guard let asked, try await taxi.shift(of: asked) == person.rawValue,
            let offer = try await taxi.offer(to: asked), offer.request == request
        else { return nil }
        let zones = taxi.zonesInForce?.zones ?? []
        let zone = Int(offer.zone.rawValue)
        // A notification must not reveal what the page hides until the driver accepts (R58).
        let place = offer.meeting?.words.text ?? (zone < zones.count ? zones[zone].name : "")
        return DriverMessage.offer(place: place, until: offer.deadline, page: page)
    }
}
