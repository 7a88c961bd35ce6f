import Agenda
import Chronology
import Encoding
import Fares
import HTTPTypes
import Identity
import Localization
import Markup
import OpenData
import TaxiPages
import WebCore

/// Pairing the device of a vehicle, and what such devices report (V77, V78).
extension CalendarPages {
    var deviceRoutes: [Route] {
        [
            .get("/calendar/vehicles/{vehicle}/device", as: "calendar.device.form", for: .person) {
                context,
                _ in
                response(devicePage(DeviceForm(try vehicle(context)), context), to: context)
            }
            .taking(Self.vehicle),
            .post(
                "/calendar/vehicles/{vehicle}/device",
                as: "calendar.device",
                for: .person,
                pairDevice
            )
            .taking(Self.vehicle)
            .taking([
                .typed("identifier", .text(40), "The identifier printed on the device."),
                .typed("secret", .secret(80), "The secret that came with the device."),
            ]),
            .post(
                "/calendar/vehicles/{vehicle}/device/unpair",
                as: "calendar.device.unpair",
                for: .person
            ) { context, person in
                try await agenda.unpair(try vehicle(context), of: person.person)
                return .redirect(to: Address("/calendar/vehicles", query: ["notice": "unpaired"]))
            }
            .taking(Self.vehicle)
            .answering(.redirect),
            .post("/devices/report", as: "devices.report", for: .anonymous, takeReport)
                .taking(Self.report)
                .answering(.nothing)
                .failing(.conflict)
                .repeated(because: "a report with the time of an earlier one is refused"),
        ]
    }

    private static let report: [InputField] = [
        .set("device", .text(DeviceSecret.identifierLengths.upperBound), "The device.").required,
        .set("time", .number(0...300_000_000_000), "When, in seconds since 1970.").required,
        .set("lat", .latitude, "Degrees north.").required,
        .set("lon", .longitude, "Degrees east.").required,
        .set(
            "signature",
            .secret(64),
            "HMAC-SHA256 of these four with a space between them, under the device's secret."
        ).required,
    ]

    // MARK: Pairing

    private func devicePage(_ form: DeviceForm, _ context: RequestContext) -> Page {
        let fields = [
            Field(
                name: "identifier",
                label: VehicleDeviceTexts.identifier,
                hint: VehicleDeviceTexts.identifierHint,
                value: form.identifier,
                error: form.problems["identifier"]
            ),
            Field(
                name: "secret",
                label: VehicleDeviceTexts.secret,
                hint: VehicleDeviceTexts.secretHint,
                error: form.problems["secret"]
            ),
        ]
        let all = FormPage(
            action: Address("/calendar/vehicles", form.vehicle.rawValue, "device"),
            fields: fields,
            button: VehicleDeviceTexts.pair,
            busy: EntryTexts.saving,
            problem: form.problem
        )
        var page = formPage(VehicleDeviceTexts.title, lead: VehicleDeviceTexts.lead, all, context)
        if form.problem != nil || !form.problems.isEmpty { page.status = .unprocessableContent }
        return page
    }

    private func pairDevice(
        _ context: RequestContext,
        _ person: SignedIn
    ) async throws -> Response {
        var form = DeviceForm(try vehicle(context))
        form.identifier = (context.form["identifier"] ?? "").trimmingBlanks()
        let secret = (context.form["secret"] ?? "").trimmingBlanks()
        if form.identifier.isEmpty { form.problems["identifier"] = VehicleDeviceTexts.noIdentifier }
        if secret.isEmpty { form.problems["secret"] = VehicleDeviceTexts.noSecret }
        guard form.problems.isEmpty else {
            return response(devicePage(form, context), to: context)
        }
        do {
            // What no device can be called is a device that nobody knows.
            guard let device = DeviceSecret(identifier: form.identifier, secret: secret) else {
                throw DeviceFailure.notKnown
            }
            let now = Instant(context.now)
            try await agenda.pair(device, with: form.vehicle, of: person.person, at: now)
        } catch let failure as DeviceFailure {
            form.problem = failure.words
            return response(devicePage(form, context), to: context)
        }
        return .redirect(to: Address("/calendar/vehicles", query: ["notice": "paired"]))
    }

