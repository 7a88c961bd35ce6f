import Columns
import Transit

/// What is known of a journey besides the way at one of its ends: it tells which ways are of no
/// use.
struct RestOfJourney {
    /// The least seconds that the rest takes, by the platform where the way ends or begins.
    let leastSeconds: [Int32]
    /// How many seconds the whole journey takes; it must take less.
    let span: Int32

    /// Whether a way of so many seconds leaves enough time for the rest.
    func allows(_ platform: PlatformIndex, beside seconds: Int32) -> Bool {
        Int64(leastSeconds[platform.row]) + Int64(seconds) < Int64(span)
    }

    /// How many seconds a way to a platform may take.
    func most(_ platform: PlatformIndex) -> UInt32 {
        UInt32(max(0, span &- leastSeconds[platform.row]))
    }
}
