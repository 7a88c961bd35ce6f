package import Chronology

/// The state of a feed, for the people who run the city.
package struct FeedStatus: Sendable {
    /// The name, kind and address of the feed.
    package let source: LiveFeedSource
    /// Its files; the first one is that of the configured address.
    package let resources: [FeedResource]
    /// Whether the last good copy is on disk; false if the folder cannot be written.
    package let isKept: Bool

    init(_ feed: Feed) {
        source = feed.source
        resources = feed.resources
        isKept = feed.isKept
    }

    /// Since when nothing newer is known of its oldest part; nil if a part never came.
    package var knownSince: Instant? { resources.knownSince }

    /// The file with a problem, if there is one; the first one by time.
    package var failing: FeedResource? {
        resources.filter { $0.problem != nil }
            .min { ($0.failingSince?.seconds ?? 0) < ($1.failingSince?.seconds ?? 0) }
    }

    /// The problem of the file that has had one for longest; nil if all is well.
    package var problem: FeedProblem? { failing?.problem }

    /// When one of its files is fetched next.
    package var nextAttempt: Instant? { resources.map(\.nextAttempt).min() }

    /// How many entries of all files are used.
    package var usableCount: Int { resources.map(\.usableCount).reduce(0, +) }

    /// How many entries all files have.
    package var totalCount: Int { resources.map(\.totalCount).reduce(0, +) }
}

extension [FeedResource] {
    /// Since when nothing newer is known of the oldest of these; nil if one never came.
    var knownSince: Instant? {
        let known = map(\.knownSince)
        return known.contains(nil) ? nil : known.compactMap { $0 }.min()
    }
}
