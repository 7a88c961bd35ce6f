import Chronology

/// A document of a provider, fetched on demand and cached for ``lasting``.
///
/// Simultaneous requests share one fetch. After a failure, the provider is not contacted for
/// ``pause``, so that people get the error at once and a recovering provider is not overloaded.
actor CachedDocument<Value: Sendable> {
    /// How long a document is used without asking again, in seconds.
    static var lasting: Int64 { 3_600 }
    /// How long a provider is not contacted after a failure, in seconds.
    static var pause: Int64 { 10 }
    /// The shortest time between two fetches because a document lacked something, in seconds.
    static var renewal: Int64 { 60 }

    typealias Outcome = Result<Value, ProviderFailure>

    private let fetch: @Sendable (Moment) async -> Outcome
    private var outcome: (result: Outcome, at: Moment)?
    private var pending: Task<Outcome, Never>?

    init(fetch: @escaping @Sendable (Moment) async -> Outcome) {
        self.fetch = fetch
    }

    /// Returns the document, which is at most ``lasting`` old.
    func current(at now: Moment) async throws(ProviderFailure) -> Value {
        if let outcome, outcome.at <= now {
            switch outcome.result {
            case .success(let value) where now < outcome.at.adding(seconds: Self.lasting):
                return value
            case .failure(let failure) where now < outcome.at.adding(seconds: Self.pause):
                throw failure
            default: break
            }
        }
        return try await fetched(at: now)
    }

    /// Fetches the document again because it lacks something; nil if that was done just now.
    func renewed(at now: Moment) async throws(ProviderFailure) -> Value? {
        if pending == nil, let outcome, outcome.at <= now,
            now < outcome.at.adding(seconds: Self.renewal)
        {
            return nil
        }
        return try await fetched(at: now)
    }

    private func fetched(at now: Moment) async throws(ProviderFailure) -> Value {
        if let pending { return try await pending.value.get() }
        let task = Task { [fetch] in await fetch(now) }
        pending = task
        let result = await task.value
        pending = nil
        outcome = (result, now)
        return try result.get()
    }
}
