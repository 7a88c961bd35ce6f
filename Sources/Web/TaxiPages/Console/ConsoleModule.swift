import HTTPTypes
package import Identity
package import Localization
import Logging
package import Markup
import Storage
import Taxi
package import WebCore

/// A part of the console, in which the city's staff works.
package protocol ConsoleModule: TaxiPageModule {
    /// Takes a backup before something grave is changed.
    var safetyBackup: SafetyBackup { get }
}

extension ConsoleModule {
    /// The session of whoever acts.
    package func actor(_ visit: Visit) throws(Failure) -> Session {
        guard let session = visit.session, session.person != nil else { throw .notSignedIn }
        return session
    }

    /// The address of a driver's page, and what is said there.
    package func driverAddress(_ person: PersonNumber, notice: String? = nil) -> Address {
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
    package func backup(before reason: String, _ visit: Visit) async throws(Failure) {
        do {
            try await backupBeforeChange(reason)
        } catch {
            visit.logger.error("no backup before a change", metadata: ["error": "\(error)"])
            throw .noBackup
        }
    }

    /// Brings an act into the log of acts that is durable already; the next who reads the log does
    /// it where this fails.
    package func settleActs(_ visit: Visit) async {
        do {
            try await accounts.settleActs()
        } catch {
            visit.logger.error("an act waits for its log", metadata: ["error": "\(error)"])
        }
    }

    /// Takes the backup that comes before a grave change (R8).
    ///
    /// - Parameters:
    ///   - reason: what is to be changed.
    ///   - visit: whose log says why there is none.
    /// - Returns: whether there is one: else nothing may be changed.
    package func isBackedUp(before reason: String, _ visit: Visit) async -> Bool {
        do {
            try await backupBeforeChange(reason)
            return true
        } catch {
            visit.logger.error("no backup before a change", metadata: ["error": "\(error)"])
            return false
        }
    }

    /// Takes the backup that must be there before a grave change of zones or drivers (R8).
    ///
    /// - Parameter reason: what is to be changed, in a few words without personal data.
    /// - Throws: why there is none: the caller changes nothing and says so.
    package func backupBeforeChange(_ reason: String) async throws {
        try await safetyBackup(reason)
    }
}

extension TaxiPageModule {
    /// The notice that the address asks for.
    package func consoleNotice(_ notices: [String: Text], _ visit: Visit) -> HTML? {
        notices[visit.query["notice"] ?? ""].map {
            "<div class=\"notice good\" role=\"status\"><p>\(visit.say($0))</p></div>"
        }
    }
}

extension TaxiEnvironment {
    /// Tells the dispatcher what has changed of drivers.
    ///
    /// Where another server has the dispatcher, or it cannot be told now, the next pass tells it.
    package func tellDispatcher(_ visit: Visit) async {
        do {
            try await fleet.reconcile()
        } catch DispatchService.Failure.notServing {
            return
        } catch {
            visit.logger.warning("taxis not registered", metadata: ["error": "\(error)"])
        }
    }
}
