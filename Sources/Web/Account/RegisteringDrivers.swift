import Accounts
import HTTPTypes
import Markup
import Words

extension Site {
    /// The form by which drivers register themselves (R95, SB2).
    func driverRegistrationPage(_ visit: Visit, _ failure: AccountFailure? = nil) -> Page {
        let papers: [Field] = [
            .account(.taxiCode, visit, failure),
            .account(.plate, visit, failure),
            .account(.taxiLicence, visit, failure),
            .account(.taxiLicenceExpires, visit, failure, kind: .date),
            .account(.drivingLicence, visit, failure),
            .account(.drivingLicenceExpires, visit, failure, kind: .date),
        ]
        var form = FormPage(
            action: Address("/register/driver"),
            fields: registrationFields(visit, failure, needsPhone: true) + papers,
            button: RegistrationWords.button,
            busy: RegistrationWords.busy
        )
        form.problem = failure?.words
        form.extra = consent(visit, failure)
        return formPage(DriverWords.title, lead: DriverWords.lead, form, visit)
    }

    /// Registers a driver, who confirms by mail and waits for an administrator.
    func registerDriver(_ visit: Visit) async throws -> Reply {
        let papers = DriverPapers(
            taxiCode: visit.form["taxi_code"] ?? "",
            plate: visit.form["plate"] ?? "",
            taxiLicence: visit.form["taxi_licence"] ?? "",
            taxiLicenceExpires: visit.form["taxi_licence_expires"] ?? "",
            drivingLicence: visit.form["driving_licence"] ?? "",
            drivingLicenceExpires: visit.form["driving_licence_expires"] ?? ""
        )
        do {
            try await accounts.registerDriver(
                registration(visit),
                papers,
                from: ClientAddress(visit.address),
                at: visit.now
            )
        } catch let failure as AccountFailure {
            return try refused(driverRegistrationPage(visit, failure), failure, visit)
        }
        return reply(message(RegistrationWords.lookAtMail, DriverWords.sent, visit), to: visit)
    }
}

enum DriverWords {
    static let title = Text("Register as a taxi driver", "Registrati come tassista")
    static let lead = Text(
        "Have your licences at hand. The city looks at them before your first ride.",
        "Tieni a portata di mano le licenze. La città le controlla prima della prima corsa."
    )
    static let sent = Text(
        "We have sent you a link. Open it within 7 days. Then the city looks at your licences and "
            + "writes to you.",
        "Ti abbiamo inviato un link. Aprilo entro 7 giorni. Poi la città controlla le tue licenze "
            + "e ti scrive."
    )
}
