import Synchronization

/// The cities that questions are asked about now: one reference, which a new city file replaces.
///
/// The lock is held while the reference is read or replaced, and never while a question is answered
/// or a file is opened: nobody waits for a swap.
package final class CurrentCities: Sendable {
    private struct State {
        var cities = OpenedCities()
        var news: [Int: CityNews] = [:]
    }

    private let state = Mutex(State())

    /// No city until some are opened.
    package init() {}

    /// The cities now; whoever answers a question takes them once.
    package var current: OpenedCities { state.withLock { $0.cities } }

    /// What happened last to the file of each city, in the order of the cities; nothing for a city
    /// whose file is the one with which the server started.
    package var news: [CityNews] {
        state.withLock { state in state.news.sorted { $0.key < $1.key }.map(\.value) }
    }

    /// Puts cities into service: those with which a server starts.
    package func begin(with cities: OpenedCities) {
        let before = state.withLock { state in
            defer { state.cities = cities }
            return state.cities
        }
        precondition(before.cities.isEmpty, "cities are in service already")
    }

    /// Puts a city in the place of another one; called by one task at a time.
    ///
    /// - Returns: the cities until now. Releasing the last reference to a city unmaps its file,
    ///   which must not happen under the lock.
    @discardableResult
    func replace(_ number: Int, with city: OpenedCity) -> OpenedCities {
        // What is common to all cities is made, and read from their files, before anybody waits.
        let next = current.replacing(number, with: city)
        return state.withLock { state in
            defer { state.cities = next }
            return state.cities
        }
    }

    /// Forgets that a file was refused which is no longer there.
    func settle(_ number: Int) {
        state.withLock { state in
            if state.news[number]?.isRefused == true { state.news[number] = nil }
        }
    }

    /// Notes what happened to the file of a city.
    func note(_ news: CityNews, of number: Int) {
        state.withLock { $0.news[number] = news }
    }
}
