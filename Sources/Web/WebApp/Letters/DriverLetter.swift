import TaxiPages
import Chronology
import Dispatching
import Fares
import Identity
import Localization
import Notify
import Taxi
import Zones

/// What a driver is told who is not looking at his page, as it waits in the queue: what it is about
/// and which request or taxi, nothing else.
///
/// As with ``RideLetter``, what there is to say is read when it is sent; what is no longer so is
/// not sent.
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

    /// The byte before such a letter; no other message begins with it.
    static let mark: UInt8 = 254

    /// The letter that a notice to a driver, or to everybody, calls for; nil for what is told on
    /// pages only.
    init?(_ notice: Notice) {
        switch (notice.recipient, notice.kind) {
        case (.driver, .offer): self = .offer
        case (.driver, .rideCancelled): self = .rideLost
        case (.driver, .sharingJoined), (.driver, .sharingLeft): self = .sharing
        case (.everybody, .suspended): self = .suspended
        case (.everybody, .resumed): self = .resumed
        case (.driver, .turnRestored): self = .turnRestored
        // Other places in queues come too often to be told to who does not look (R27).
        case (.driver, .queued) where notice.queued == .enteredCity: self = .cameBack
        case (.driver, .offDuty):
            // Who goes by himself knows it.
            guard let cause = notice.offDuty,
                let letter = Self.allCases.first(where: { $0.offDuty == cause })
            else { return nil }
            self = letter
        default: return nil
        }
    }

    /// Why he was taken off duty; nil where it is about something else.
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

    /// The kind of the queue.
    var kind: Kind {
        switch self {
        case .offer, .rideLost: .offer
        case .sharing: .sharingChanged
        case .suspended: .serviceSuspended
        case .resumed: .serviceResumed
        case .turnRestored, .cameBack, .offDutyIgnored, .offDutySilent, .offDutyLicence,
            .offDutyOperator, .offDutyReplaced:
            .dutyChanged
        }
    }

    /// The letter to a driver, under a name that is made of an item of the dispatcher's outbox.
    ///
    /// - Parameters:
    ///   - item: the item's id.
    ///   - person: the driver.
    ///   - number: the number of the request that it is about, or of his taxi.
    /// - Returns: nil where the name is none.
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

    /// What ``posting(_:to:about:)`` sealed; nil for anything else.
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
    /// Finds whom a letter to a driver is for and what it says; `erased` where there is nothing to
    /// tell any more.
    ///
    /// - Throws: where it cannot be told now; it is tried again later.
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
    ) async throws -> Message? {
        let page = home.page(["drive"]) ?? home
        let taxi = installation.taxi
        let request = RequestNumber(rawValue: number)
        switch letter {
        case .offer: return try await offer(request, for: profile.number, page)
        // Where he stands now is on the page.
        case .rideLost: return .driver(.rideLost(page: page))
        case .sharing: return try await sharing(request, for: profile.number, page)
        case .suspended:
            guard let line = try await taxi.dispatch.read({ $0.suspension }) else { return nil }
            let notice = SuspensionNotice(line: line)
            let reason = notice.reason(in: profile.language).text
            return .service(.suspended(reason: reason, until: notice.until))
        case .resumed:
            guard try await taxi.dispatch.read({ $0.suspension }) == nil else { return nil }
            return .service(.resumed(page: page))
        case .turnRestored, .cameBack, .offDutyIgnored, .offDutySilent, .offDutyLicence,
            .offDutyOperator, .offDutyReplaced:
            return try await duty(letter, number, for: profile, page).map { .duty($0) }
        }
    }

    /// That he was taken off duty, as long as he is; his place in the queue, as long as he has one.
    private func duty(
        _ letter: DriverLetter,
        _ number: UInt64,
        for profile: Profile,
        _ page: Link
    ) async throws -> DutyMessage? {
        let taxi = installation.taxi
        let own = TaxiNumber(rawValue: UInt32(clamping: number))
        // The words of an operator are in the log before they are remembered.
        await taxi.settled()
        guard try await taxi.shift(of: own) == profile.number.rawValue,
            let code = try await taxi.dispatch.read({ $0.taxi(own)?.code }),
            let view = try await taxi.driver(own, code: code)
        else { return nil }
        if let cause = letter.offDuty {
            guard !view.taxi.isOnDuty else { return nil }
            // What an operator stated is a memory that ends with the server, as on his page.
            var stated = ""
            if case .offDuty(let last, let reason) = view.news.last?.what {
                guard last == cause else { return nil }
                stated = reason
            }
            return cause.words(view.policy, stated).map {
                .ended(reason: $0.in(profile.language), page: page)
            }
        }
        guard view.ahead != nil else { return nil }
        let standing = DriveStanding(view).sentence.in(profile.language)
        return letter == .turnRestored
            ? .turnRestored(standing: standing, page: page)
            : .cameBack(standing: standing, page: page)
    }

    /// How many ride now, as long as they wait for who drives them; an offer tells it by itself.
    private func sharing(
        _ request: RequestNumber,
        for person: PersonNumber,
        _ page: Link
    ) async throws -> Message? {
        let taxi = installation.taxi
        let riding = try await taxi.dispatch.read { $0.request(request)?.ride }
        guard let riding, riding.stage != .aboard,
            try await taxi.shift(of: riding.taxi) == person.rawValue,
            let shown = try await taxi.ride(of: riding.taxi), shown.request == request
        else { return nil }
        return .driver(
            .sharingChanged(
                people: Int(shown.needs.seats),
                place: shown.meeting?.words.text ?? "",
                page: page
            )
        )
    }

    /// The offer as long as it is open, and whoever was asked still has the taxi.
    private func offer(
        _ request: RequestNumber,
        for person: PersonNumber,
        _ page: Link
    ) async throws -> Message? {
        let taxi = installation.taxi
        let asked = try await taxi.dispatch.read { $0.request(request)?.offer?.taxi }
        guard let asked, try await taxi.shift(of: asked) == person.rawValue,
            let offer = try await taxi.offer(to: asked), offer.request == request
        else { return nil }
        let zones = taxi.zonesInForce?.zones ?? []
        let zone = Int(offer.zone.rawValue)
        // What is hidden until he accepts is not in a notice either (R58).
        let place = offer.meeting?.words.text ?? (zone < zones.count ? zones[zone].name : "")
        return .driver(.offer(place: place, until: offer.deadline, page: page))
    }
}
