import Chronology

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The machine's clock: the one door by which the time of day enters the program.
enum SystemClock {
    /// The second that it is now.
    static var now: Instant {
        Instant(seconds: moment.milliseconds / 1_000)
    }

    /// The moment that it is now.
    static var moment: Moment {
        var reading = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &reading)
        let milliseconds = Int64(reading.tv_sec) * 1_000 + Int64(reading.tv_nsec) / 1_000_000
        return Moment(milliseconds: milliseconds)
    }
}
