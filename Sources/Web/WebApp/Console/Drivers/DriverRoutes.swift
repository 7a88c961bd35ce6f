import Drivers
import HTTPTypes
import Identity
import Localization
import Logging
import Markup
import Taxi
import WebCore

extension Site {
    /// Drivers and taxis (R1, R6, R8, R13, R104): staff looks, administrators change.
    var consoleDriverRoutes: [Route] {
        [
            .get("/console/drivers", for: .staff, listDrivers),
            .get("/console/drivers/new", for: .graveAdministrator) {
                let page = try await mayEnterDrivers() ? driverEntryPage($0) : noEntryPage($0)
                return reply(page, to: $0)
            },
            .post("/console/drivers/new", for: .graveAdministrator, enterDriver),
            .get("/console/driver/{person}", for: .staff, showDriver),
            .get("/console/driver/{person}/edit", for: .graveAdministrator, driverEditForm),
            .post("/console/driver/{person}/edit", for: .graveAdministrator, editDriver),
            .post("/console/driver/{person}/verify", for: .graveAdministrator, verifyDriver),
            .get("/console/driver/{person}/refuse", for: .graveAdministrator) {
                reply(refusalPage($0, try await driver($0)), to: $0)
            },
            .post("/console/driver/{person}/refuse", for: .graveAdministrator, refuseDriver),
            .get("/console/driver/{person}/suspend", for: .graveAdministrator) {
                reply(driverSuspensionPage($0, try await driver($0)), to: $0)
            },
            .post("/console/driver/{person}/suspend", for: .graveAdministrator, suspendDriver),
            .post("/console/driver/{person}/resume", for: .graveAdministrator, resumeDriver),
            .post("/console/driver/{person}/invite", for: .graveAdministrator, inviteDriver),
            .get("/console/driver/{person}/remove", for: .graveAdministrator) {
                reply(try await removalPage($0, try await driver($0)), to: $0)
            },
            .post("/console/driver/{person}/remove", for: .graveAdministrator, removeDriver),
        ]
    }

    /// The session of whoever acts.
    func actor(_ visit: Visit) throws(Failure) -> Session {
        guard let session = visit.session, session.person != nil else { throw .notSignedIn }
        return session
    }

    /// The person that the address names.
    func person(in visit: Visit) throws(Failure) -> PersonNumber {
        guard let number = visit.parameters["person"].flatMap({ Int64($0) }), number > 0 else {
            throw .notFound
        }
        return PersonNumber(rawValue: number)
    }

    /// The driver that the address names.
    func driver(_ visit: Visit) async throws -> Driver {
        guard let driver = try await accounts.drivers.driver(try person(in: visit)) else {
            throw Failure.notFound
        }
        return driver
    }

    /// The address of a driver's page, and what is said there.
    func driverAddress(_ person: PersonNumber, notice: String? = nil) -> Address {
        let number = "\(person.rawValue)"
        guard let notice else { return Address("/console/driver", number) }
        return Address("/console/driver", number, query: ["notice": notice])
    }

    /// Takes the backup that must be there before drivers are changed (R8).
    ///
    /// - Parameters:
    ///   - reason: what is to be done, without personal data.
    ///   - visit: whose log tells why there is none.
    /// - Throws: `noBackup`: the caller changes nothing.
    func backup(before reason: String, _ visit: Visit) async throws(Failure) {
        do {
            try await backupBeforeChange(reason)
        } catch {
            visit.logger.error("no backup before a change", metadata: ["error": "\(error)"])
            throw .noBackup
        }
    }

    /// Tells the dispatcher what has changed of drivers.
    ///
    /// Where another server has the dispatcher, or it cannot be told now, the next pass tells it.
    func tellDispatcher(_ visit: Visit) async {
        do {
            try await fleet.reconcile()
        } catch DispatchService.Failure.notServing {
            return
        } catch {
            visit.logger.warning("taxis not registered", metadata: ["error": "\(error)"])
        }
    }

    /// The notice that the address asks for.
    func consoleNotice(_ notices: [String: Text], _ visit: Visit) -> HTML? {
        notices[visit.query["notice"] ?? ""].map {
            "<div class=\"notice good\" role=\"status\"><p>\(visit.say($0))</p></div>"
        }
    }
}
