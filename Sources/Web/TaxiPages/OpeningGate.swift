import Dispatching
import Identity
import Localization
import Synchronization
import Taxi
package import WebCore

/// The routes that are closed until an administrator confirms that the city's data is complete
/// (R4).
///
/// The rule uses the first component of a path and closes every path that it does not list. A new
/// page or action for passengers, drivers or other programs is therefore closed by default.
package enum OpeningGate {
    /// The first path components that work before the opening: the shared files, public
    /// information, accounts, operations, and the console in which staff set up the city.
    package static let openBefore: Set<String> = [
        "", "accessibility", "privacy",
        "assets", "icons", "language", "manifest.webmanifest", "offline", "service-worker.js",
        "account", "confirm", "dashboard", "events", "login", "logout", "password", "register",
        "console", "map.svg", "tiles", "health", "metrics",
    ]

    /// Whether a path is closed before the city opens.
    package static func closes(_ path: String) -> Bool {
        let first = path.split(separator: "/").first.map(String.init) ?? ""
        return !openBefore.contains(first)
    }
}

/// Caches the fact that the city is open.
///
/// An open city never closes again, so the check stops after the opening.
package final class OpeningMark: Sendable {
    private let isOpen = Mutex(false)

    /// Whether the city is known to be open.
    package var isKnownOpen: Bool { isOpen.withLock { $0 } }

    /// Records that the city is open.
    package func set() { isOpen.withLock { $0 = true } }
}

extension Route {
    /// Whether the route is closed until the city's data is confirmed as complete (R4).
    package var needsOpenCity: Bool { OpeningGate.closes(path) }
}

extension TaxiPageModule {
    /// Rejects a request for a route that needs an open city while the city is not open.
    ///
    /// - Parameter context: the visitor's request. Staff see what is missing.
    /// - Throws: `Failure.notOpenYet`; `Failure.standingBy` if another server is active.
    package func checkOpen(_ context: RequestContext) async throws {
        if try await isOpen() { return }
        throw Failure.notOpenYet(
            missing: context.isOfStaff ? try await environment.missingSteps(context) : []
        )
    }
}

extension TaxiPageModule {
    /// Whether the city's data is confirmed as complete.
    ///
    /// - Throws: `Failure.standingBy` if another server is active.
    package func isOpen() async throws -> Bool {
        if environment.openingMark.isKnownOpen { return true }
        do {
            guard try await taxi.dispatch.read({ $0.isSetUp }) else { return false }
        } catch DispatchService.Failure.notServing {
            throw Failure.standingBy
        }
        environment.openingMark.set()
        return true
    }
}

extension Refusal {
    /// The error to show if the city as a whole is not in service.
    ///
    /// It is nil for refusals of a single action, which that action's page explains.
    package var failure: Failure? {
        switch self {
        case .setupIncomplete: .notOpenYet(missing: [])
        case .suspended(let reason): .suspended(reason: reason)
        default: nil
        }
    }
}
