import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// How long queries took, printed by `--stats`.
struct Statistics {
    let load: Duration
    let queries: [Duration]

    /// Prints the load time, percentiles over the queries and the peak memory on standard error.
    func print() {
        let sorted = queries.sorted()
        Console.note("load    \(Self.milliseconds(load))")
        Console.note("queries \(queries.count)")
        for (name, share) in [("p50", 0.5), ("p95", 0.95), ("p99", 0.99), ("max", 1.0)] {
            guard !sorted.isEmpty else { break }
            let rank = Int((share * Double(sorted.count)).rounded(.up)) - 1
            Console.note("\(name)     \(Self.milliseconds(sorted[max(0, rank)]))")
        }
        Console.note("memory  \(Self.peakMegabytes()) MB at the peak")
    }

    private static func milliseconds(_ duration: Duration) -> String {
        let seconds = duration.components
        let microseconds =
            seconds.seconds * 1_000_000 + seconds.attoseconds / 1_000_000_000_000
        return String(format: "%.3f ms", Double(microseconds) / 1_000)
    }

    /// The peak resident memory in megabytes.
    private static func peakMegabytes() -> Int {
        var usage = rusage()
        _ = unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss / 1_000
    }
}
