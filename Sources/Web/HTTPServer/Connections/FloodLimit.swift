import NIOCore

/// Counts events that may happen only so often within a time.
struct FloodLimit {
    private let most: Int
    private let window: TimeAmount
    private var since = NIODeadline.uptimeNanoseconds(0)
    private var count = 0

    /// - Parameters:
    ///   - most: the greatest number of events in a window.
    ///   - window: the length of a window, from its first event on.
    init(most: Int, within window: TimeAmount) {
        self.most = most
        self.window = window
    }

    /// Counts an event.
    ///
    /// - Returns: whether the limit is kept.
    mutating func allows(_ now: NIODeadline) -> Bool {
        if now >= since + window { (since, count) = (now, 0) }
        count += 1
        return count <= most
    }
}
