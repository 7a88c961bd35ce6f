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

    static let kinds = NotificationKinds([
        AccountNotificationKind.self, ParcelKind.self, ServiceNotificationKind.self,
    ])

    /// One message of each kind that Notify itself has.
    static let messages: [any Message] = [
        RegistrationMessage.confirmRegistration(page: page, until: now),
        RegistrationMessage.confirmReminder(page: page, until: now),
        RegistrationMessage.registrationDeleted,
        RegistrationMessage.confirmNewAddress(page: page),
        RegistrationMessage.addressChanging(stop: page),
        AccountMessage.passwordForgotten(page: page, until: now),
        AccountMessage.passwordChanged(at: now, recover: page),
        AccountMessage.passwordOld(days: 61, page: page),
        AccountMessage.loginCode(code: "493817", until: now),
        AccountMessage.guestCode(code: "49381726", until: now),
        AccountMessage.suspended(reason: "three complaints"),
        AccountMessage.applicationConnected(name: "Rides Plus", at: now, page: page),
        AccountMessage.signInConnected(name: "Example", at: now, page: page),
        AccountMessage.erased,
        ProfileMessage.invitation(page: page),
        ProfileMessage.alreadyRegistered(logIn: page),
        ProfileMessage.confirmNewUserName(name: "anna_b", page: page),
        ProfileMessage.rolesChanged(roles: ["operator", "driver"]),
        ProfileMessage.resumed(page: page),
        ServiceMessage.suspended(reason: "snow", until: now),
        ServiceMessage.resumed(page: page),
        ServiceMessage.backupFailed(at: now, reason: "no space left"),
        ServiceMessage.webhookShut(application: "Rides", host: "https://a.example", page: page),
        ServiceMessage.testMail(page: page),
    ]

    private static func fail<Value>() -> Value { preconditionFailure("an example is wrong") }
}
