import Drivers
import HTTPTypes
import Identity
import Localization
import Markup
import TaxiPages
import WebCore

extension RegisterPages {
    /// The papers as entered in a form.
    func typedPapers(_ visit: Visit) -> DriverPapers {
        DriverPapers(
            taxiCode: visit.form["taxi_code"] ?? "",
            plate: visit.form["plate"] ?? "",
            taxiLicence: visit.form["taxi_licence"] ?? "",
            taxiLicenceExpires: visit.form["taxi_licence_expires"] ?? "",
            drivingLicence: visit.form["driving_licence"] ?? "",
            drivingLicenceExpires: visit.form["driving_licence_expires"] ?? "",
            seats: visit.form["seats"] ?? "",
            wheelchair: visit.form["wheelchair"] ?? ""
        )
    }

    /// The fields for the taxi and licences, filled with the stored values.
    func paperFields(
        _ papers: DriverPapers?,
        _ visit: Visit,
        _ failure: AccountFailure?
    ) -> [Field] {
        func field(_ name: FormField, _ value: String?, _ kind: Field.Kind = .text) -> Field {
            .account(name, visit, failure, kind: kind, value: value)
        }
        let choices = [
            (value: "no", label: DriverFormTexts.no), (value: "yes", label: DriverFormTexts.yes),
        ]
        return [
            field(.taxiCode, papers?.taxiCode),
            field(.plate, papers?.plate),
            field(.seats, papers?.seats ?? "4", .number),
            field(.wheelchair, papers?.wheelchair ?? "no", .choice(choices)),
            field(.taxiLicence, papers?.taxiLicence),
            field(.taxiLicenceExpires, papers?.taxiLicenceExpires, .date),
            field(.drivingLicence, papers?.drivingLicence),
            field(.drivingLicenceExpires, papers?.drivingLicenceExpires, .date),
        ]
    }

    private var languageChoice: Field.Kind {
        .choice(Language.allCases.map { (value: $0.rawValue, label: Text(same: $0.ownName)) })
    }

    /// The form with which the city registers a driver (R1).
    func driverEntryPage(_ visit: Visit, _ failure: AccountFailure? = nil) -> Page {
        let person: [Field] = [
            .account(.name, visit, failure),
            .account(.surname, visit, failure),
            .account(.phone, visit, failure, kind: .telephone),
            .account(.email, visit, failure, kind: .email),
            .account(
                .language,
                visit,
                failure,
                kind: languageChoice,
                value: Language.italian.rawValue
            ),
        ]
        var form = FormPage(
            action: Address("/console/drivers/new"),
            fields: person + paperFields(nil, visit, failure),
            button: DriverFormTexts.enter,
            busy: CommonTexts.busy
        )
        form.problem = failure?.words
        form.extra = inviteBox(isOn: visit.method == .get || visit.form["invite"] == "yes", visit)
        var page = formPage(DriverListTexts.enter, lead: DriverFormTexts.enterLead, form, visit)
        page.body += "<p><a href=\"/console/drivers\">\(visit.say(DriverPageTexts.back))</a></p>"
        return page
    }

    /// The checkbox that sends e-mail invitations to new entries.
    func inviteBox(isOn: Bool, _ visit: Visit) -> HTML {
        """
        <div class="choice">
        <input type="checkbox" id="field-invite" name="invite" value="yes"\
        \(HTML.when(isOn, " checked"))>
        <label for="field-invite">\(visit.say(DriverFormTexts.invite))</label></div>
        """
    }

    /// The page that explains why the city cannot register drivers: the policy requires
    /// self-registration (C13).
    func noEntryPage(_ visit: Visit) -> Page {
        var page = Page(
            DriverFormTexts.noEntry,
            body: """
                <h1>\(visit.say(DriverFormTexts.noEntry))</h1>
                <p class="lead">\(visit.say(DriverFormTexts.noEntryLead))</p>
                <p class="actions"><a class="button" href="/register/driver">\
                \(visit.say(CommonTexts.becomeDriver))</a></p>
                <p><a href="/console/policy">\(visit.say(DriverFormTexts.rule))</a></p>
                <p><a href="/console/drivers">\(visit.say(DriverPageTexts.back))</a></p>
                """
        )
        page.status = .conflict
        return page
    }

    /// Registers a driver, who is thereby verified.
    func enterDriver(_ visit: Visit, _ signedIn: SignedIn) async throws -> Reply {
        let entry = DriverEntry(
            email: visit.form["email"] ?? "",
            name: visit.form["name"] ?? "",
            surname: visit.form["surname"] ?? "",
            mobile: visit.form["phone"] ?? "",
            language: visit.form["language"] ?? "",
            papers: typedPapers(visit)
        )
        let rules = try await accountRules()
        guard try await mayEnterDrivers() else { return reply(noEntryPage(visit), to: visit) }
        do {
            try await rules.drivers.check(entry, at: visit.now)
            try await backup(before: "entering a driver", visit)
            let person = try await rules.drivers.enter(
                entry,
                invites: visit.form["invite"] == "yes",
                by: signedIn.session,
                at: visit.now
            )
            await tellDispatcher(visit)
            return .redirect(to: driverAddress(person, notice: "entered"))
        } catch let failure as AccountFailure {
            return try refused(driverEntryPage(visit, failure), failure, visit)
        }
    }

    /// A link back to the driver's page.
    func backToDriver(_ driver: Driver, _ visit: Visit) -> HTML {
        """
        <p><a href=\(driverAddress(driver.person))>\
        \(visit.say(DriverFormTexts.back("\(driver.name) \(driver.surname)")))</a></p>
        """
    }
}
