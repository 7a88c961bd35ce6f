import Drivers
import HTTPTypes
import Identity
import Localization
import Markup
import TaxiPages
import WebCore

extension RegisterPages {
    /// The papers as entered in a form.
    func typedPapers(_ context: RequestContext) -> DriverPapers {
        DriverPapers(
            taxiCode: context.form["taxi_code"] ?? "",
            plate: context.form["plate"] ?? "",
            taxiLicence: context.form["taxi_licence"] ?? "",
            taxiLicenceExpires: context.form["taxi_licence_expires"] ?? "",
            drivingLicence: context.form["driving_licence"] ?? "",
            drivingLicenceExpires: context.form["driving_licence_expires"] ?? "",
            seats: context.form["seats"] ?? "",
            wheelchair: context.form["wheelchair"] ?? "",
            make: context.form["make"] ?? "",
            colour: context.form["colour"] ?? ""
        )
    }

    /// The fields for the taxi and licences, filled with the stored values.
    func paperFields(
        _ papers: DriverPapers?,
        _ context: RequestContext,
        _ failure: AccountFailure?
    ) -> [Field] {
        func field(
            _ name: FormField,
            _ value: String?,
            _ kind: Field.Kind = .text,
            isRequired: Bool = true
        ) -> Field {
            .account(name, context, failure, kind: kind, isRequired: isRequired, value: value)
        }
        let choices = [
            (value: "no", label: DriverFormTexts.no), (value: "yes", label: DriverFormTexts.yes),
        ]
        return [
            field(.taxiCode, papers?.taxiCode),
            field(.plate, papers?.plate),
            field(.make, papers?.make, isRequired: false),
            field(.colour, papers?.colour, .choice(VehicleColour.choices), isRequired: false),
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
    func driverEntryPage(_ context: RequestContext, _ failure: AccountFailure? = nil) -> Page {
        let person: [Field] = [
            .account(.name, context, failure),
            .account(.surname, context, failure),
            .account(.phone, context, failure, kind: .telephone),
            .account(.email, context, failure, kind: .email),
            .account(
                .language,
                context,
                failure,
                kind: languageChoice,
                value: Language.italian.rawValue
            ),
        ]
        var form = FormPage(
            action: Address("/console/drivers/new"),
            fields: person + paperFields(nil, context, failure),
            button: DriverFormTexts.enter,
            busy: CommonTexts.busy
        )
        form.problem = failure?.text
        form.extra = inviteBox(
            isOn: context.form["invite"] == "yes"
                || context.method == .get && !context.isShownAgain,
            context
        )
        let lead = DriverFormTexts.enterLead
        var page = formPage(DriverListTexts.enter, icon: .car, lead: lead, form, context)
        page.body += """
            <div class="below"><p><a href="/console/drivers">\
            \(context.say(DriverPageTexts.back))</a></p></div>
            """
        return page
    }

    /// The checkbox that sends e-mail invitations to new entries.
    func inviteBox(isOn: Bool, _ context: RequestContext) -> HTML {
        """
        <div class="choice">
        <input type="checkbox" id="field-invite" name="invite" value="yes"\
        \(HTML.when(isOn, " checked"))>
        <label for="field-invite">\(context.say(DriverFormTexts.invite))</label></div>
        """
    }

    /// The page that explains why the city cannot register drivers: the policy requires
    /// self-registration (C13).
    func noEntryPage(_ context: RequestContext) -> Page {
        let register = Button.Target.link(Address("/register/driver"))
        let dialog = Dialog(
            DriverFormTexts.noEntry,
            icon: .rules,
            text: "\(context.say(DriverFormTexts.noEntryLead))",
            actions: Button(CommonTexts.becomeDriver, register).html(context)
        )
        var page = Page(
            DriverFormTexts.noEntry,
            body: """
                \(dialog.html(context))
                <div class="below">
                <p><a href="/console/policy">\(context.say(DriverFormTexts.rule))</a></p>
                <p><a href="/console/drivers">\(context.say(DriverPageTexts.back))</a></p></div>
                """
        )
        page.status = .conflict
        return page
    }

    /// Registers a driver, who is thereby verified.
    func enterDriver(_ context: RequestContext, _ signedIn: SignedIn) async throws -> Response {
        let entry = DriverEntry(
            email: context.form["email"] ?? "",
            name: context.form["name"] ?? "",
            surname: context.form["surname"] ?? "",
            mobile: context.form["phone"] ?? "",
            language: context.form["language"] ?? "",
            papers: typedPapers(context)
        )
        let rules = try await accountRules()
        guard try await mayEnterDrivers() else {
            return response(noEntryPage(context), to: context)
        }
        do {
            try await rules.drivers.check(entry, at: context.now)
            try await backup(before: "entering a driver", context)
            let person = try await rules.drivers.enter(
                entry,
                invites: context.form["invite"] == "yes",
                by: signedIn.session,
                at: context.now
            )
            await tellDispatcher(context)
            return .redirect(to: driverAddress(person, notice: "entered"))
        } catch let failure as AccountFailure {
            return try refused(driverEntryPage(context, failure), failure, context)
        }
    }

    /// A link back to the driver's page.
    func backToDriver(_ driver: Driver, _ context: RequestContext) -> HTML {
        """
        <p><a href=\(driverAddress(driver.person))>\
        \(context.say(DriverFormTexts.back("\(driver.name) \(driver.surname)")))</a></p>
        """
    }
}

extension InputField {
    /// Whether new people get an invitation.
    static let invite = set("invite", .flag("yes"), "Whether the people get an invitation.")
}

extension [InputField] {
    /// What the taxi offers.
    static let vehicle: [InputField] = [
        .typed("seats", .number(1...9), "The number of seats for passengers."),
        .set("wheelchair", .choice(["yes", "no"]), "Whether a wheelchair fits.").explained,
    ]
}
