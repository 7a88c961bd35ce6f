import Dispatching
import Identity
import Localization
import Synchronization
import Taxi
package import WebCore

/// What is closed until an administrator confirms that the city's data is complete (R4).
///
/// The rule goes by the first part of a path and closes whatever it does not name: who adds a
/// page or an action for passengers, drivers or other programs cannot forget it.
package enum OpeningGate {
    /// The parts of the site that work before: the frame of pages, what is said to everybody,
    /// accounts, operations, and the console in which the city is set up.
    package static let openBefore: Set<String> = [
        "", "accessibility", "privacy",
        "assets", "icons", "language", "manifest.webmanifest", "offline", "service-worker.js",
        "account", "confirm", "dashboard", "events", "login", "logout", "password", "register",
        "console", "map.svg", "tiles", "health", "metrics",
    ]

    /// Whether a path is closed before.
    package static func closes(_ path: String) -> Bool {
        let first = path.split(separator: "/").first.map(String.init) ?? ""
        return !openBefore.contains(first)
    }
}

/// Remembers that the city is open: it never closes again, so it is asked only until then.
package final class OpeningMark: Sendable {
    private let isOpen = Mutex(false)

    /// Whether it was seen to be open.
    package var isKnownOpen: Bool { isOpen.withLock { $0 } }

    /// Remembers it.
    package func set() { isOpen.withLock { $0 = true } }
}

extension Route {
    /// Whether it waits until the city has confirmed that its data is complete (R4).
    package var needsOpenCity: Bool { OpeningGate.closes(path) }
}

extension TaxiPageModule {
    /// Refuses what needs an open city while it is not open.
    ///
    /// - Parameter visit: who asks: staff are told what is missing.
    /// - Throws: `Failure.notOpenYet`; `Failure.standingBy` where another server serves the taxis.
    package func checkOpen(_ visit: Visit) async throws {
        if try await isOpen() { return }
        throw Failure.notOpenYet(
            missing: visit.isOfStaff ? try await environment.missingSteps(visit) : []
        )
    }
}

extension TaxiPageModule {
    /// Whether the city has confirmed that its data is complete.
    ///
    /// - Throws: `Failure.standingBy` where another server serves the taxis.
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
    /// What whoever asked is told where the city as a whole does not serve; nil for refusals that
    /// belong to one action, which its page puts into words.
    package var failure: Failure? {
        switch self {
        case .setupIncomplete: .notOpenYet(missing: [])
        case .suspended(let reason): .suspended(reason: reason)
        default: nil
        }
    }
}
