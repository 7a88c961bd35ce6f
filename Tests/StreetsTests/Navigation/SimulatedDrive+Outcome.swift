extension SimulatedDrive {
    /// What one drive was like.
    struct Outcome {
        var turns = 0
        /// Turns that nobody could announce in time: unseen in a gap, or right after one or after
        /// the start of a route.
        var surprises = 0
        var departures = 0
        var renewals = 0
        var gaps = 0
        var jumps = 0
        var hasArrived = false
        var isToldSo = false
    }
}
