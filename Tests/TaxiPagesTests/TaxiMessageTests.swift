import Chronology
import Drivers
import Localization
import Testing

@testable import Notify
@testable import TaxiPages

/// issue 4, Notify: "each message a template in English and Italian"; ui.md 4.1, "Answer first".
@Suite("Messages to passengers and drivers")
struct TaxiMessageTests {
    private static let now = Moment(milliseconds: 1_795_264_605_000)
    private static let page = Link("https://taxi.example/page?id=1&b=2") ?? fail()
    private static let milan = City(
        name: "Milano",
        zone: ZoneTable(starts: [0], offsets: [3_600])
    )
    private static let taxi = RideMessage.Taxi(code: "T12", plate: "AB123CD", security: "4821")
    private static let described = RideMessage.Taxi(
        code: "T12",
        plate: "AB123CD",
        look: VehicleLook(
            make: String(repeating: "M", count: VehicleLook.makeLimit),
            colour: .silver
        ),
        security: "4821"
    )
    private static let trip = ReservationMessage.Trip(
        origin: "Via Dante 7",
        destination: "Stazione Centrale",
        departure: now
    )

    private static func fail<Value>() -> Value { preconditionFailure("an example is wrong") }

    /// One message of each kind.
    private static let messages: [any Message] = [
        DriverMessage.verified(page: page),
        DriverMessage.rejected(reason: "the plate is wrong", page: page),
        DriverMessage.licenceExpires(last: CivilDate(daysSince1970: 20_870), page: page),
        DriverMessage.licenceExpired(last: CivilDate(daysSince1970: 20_870), page: page),
        DriverMessage.offer(place: "Via Dante 7", until: now, page: page),
        DriverMessage.rideLost(page: page),
        DriverMessage.sharingChanged(people: 2, place: "Via Dante 7", page: page),
        DutyMessage.ended(reason: "We did not hear from you.", page: page),
        DutyMessage.turnRestored(standing: "You are 1st of 2 in Centro.", page: page),
        DutyMessage.cameBack(standing: "You are 2nd of 2 in Centro.", page: page),
        ReservationMessage.booked(trip, page: page),
        ReservationMessage.changed(trip, page: page),
        ReservationMessage.cancelled(trip, reason: nil),
        ReservationMessage.reminder(trip, page: page),
        ReservationMessage.notServed(trip, page: page),
        RideMessage.taxiFound(described, minutes: 4, page: page),
        RideMessage.taxiNear(taxi, page: page),
        RideMessage.taxiArrived(taxi, page: page),
        RideMessage.taxiLost(page: page),
        RideMessage.passengerMissed(page: page),
        RideMessage.dropped(page: page),
        RideMessage.sharingChanged(page: page),
        RideMessage.receipt(
            RideMessage.Receipt(
                number: "2026-17",
                origin: "Via Dante 7",
                destination: "Stazione Centrale",
                began: now,
                ended: now.adding(seconds: 900),
                price: Amount(minorUnits: 1_250, currency: "EUR"),
                parts: [
                    .init(.initialCharge, Amount(minorUnits: 430, currency: "EUR")),
                    .init(.travelled, Amount(minorUnits: 820, currency: "EUR")),
                ],
                taxi: taxi,
                page: page
            )
        ),
    ]

    @Test("there is an example of every kind")
    func complete() {
        let kinds = Self.messages.compactMap { $0.kind as? TaxiNotificationKind }
        #expect(kinds.count == Self.messages.count)
        #expect(Set(kinds) == Set(TaxiNotificationKind.allCases))
    }

    @Test("each is short and plain in both languages", arguments: Language.allCases)
    func plain(language: Language) {
        var subjects: Set<String> = []
        for message in Self.messages {
            let letter = message.letter(in: language, from: Self.milan)
            let texts = [letter.subject, letter.short] + letter.paragraphs
            #expect(texts.allSatisfy { !$0.isEmpty && !$0.contains("Optional") })
            #expect(letter.subject.count <= 78, "\(message.kind)")
            // With the city's name it fits into one SMS, except for the link.
            #expect("Milano: \(letter.short)".count <= 160, "\(message.kind)")
            #expect(!letter.paragraphs.isEmpty)
            #expect(texts.joined().contains("!") == false, "ui.md 4.1: no exclamation marks")
            #expect(subjects.insert(letter.subject).inserted, "\(message.kind)")
        }
    }

    @Test("no text is the same in both languages")
    func translated() {
        for message in Self.messages {
            let english = message.letter(in: .english, from: Self.milan)
            let italian = message.letter(in: .italian, from: Self.milan)
            #expect(english.subject != italian.subject)
            #expect(zip(english.paragraphs, italian.paragraphs).allSatisfy { $0 != $1 })
            #expect(english.paragraphs.count == italian.paragraphs.count)
            #expect((english.action == nil) == (italian.action == nil))
            #expect(english.action?.link == italian.action?.link)
        }
    }

    @Test("times are the city's, in words")
    func times() {
        let letter = { (language: Language) in
            ReservationMessage.booked(Self.trip, page: Self.page)
                .letter(in: language, from: Self.milan).subject
        }
        #expect(letter(.english) == "Taxi reserved for Saturday 21 November 2026 at 13:36")
        #expect(letter(.italian) == "Taxi prenotato per sabato 21 novembre 2026 alle 13:36")
    }

