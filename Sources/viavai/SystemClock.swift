import Chronology

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The machine's clock: the one door by which the time of day enters the program.
enum SystemClock {
    /// The moment that it is now.
    static var now: Instant {
        var reading = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &reading)
        return Instant(seconds: Int64(reading.tv_sec))
    }
}
