import Chronology

extension Moment {
    /// Whole seconds since 1970, rounded down, clamped to the years 1 to 9999.
    var flooredSeconds: Int64 {
        let seconds = milliseconds / 1_000 - (milliseconds % 1_000 < 0 ? 1 : 0)
        return min(max(seconds, -62_135_500_000), 253_402_200_000)
    }
}
