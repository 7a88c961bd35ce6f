package import Chronology

/// A file of a live feed, as the demo city publishes it.
///
/// Each version stays the same for some time, as with a real service, so that clients can be told
/// that nothing is new.
package struct FeedDocument: Sendable {
    /// The path at which it is published.
    package let path: String
    /// The value of its `Content-Type`, such as `application/json`.
    let type: String
    /// How many seconds a version lasts.
    let seconds: Int64
    /// Writes the version that begins at a moment; `base` is the address of the publisher, without
    /// a slash at its end.
    let write: @Sendable (_ start: Instant, _ base: String) -> [UInt8]

    /// The version of a moment.
    package func bytes(at now: Instant, base: String) -> [UInt8] {
        write(Instant(seconds: now.seconds - now.seconds % seconds), base)
    }
}