    /// The device of a vehicle on the vehicle's page: where it was last, or the way to pair one.
    func deviceSection(
        _ device: PairedDevice?,
        _ vehicle: TravelMeans,
        _ context: RequestContext
    ) -> HTML {
        let pairing = Address("/calendar/vehicles", vehicle.rawValue, "device")
        guard let device else {
            return """
                <h2>\(context.say(VehicleDeviceTexts.heading))</h2>\
                <p>\(context.say(VehicleDeviceTexts.none))</p>\
                <p>\(Button(VehicleDeviceTexts.title, .link(pairing)).html(context))</p>
                """
        }
        let last = device.last.map { last in
            VehicleDeviceTexts.last(
                LocalTime(Instant(seconds: last.since), in: web.settings.zoneTable),
                last.place.name
            )
        }
        let unpair = Address("/calendar/vehicles", vehicle.rawValue, "device", "unpair")
        return """
            <h2>\(context.say(VehicleDeviceTexts.heading))</h2>\
            <p>\(context.say(VehicleDeviceTexts.paired(device.identifier))) \
            \(context.say(last ?? VehicleDeviceTexts.silent))</p>\
            <form method="post" action=\(unpair)>\(context.formToken)\
            \(Button(VehicleDeviceTexts.unpair, look: .destructive).html(context))</form>
            """
    }

    // MARK: Reports

    /// Takes what a device reports; the signature is all that proves who it is.
    private func takeReport(_ context: RequestContext) async throws -> Response {
        func field(_ name: String) -> String { context.form[name] ?? "" }
        let (latitude, longitude) = (field("lat"), field("lon"))
        guard let signature = [UInt8](hex: field("signature").lowercased()),
            let position = PlaceSearch.coordinates(latitude: latitude, longitude: longitude),
            let report = DeviceReport(
                identifier: field("device"),
                time: field("time"),
                latitude: latitude,
                longitude: longitude,
                at: position,
                signature: signature
            )
        else { throw Failure.badRequest }
        let name = placeSearch.chosen(position).called.text.prefix(EntryDetails.placeLimit)
        do {
            try await agenda.take(report, at: String(name), now: Instant(context.now))
        } catch DeviceFailure.notSigned {
            throw Failure.notSigned
        } catch DeviceFailure.notNew {
            throw Failure.notNew
        }
        return Response(.noContent)
    }
}

/// What is typed to pair a device.
private struct DeviceForm {
    let vehicle: TravelMeans
    var identifier = ""
    var problem: Text?
    var problems: [String: Text] = [:]

    init(_ vehicle: TravelMeans) { self.vehicle = vehicle }
}

extension DeviceFailure {
    /// What people are told.
    fileprivate var words: Text {
        switch self {
        case .notKnown, .notSigned, .notNew: VehicleDeviceTexts.notKnown
        case .tooManyTries: VehicleDeviceTexts.tooManyTries
        case .isPaired: VehicleDeviceTexts.isPaired
        case .hasDevice: VehicleDeviceTexts.hasDevice
        }
    }
}

extension Failure {
    /// Nobody has the device, or somebody else signed its report.
    fileprivate static let notSigned = Failure(
        "device-not-signed",
        .forbidden,
        title: VehicleDeviceTexts.notSignedTitle,
        advice: VehicleDeviceTexts.notSignedAdvice
    )
    /// The report is late, early, or a copy of an earlier one.
    fileprivate static let notNew = Failure(
        "device-report-not-new",
        .conflict,
        title: VehicleDeviceTexts.notNewTitle,
        advice: VehicleDeviceTexts.notNewAdvice
    )
}
