import Identity
import Localization
import TaxiPages
import WebCore

extension ApplicationTexts {
    static let notices: [String: Text] = [
        "saved": ApplicationTexts.saved,
        "revoked": ApplicationTexts.itsKeyIsWorthNothing,
        "shown": ApplicationTexts.keyAlreadyShown,
        "webhook-removed": WebhookTexts.wasRemoved,
    ]

    /// The fields of the form, with what is wrong.
    static func fields(
        _ form: ApplicationForm,
        _ problems: [ApplicationProblem],
        typedRate: String?
    ) -> [Field] {
        func error(_ name: String) -> Text? { problems.first { $0.field == name }?.text }
        return [
            Field(
                name: "name",
                label: FormField.name.label,
                hint: nameHint,
                value: form.name,
                error: error("name")
            ),
            Field(
                name: "contact",
                label: contact,
                kind: .email,
                hint: contactHint,
                value: form.contact,
                error: error("contact")
            ),
            Field(
                name: "redirects",
                label: redirects,
                kind: .longText,
                hint: redirectsHint,
                value: form.redirects.joined(separator: "\n"),
                error: error("redirects"),
                isRequired: false
            ),
            Field(
                name: "native",
                label: place,
                kind: .several([("yes", onDevices)]),
                value: form.isNative ? "yes" : "",
                isRequired: false
            ),
            Field(
                name: "devices",
                label: deviceCodes,
                kind: .several([("yes", withDeviceCodes)]),
                value: form.hasDevices ? "yes" : "",
                isRequired: false
            ),
            Field(
                name: "scopes",
                label: scopes,
                kind: .several(Scope.allCases.map { ($0.rawValue, $0.text) }),
                value: form.scopes.map(\.rawValue).joined(separator: ","),
                error: error("scopes")
            ),
            Field(
                name: "rate",
                label: rate,
                kind: .number,
                hint: rateHint,
                value: typedRate ?? "\(form.requestsPerMinute)",
                error: error("rate")
            ),
        ]
    }
}

extension ApplicationForm {
    /// Where it runs, in words.
    var place: Text { isNative ? ApplicationTexts.onDevices : ApplicationTexts.onServer }
}

extension ApplicationProblem {
    /// The field that it belongs to.
    fileprivate var field: String {
        switch self {
        case .nameMissing, .badName: "name"
        case .badContact: "contact"
        case .tooManyRedirects, .badRedirect, .repeatedRedirect: "redirects"
        case .noScopes: "scopes"
        case .badRate: "rate"
        case .tooManyApplications: ""
        }
    }

    /// What is wrong, and what to write instead.
    fileprivate var text: Text {
        switch self {
        case .nameMissing: ApplicationsTexts.fillThisIn
        case .badName(let most):
            ApplicationsTexts.badLine(most)
        case .badContact:
            ApplicationsTexts.badContact
        case .tooManyRedirects(let most):
            ApplicationsTexts.writeAtMostAddresses(most)
        case .badRedirect(let address):
            ApplicationsTexts.badRedirect(address)
        case .repeatedRedirect(let address):
            ApplicationsTexts.repeatedAddress(address)
        case .noScopes: ApplicationsTexts.chooseAtLeastOne
        case .badRate(let least, let most):
            ApplicationsTexts.badNumber(least, most)
        case .tooManyApplications: ApplicationTexts.tooMany
        }
    }
}

extension Scope {
    /// What it allows, in plain words.
    var text: Text {
        switch self {
        case .createAccounts: ApplicationsTexts.registerNewPassengers
        case .readProfile:
            ApplicationsTexts.readProfiles
        case .changeProfile:
            ApplicationsTexts.changeProfiles
        case .callTaxis: ApplicationsTexts.callTaxisAndCancelCalls
        case .reserve:
            ApplicationsTexts.makeSeeAndDeleteReservations
        case .shareRides:
            ApplicationsTexts.proposeAndJoinSharedRides
        case .followRides:
            ApplicationsTexts.seeArrivalTaxiAndPast
        case .readCalendar: ApplicationsTexts.readCalendars
        case .writeCalendar: ApplicationsTexts.writeCalendars
        case .followPlans: ApplicationsTexts.beToldOfBrokenPlans
        case .driverDuty:
            ApplicationsTexts.setDuty
        case .driverPosition:
            ApplicationsTexts.reportADriversPosition
        case .driverRides:
            ApplicationsTexts.reportRides
        case .readCity: ApplicationsTexts.seeZonesAndTimetables
        case .readFleet: ApplicationsTexts.seeVehiclesAndQueues
        case .readStatistics: ApplicationsTexts.seeStatistics
        case .readMobility: ApplicationsTexts.seeMobilityData
        }
    }
}
