package import LiveFeeds

/// A live feed that staff added in the console.
package struct AddedFeed: Sendable, Equatable {
    /// The name, kind and address of the feed.
    package var source: LiveFeedSource
    /// Whether it is not fetched at present.
    package var isStopped: Bool

    /// A feed, running or stopped.
    package init(_ source: LiveFeedSource, isStopped: Bool = false) {
        self.source = source
        self.isStopped = isStopped
    }
}

/// Why the register of feeds was not changed.
package enum FeedRegisterFailure: Error, Equatable, Sendable {
    /// A feed of that name is there already.
    case nameTaken
    /// There are as many feeds as there may be.
    case full(limit: Int)
    /// There is no such feed any more.
    case noSuchFeed
}
