import SeededRandom

extension SeededRandom {
    /// The random numbers of one subject, such as of a station in an hour: they are the same
    /// whatever else has been drawn, and so after a restart.
    init(seed: UInt64, _ keys: Int64...) {
        var state = seed
        for key in keys {
            var mixing = SeededRandom(seed: state ^ UInt64(bitPattern: key))
            state = mixing.next()
        }
        self.init(seed: state)
    }
}
