import Chronology
import Localization

@testable import Notify

/// Values used by many tests.
enum Examples {
    static let now = Moment(milliseconds: 1_795_264_605_000)
    static let page = Link("https://taxi.example/page?id=1&b=2") ?? fail()
    static let milan = City(
        name: "Milano",
        zone: ZoneTable(starts: [0], offsets: [3_600])
    )
    static let sender = address("taxi@city.example")
    static let letterhead = DeliveryWorker.Letterhead(
        name: "Taxi Milano",
        city: milan,
        sender: sender,
        settings: page
    )

    static func address(_ text: String) -> MailAddress { MailAddress(text) ?? fail() }

    static func mail(
        to recipient: String,
        name: String = "Anna Bianchi",
        subject: String = "Your taxi is here",
        text: String = "Taxi 12 waits.",
        id: String = "m1",
        settings: Link? = page,
        letter: Letter? = nil
    ) -> MailMessage {
        MailMessage(
            id: id,
            sender: sender,
            senderName: "Milano",
            recipient: address(recipient),
            recipientName: name,
            language: .english,
            letter: letter
                ?? Letter(
                    .english,
                    Text(same: subject),
                    Text(same: "See the ride"),
                    page,
                    Text(same: text)
                ),
            settings: settings,
            date: now
        )
    }

    static let taxi = RideMessage.Taxi(code: "T12", plate: "AB123CD", security: "4821")
    static let trip = ReservationMessage.Trip(
        origin: "Via Dante 7",
        destination: "Stazione Centrale",
        departure: now
    )

    /// One message of each kind.
    static let messages: [Message] = [
        .registration(.confirmRegistration(page: page, until: now)),
        .registration(.confirmReminder(page: page, until: now)),
        .registration(.registrationDeleted),
        .registration(.confirmNewAddress(page: page)),
        .registration(.addressChanging(stop: page)),
        .account(.passwordForgotten(page: page, until: now)),
        .account(.passwordChanged(at: now, recover: page)),
        .account(.passwordOld(days: 61, page: page)),
        .account(.loginCode(code: "493817", until: now)),
        .account(.guestCode(code: "49381726", until: now)),
        .account(.suspended(reason: "three complaints")),
        .account(.applicationConnected(name: "Rides Plus", at: now, page: page)),
        .account(.signInConnected(name: "Example", at: now, page: page)),
        .account(.erased),
        .profile(.invitation(page: page)),
        .profile(.alreadyRegistered(logIn: page)),
        .profile(.confirmNewUserName(name: "anna_b", page: page)),
        .profile(.rolesChanged(roles: ["operator", "driver"])),
        .profile(.resumed(page: page)),
        .driver(.verified(page: page)),
        .driver(.rejected(reason: "the plate is wrong", page: page)),
        .driver(.licenceExpires(last: CivilDate(daysSince1970: 20_870), page: page)),
        .driver(.licenceExpired(last: CivilDate(daysSince1970: 20_870), page: page)),
        .driver(.offer(place: "Via Dante 7", until: now, page: page)),
        .driver(.rideLost(page: page)),
        .driver(.sharingChanged(people: 2, place: "Via Dante 7", page: page)),
        .duty(.ended(reason: "We did not hear from you.", page: page)),
        .duty(.turnRestored(standing: "You are 1st of 2 in Centro.", page: page)),
        .duty(.cameBack(standing: "You are 2nd of 2 in Centro.", page: page)),
        .calendar(
            .departure(CalendarMessage.Departure(for: "Design review", at: now), page: page)
        ),
        .calendar(.unreachable(CalendarMessage.Unreachable("Design review", at: now), page: page)),
        .reservation(.booked(trip, page: page)),
        .reservation(.changed(trip, page: page)),
        .reservation(.cancelled(trip, reason: nil)),
        .reservation(.reminder(trip, page: page)),
        .reservation(.notServed(trip, page: page)),
        .ride(.taxiFound(taxi, minutes: 4, page: page)),
        .ride(.taxiNear(taxi, page: page)),
        .ride(.taxiArrived(taxi, page: page)),
        .ride(.taxiLost(page: page)),
        .ride(.passengerMissed(page: page)),
        .ride(.dropped(page: page)),
        .ride(.sharingChanged(page: page)),
        .ride(
            .receipt(
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
            )
        ),
        .service(.suspended(reason: "snow", until: now)),
        .service(.resumed(page: page)),
        .service(.backupFailed(at: now, reason: "no space left")),
        .service(.webhookShut(application: "Rides", host: "https://a.example", page: page)),
        .service(.testMail(page: page)),
    ]

    private static func fail<Value>() -> Value { preconditionFailure("an example is wrong") }
}
