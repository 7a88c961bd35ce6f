import NIOCore

/// Counts what may happen only so often.
struct FloodLimit {
    private let most: Int
    private let window: TimeAmount
    private var since = NIODeadline.uptimeNanoseconds(0)
    private var count = 0

    /// - Parameters:
    ///   - most: how often in a window.
    ///   - window: how long it lasts from the first time on.
    init(most: Int, within window: TimeAmount) {
        self.most = most
        self.window = window
    }

    /// Counts once more.
    ///
    /// - Returns: whether that was not too often.
    mutating func allows(_ now: NIODeadline) -> Bool {
        if now >= since + window { (since, count) = (now, 0) }
        count += 1
        return count <= most
    }
}
