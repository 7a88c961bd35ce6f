import Drivers
import HTTPTypes
import Identity
import Markup
import TaxiPages
import WebCore

extension AccountPages {
    /// The form on which drivers register themselves (R95, SB2).
    func driverRegistrationPage(
        _ rules: AccountRules,
        _ context: RequestContext,
        _ failure: AccountFailure? = nil
    ) -> Page {
        let papers: [Field] = [
            .account(.taxiCode, context, failure),
            .account(.plate, context, failure),
            .account(.make, context, failure, isRequired: false),
            .account(
                .colour,
                context,
                failure,
                kind: .choice(VehicleColour.choices),
                isRequired: false
            ),
            .account(.taxiLicence, context, failure),
            .account(.taxiLicenceExpires, context, failure, kind: .date),
            .account(.drivingLicence, context, failure),
            .account(.drivingLicenceExpires, context, failure, kind: .date),
        ]
        var form = FormPage(
            action: Address("/register/driver"),
            fields: registrationFields(rules, context, failure, needsPhone: true) + papers,
            button: CommonTexts.create,
            busy: CommonTexts.creating
        )
        form.problem = failure?.text
        form.extra = consent(context, failure)
        form.extraFields = [.account(.consent, context, failure)]
        return formPage(
            CommonTexts.becomeDriver,
            icon: .licence,
            lead: DriverTexts.lead,
            form,
            context
        )
    }

    /// Explains that drivers cannot register themselves: the policy lets only
    /// the city add them (C13).
    func byTheCity(_ context: RequestContext) -> Page {
        var page = message(
            CommonTexts.becomeDriver,
            icon: .licence,
            DriverTexts.byTheCity,
            context
        )
        page.status = .conflict
        return page
    }

    /// Registers a driver, who confirms by e-mail and then waits for approval by an administrator.
    func registerDriver(_ context: RequestContext) async throws -> Response {
        let papers = DriverPapers(
            taxiCode: context.form["taxi_code"] ?? "",
            plate: context.form["plate"] ?? "",
            taxiLicence: context.form["taxi_licence"] ?? "",
            taxiLicenceExpires: context.form["taxi_licence_expires"] ?? "",
            drivingLicence: context.form["driving_licence"] ?? "",
            drivingLicenceExpires: context.form["driving_licence_expires"] ?? "",
            make: context.form["make"] ?? "",
            colour: context.form["colour"] ?? ""
        )
        let rules = try await accountRules()
        guard rules.driversRegister else { return response(byTheCity(context), to: context) }
        do {
            try await rules.drivers.register(
                registration(context),
                papers,
                from: ClientAddress(context.address),
                at: context.now
            )
        } catch let failure as AccountFailure {
            return try refused(driverRegistrationPage(rules, context, failure), failure, context)
        }
        return sent(.driver, context)
    }
}
