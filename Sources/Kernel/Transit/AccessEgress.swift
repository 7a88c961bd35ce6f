extension Raptor {
    /// Access to the first platform of a journey, or egress from the last one, as a function of the
    /// moment.
    ///
    /// Within certain moments one may set out, and the way then always takes the same time; who
    /// could set out before them waits. Most ways can be begun at any moment. A way that takes
    /// longer at some hours, is closed then, or begins with waiting for a taxi, is several of these
    /// values to one platform. Searches take the best of them, which makes a function with any
    /// number of pieces. Since one may always wait, those who set out later never arrive earlier,
    /// as searches for a range of moments require.
    public struct AccessEgress: Sendable, Equatable {
        /// The platform where the first ride may begin, or the last one end.
        public let platform: PlatformIndex
        /// Seconds from the origin to the platform, or from it to the destination.
        public let seconds: Int32
        /// Metres walked on the way; they count only where walking is limited.
        public let metres: UInt32
        /// What the way emits, in micrograms; it counts only where emissions do.
        public let micrograms: Int64
        /// The first moment at which one may set out, in the window's seconds; `Int32.min` where
        /// there is no first.
        public let first: Int32
        /// The last moment at which one may set out; `Int32.max` where there is no last.
        public let last: Int32

        /// A platform and the way to or from it, at any moment by default.
        public init(
            platform: PlatformIndex,
            seconds: Int32,
            metres: UInt32 = 0,
            micrograms: Int64 = 0,
            first: Int32 = .min,
            last: Int32 = .max
        ) {
            self.platform = platform
            self.seconds = seconds
            self.metres = metres
            self.micrograms = micrograms
            self.first = first
            self.last = last
        }

        /// Whether one cannot set out at any moment.
        var isTimed: Bool { first > .min || last < .max }

        /// When those who are ready at a moment come to the end of the way;
        /// ``Raptor/never`` where it is too late for it.
        @inline(__always)
        public func end(leavingAt moment: Int32) -> Int32 {
            moment > last ? Raptor.never : max(moment, first) &+ seconds
        }

        /// The latest moment to set out and come to the end of the way by a time; -``Raptor/never``
        /// where one cannot.
        @inline(__always)
        public func start(arrivingBy time: Int32) -> Int32 {
            let moment = min(last, time &- seconds)
            return moment >= first ? moment : 0 &- Raptor.never
        }

        /// The same way in a mirrored window, where journeys begin at its end.
        var mirrored: AccessEgress {
            AccessEgress(
                platform: platform,
                seconds: seconds,
                metres: metres,
                micrograms: micrograms,
                first: last == .max ? .min : 0 &- (last &+ seconds),
                last: first == .min ? .max : 0 &- (first &+ seconds)
            )
        }
    }
}

extension [Raptor.AccessEgress] {
    /// The same ways in a mirrored window.
    var mirrored: [Raptor.AccessEgress] {
        contains { $0.isTimed } ? map { $0.mirrored } : self
    }

    /// The way of a platform that leads from one moment to another.
    func way(_ platform: PlatformIndex, from start: Int32, to end: Int32) -> Raptor.AccessEgress? {
        first { $0.platform == platform && $0.end(leavingAt: start) == end }
    }
}
