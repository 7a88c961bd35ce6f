import Synchronization

/// The cities in service: one reference, which a new city file replaces.
///
/// The lock is held only while the reference is read or replaced, never while a question is
/// answered or a file is opened, so nobody waits for a swap.
package final class CurrentCities: Sendable {
    private struct State {
        var cities = OpenedCities()
        var renewals: [Int: RenewalResult] = [:]
    }

    private let state = Mutex(State())

    /// Starts with no city.
    package init() {}

    /// The cities in service; take them once for each question.
    package var current: OpenedCities { state.withLock { $0.cities } }

    /// The last renewal of each city, in the order of the cities; none for a city whose file is the
    /// one with which the server started.
    package var renewals: [RenewalResult] {
        state.withLock { state in state.renewals.sorted { $0.key < $1.key }.map(\.value) }
    }

    /// Puts the first cities into service when a server starts.
    package func begin(with cities: OpenedCities) {
        let before = state.withLock { state in
            defer { state.cities = cities }
            return state.cities
        }
        precondition(before.cities.isEmpty, "cities are in service already")
    }

    /// Replaces a city; called by one task at a time.
    ///
    /// - Returns: the previous cities. Releasing the last reference to a city unmaps its file,
    ///   which must not happen while holding the lock.
    @discardableResult
    func replace(_ number: Int, with city: OpenedCity) -> OpenedCities {
        // What is common to all cities is made, and read from their files, before anybody waits.
        let next = current.replacing(number, with: city)
        return state.withLock { state in
            defer { state.cities = next }
            return state.cities
        }
    }

    /// Forgets the refusal of a file that no longer exists.
    func settle(_ number: Int) {
        state.withLock { state in
            if state.renewals[number]?.isRefused == true { state.renewals[number] = nil }
        }
    }

    /// Records the result of a renewal.
    func record(_ result: RenewalResult, of number: Int) {
        state.withLock { $0.renewals[number] = result }
    }
}
