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
        _ visit: Visit,
        _ failure: AccountFailure? = nil
    ) -> Page {
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
            fields: registrationFields(rules, visit, failure, needsPhone: true) + papers,
            button: CommonTexts.create,
            busy: CommonTexts.creating
        )
        form.problem = failure?.words
        form.extra = consent(visit, failure)
        form.extraFields = [.account(.consent, visit, failure)]
        return formPage(CommonTexts.becomeDriver, lead: DriverTexts.lead, form, visit)
    }

    /// Explains that drivers cannot register themselves: the policy lets only
    /// the city add them (C13).
    func byTheCity(_ visit: Visit) -> Page {
        var page = message(CommonTexts.becomeDriver, DriverTexts.byTheCity, visit)
        page.status = .conflict
        return page
    }

    /// Registers a driver, who confirms by e-mail and then waits for approval by an administrator.
    func registerDriver(_ visit: Visit) async throws -> Reply {
        let papers = DriverPapers(
            taxiCode: visit.form["taxi_code"] ?? "",
            plate: visit.form["plate"] ?? "",
            taxiLicence: visit.form["taxi_licence"] ?? "",
            taxiLicenceExpires: visit.form["taxi_licence_expires"] ?? "",
            drivingLicence: visit.form["driving_licence"] ?? "",
            drivingLicenceExpires: visit.form["driving_licence_expires"] ?? ""
        )
        let rules = try await accountRules()
        guard rules.driversRegister else { return reply(byTheCity(visit), to: visit) }
        do {
            try await rules.drivers.register(
                registration(visit),
                papers,
                from: ClientAddress(visit.address),
                at: visit.now
            )
        } catch let failure as AccountFailure {
            return try refused(driverRegistrationPage(rules, visit, failure), failure, visit)
        }
        return sent(.driver, visit)
    }
}
