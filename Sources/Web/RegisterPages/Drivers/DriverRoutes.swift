import Drivers
import HTTPTypes
import Identity
import Localization
import Logging
import Markup
import Taxi
import TaxiPages
import WebCore

extension RegisterPages {
    /// Drivers and taxis (R1, R6, R8, R13, R104): staff can view, administrators can change.
    var consoleDriverRoutes: [Route] {
        [
            .get("/console/drivers", as: "drivers.list", for: .staff, listDrivers)
                .taking([
                    .notice,
                    .query("find", .text(254), "A name, address or number to look for.").explained,
                    .query("show", .choice(of: DriverFilter.self), "Which drivers are shown."),
                    .query("after", .identifier, "The last driver of the page before."),
                    .query("entered", .identifier, "How many drivers were entered."),
                ]),
            .get("/console/drivers/new", as: "drivers.new.form", for: .graveAdministrator) {
                let page = try await mayEnterDrivers() ? driverEntryPage($0) : noEntryPage($0)
                return response(page, to: $0)
            }
            .failing(.conflict),
            .post("/console/drivers/new", as: "drivers.new", for: .graveAdministrator, enterDriver)
                .taking(.person)
                .taking(.papers)
                .taking(.vehicle)
                .taking([.email, .language.explained, .invite]),
            .get("/console/driver/{person}", as: "drivers.show", for: .staff, showDriver)
                .taking([.person, .notice]),
            .get(
                "/console/driver/{person}/edit",
                as: "drivers.edit.form",
                for: .graveAdministrator,
                driverEditForm
            )
            .taking([
                .person,
                .query("former", .text(10), "Shows the documents before the last change."),
            ]),
            .post(
                "/console/driver/{person}/edit",
                as: "drivers.edit",
                for: .graveAdministrator,
                editDriver
            )
            .taking([
                .person,
                .set("over", .opaque(128), "The fingerprint of the record that the page showed."),
            ])
            .taking(.person)
            .taking(.papers)
            .taking(.vehicle),
            .post(
                "/console/driver/{person}/verify",
                as: "drivers.verify",
                for: .graveAdministrator,
                verifyDriver
            )
            .taking([
                .person,
                .papers,
            ]),
            .get(
                "/console/driver/{person}/refuse",
                as: "drivers.refuse.form",
                for: .graveAdministrator
            ) {
                response(refusalPage($0, try await driver($0)), to: $0)
            }
            .taking([.person])
            .failing(.conflict),
            .post(
                "/console/driver/{person}/refuse",
                as: "drivers.refuse",
                for: .graveAdministrator,
                refuseDriver
            )
            .taking([
                .person,
                .papers,
                .reason,
            ]),
            .get(
                "/console/driver/{person}/suspend",
                as: "drivers.suspend.form",
                for: .graveAdministrator
            ) {
                response(driverSuspensionPage($0, try await driver($0)), to: $0)
            }
            .taking([.person])
            .failing(.conflict),
            .post(
                "/console/driver/{person}/suspend",
                as: "drivers.suspend",
                for: .graveAdministrator,
                suspendDriver
            )
            .taking([.person, .papers, .reason]),
            .post(
                "/console/driver/{person}/resume",
                as: "drivers.resume",
                for: .graveAdministrator,
                resumeDriver
            )
            .taking([.person]),
            .post(
                "/console/driver/{person}/invite",
                as: "drivers.invite",
                for: .graveAdministrator,
                inviteDriver
            )
            .taking([.person]),
            .get(
                "/console/driver/{person}/remove",
                as: "drivers.remove.form",
                for: .graveAdministrator
            ) {
                response(try await removalPage($0, try await driver($0)), to: $0)
            }
            .taking([.person])
            .failing(.conflict),
            .post(
                "/console/driver/{person}/remove",
                as: "drivers.remove",
                for: .graveAdministrator,
                removeDriver
            )
            .taking([.person, .proceed])
            .failing(.unprocessableContent),
        ]
    }

    /// The person named in the path.
    func person(in context: RequestContext) throws(Failure) -> PersonNumber {
        guard let number = context.parameters["person"].flatMap({ Int64($0) }), number > 0 else {
            throw .notFound
        }
        return PersonNumber(rawValue: number)
    }

    /// The driver named in the path.
    func driver(_ context: RequestContext) async throws -> Driver {
        guard let driver = try await accounts.drivers.driver(try person(in: context)) else {
            throw Failure.notFound
        }
        return driver
    }
}

extension InputField {
    /// The documents that the administrator saw: others are not decided on.
    fileprivate static let papers = set(
        "papers",
        .opaque(128),
        "The fingerprint of the documents that the page showed."
    )
}
