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
            .get("/console/drivers", for: .staff, listDrivers),
            .get("/console/drivers/new", for: .graveAdministrator) {
                let page = try await mayEnterDrivers() ? driverEntryPage($0) : noEntryPage($0)
                return response(page, to: $0)
            },
            .post("/console/drivers/new", for: .graveAdministrator, enterDriver),
            .get("/console/driver/{person}", for: .staff, showDriver),
            .get("/console/driver/{person}/edit", for: .graveAdministrator, driverEditForm),
            .post("/console/driver/{person}/edit", for: .graveAdministrator, editDriver),
            .post("/console/driver/{person}/verify", for: .graveAdministrator, verifyDriver),
            .get("/console/driver/{person}/refuse", for: .graveAdministrator) {
                response(refusalPage($0, try await driver($0)), to: $0)
            },
            .post("/console/driver/{person}/refuse", for: .graveAdministrator, refuseDriver),
            .get("/console/driver/{person}/suspend", for: .graveAdministrator) {
                response(driverSuspensionPage($0, try await driver($0)), to: $0)
            },
            .post("/console/driver/{person}/suspend", for: .graveAdministrator, suspendDriver),
            .post("/console/driver/{person}/resume", for: .graveAdministrator, resumeDriver),
            .post("/console/driver/{person}/invite", for: .graveAdministrator, inviteDriver),
            .get("/console/driver/{person}/remove", for: .graveAdministrator) {
                response(try await removalPage($0, try await driver($0)), to: $0)
            },
            .post("/console/driver/{person}/remove", for: .graveAdministrator, removeDriver),
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