    @Test("a time that no calendar has does not trap", arguments: [Int64.min, .max, 0, -1])
    func farTimes(milliseconds: Int64) {
        let moment = Moment(milliseconds: milliseconds)
        let day = CivilDate(daysSince1970: Int32(truncatingIfNeeded: milliseconds >> 32))
        let messages = [
            DriverMessage.licenceExpired(last: day, page: Self.page),
            .offer(place: "", until: moment, page: Self.page),
        ]
        for message in messages {
            #expect(!message.letter(in: .italian, from: Self.milan).subject.isEmpty)
        }
    }

    @Test("the answer stands in the first line")
    func answers() {
        let short = { (message: RideMessage, language: Language) in
            message.letter(in: language, from: Self.milan).short
        }
        let found = RideMessage.taxiFound(Self.taxi, minutes: 4, page: Self.page)
        #expect(
            short(found, .english) == "Taxi T12, plate AB123CD, in about 4 min. Code 4821."
        )
        #expect(
            short(found, .italian) == "Taxi T12, targa AB123CD, tra circa 4 min. Codice 4821."
        )
        let prius = RideMessage.Taxi(
            code: "T12",
            plate: "AB123CD",
            look: VehicleLook(make: "Toyota Prius", colour: .white),
            security: "4821"
        )
        let described = RideMessage.taxiFound(prius, minutes: 4, page: Self.page)
        #expect(
            short(described, .english)
                == "Taxi T12, plate AB123CD, in about 4 min. Car: white Toyota Prius. Code 4821."
        )
        #expect(
            short(described, .italian)
                == "Taxi T12, targa AB123CD, tra circa 4 min. Auto: Toyota Prius bianca. "
                + "Codice 4821."
        )
        let bare = RideMessage.Taxi(code: "T12", plate: "AB123CD", security: nil)
        #expect(
            short(.taxiArrived(bare, page: Self.page), .english)
                == "Your taxi is here: T12, plate AB123CD."
        )
    }

    @Test(
        "what is known of a taxi's look is said, and nothing else",
        arguments: [
            (VehicleLook(make: "Fiat Tipo", colour: .red), "red Fiat Tipo", "Fiat Tipo rossa"),
            (VehicleLook(make: "Fiat Tipo"), "Fiat Tipo", "Fiat Tipo"),
            (VehicleLook(colour: .silver), "silver car", "auto color argento"),
            (VehicleLook(), nil, nil),
        ] as [(VehicleLook, String?, String?)]
    )
    func looks(look: VehicleLook, english: String?, italian: String?) {
        #expect(look.text?.in(.english) == english)
        #expect(look.text?.in(.italian) == italian)
    }

    @Test("each colour has a word of its own in both languages", arguments: Language.allCases)
    func colours(language: Language) {
        let words = VehicleColour.allCases.map { $0.text.in(language) }
        #expect(Set(words).count == words.count)
        let choices = VehicleColour.choices.map { $0.label.in(language) }
        #expect(choices.count == words.count + 1)
        #expect(choices.allSatisfy { $0.first?.isUppercase == true })
    }

    @Test("a receipt lists the parts of the price, and last what is paid")
    func receipt() throws {
        let receipt = try #require(
            Self.messages.first { $0.kind as? TaxiNotificationKind == .receipt }
        )
        let letter = receipt.letter(in: .english, from: Self.milan)
        #expect(letter.facts.map(\.value) == ["€4.30", "€8.20", "€12.50"])
        #expect(
            letter.facts.map(\.label) == ["Initial charge", "Time and distance", "You pay"]
        )
        let italian = receipt.letter(in: .italian, from: Self.milan).facts.map(\.label)
        #expect(zip(italian, letter.facts.map(\.label)).allSatisfy { $0 != $1 })
    }

    @Test("an offer goes to browsers only; changed duty goes to them or by mail")
    func channels() {
        let anna = Recipient(name: "Anna", language: .english, mail: nil)
        func channels(_ kind: TaxiNotificationKind, _ carried: Set<Channel>) -> [Channel] {
            anna.channels(for: kind, among: carried)
        }
        #expect(channels(.taxiFound, [.mail, .sms, .push]) == [.push])
        #expect(channels(.taxiFound, [.mail, .sms]) == [.sms])
        #expect(channels(.taxiFound, [.mail]) == [.mail])
        #expect(channels(.offer, [.mail, .sms]).isEmpty)
        #expect(channels(.dutyChanged, [.mail, .sms, .push]) == [.push])
        #expect(channels(.dutyChanged, [.mail, .sms]) == [.mail])
        #expect(channels(.receipt, [.mail, .sms, .push]) == [.mail])
        #expect(channels(.receipt, []).isEmpty)
        // Nobody can refuse what the law depends on.
        let refusing = Recipient(
            name: "Anna",
            language: .english,
            mail: nil,
            allowed: [.sms],
            choices: ["licence-expires": []]
        )
        let licence = TaxiNotificationKind.licenceExpires
        #expect(refusing.channels(for: licence, among: [.mail, .sms]) == [.mail])
    }
}
