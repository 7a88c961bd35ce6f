import HTTPTypes
package import Identity
package import Localization
import Logging
package import Markup
import Storage
import Taxi
package import WebCore

/// A feature of the console, the pages for the city's staff.
package protocol ConsoleModule: TaxiPageModule {
    /// Takes a backup before a far-reaching change.
    var safetyBackup: SafetyBackup { get }
}

extension ConsoleModule {
    /// The address of a driver's page, optionally with a notice to show there.
    package func driverAddress(_ person: PersonNumber, notice: String? = nil) -> Address {
        let number = "\(person.rawValue)"
        guard let notice else { return Address("/console/driver", number) }
        return Address("/console/driver", number, query: ["notice": notice])
    }

    /// Takes the backup that is required before drivers are changed (R8).
    ///
    /// - Parameters:
    ///   - reason: the planned change, without personal data.
    ///   - context: the request whose log records a failure.
    /// - Throws: `noBackup`. The caller must then change nothing.
    package func backup(before reason: String, _ context: RequestContext) async throws(Failure) {
        do {
            try await backupBeforeChange(reason)
        } catch {
            context.logger.error("no backup before a change", metadata: ["error": "\(error)"])
            throw .noBackup
        }
    }

    /// Moves actions that are already durable into the audit trail.
    ///
    /// If this fails, the next reader of the trail does it.
    package func settleActs(_ context: RequestContext) async {
        do {
            try await accounts.settleActs()
        } catch {
            context.logger.error("an act waits for its log", metadata: ["error": "\(error)"])
        }
    }

    /// Takes the backup that is required before a far-reaching change (R8).
    ///
    /// - Parameters:
    ///   - reason: the planned change.
    ///   - context: the request whose log records a failure.
    /// - Returns: whether the backup exists. If not, the caller must change nothing.
    package func isBackedUp(before reason: String, _ context: RequestContext) async -> Bool {
        do {
            try await backup(before: reason, context)
            return true
        } catch {
            return false
        }
    }

    /// Takes the backup that is required before zones or drivers are changed (R8).
    ///
    /// - Parameter reason: the planned change in a few words, without personal data.
    /// - Throws: the reason why there is no backup. The caller must then change nothing and report
    ///   it.
    package func backupBeforeChange(_ reason: String) async throws {
        try await safetyBackup(reason)
    }
}

extension TaxiPageModule {
    /// The notice that the query of the address asks for; nil if it asks for none.
    package func consoleNotice(_ notices: [String: Text], _ context: RequestContext) -> HTML? {
        notices[context.query["notice"] ?? ""].map {
            "<div class=\"notice good\" role=\"status\"><p>\(context.say($0))</p></div>"
        }
    }
}

extension TaxiEnvironment {
    /// Updates the dispatcher's register of taxis after drivers have changed.
    ///
    /// If another server is active or the update fails, the next periodic pass does it.
    package func tellDispatcher(_ context: RequestContext) async {
        do {
            try await fleet.reconcile()
        } catch DispatchService.Failure.notServing {
            return
        } catch {
            context.logger.warning("taxis not registered", metadata: ["error": "\(error)"])
        }
    }
}
