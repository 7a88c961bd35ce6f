import Chronology

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The machine's clock: the only place where the program reads the time of day.
enum SystemClock {
    /// The current time in whole seconds.
    static var now: Instant {
        Instant(seconds: moment.milliseconds / 1_000)
    }

    /// The current time in milliseconds.
    static var moment: Moment {
        var reading = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &reading)
        let milliseconds = Int64(reading.tv_sec) * 1_000 + Int64(reading.tv_nsec) / 1_000_000
        return Moment(milliseconds: milliseconds)
    }
}
