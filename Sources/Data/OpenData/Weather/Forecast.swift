package import Chronology
package import Geo

/// How much rain or snow is expected at a place, in one form for all weather services.
package struct Forecast: Hashable, Sendable {
    /// The place that it is about; services move it to the centre of a cell of their model.
    package let place: Coordinate
    /// When the service made it, or when it was last confirmed by a service that does not say so.
    package var made: Instant
    /// The parts of the time ahead, in order and without overlap.
    package let intervals: [Interval]

    /// How many seconds a forecast is good for.
    ///
    /// An older one says nothing: not that it stays dry.
    package static let usableSeconds: Int64 = 6 * 3_600

    /// A part of the time ahead.
    package struct Interval: Hashable, Sendable {
        /// Its first moment.
        package let start: Instant
        /// The moment after its last.
        package let end: Instant
        /// The rain, sleet and snow in all of it, melted, in millimetres.
        package let millimetres: Double
        /// The probability of more than a trace of it, from 0 to 1; nil if the service gives none.
        package let probability: Double?

        /// Creates an interval.
        package init(start: Instant, end: Instant, millimetres: Double, probability: Double?) {
            self.start = start
            self.end = end
            self.millimetres = millimetres
            self.probability = probability
        }

        /// The rate of precipitation.
        package var millimetresPerHour: Double {
            millimetres * 3_600 / Double(max(1, end.seconds - start.seconds))
        }
    }

    /// Creates a forecast from intervals in any order: finer ones replace the coarser ones that
    /// they overlap.
    init(place: Coordinate, made: Instant, intervals: [Interval]) {
        self.place = place
        self.made = made
        let finestFirst = intervals.sorted {
            ($0.end.seconds - $0.start.seconds, $0.start.seconds)
                < ($1.end.seconds - $1.start.seconds, $1.start.seconds)
        }
        var kept: [Interval] = []
        for interval in finestFirst {
            // Where the kept intervals begin that end after this one begins.
            var low = 0
            var high = kept.count
            while low < high {
                let middle = (low + high) / 2
                if kept[middle].end <= interval.start { low = middle + 1 } else { high = middle }
            }
            if low == kept.count || kept[low].start >= interval.end {
                kept.insert(interval, at: low)
            }
        }
        self.intervals = kept
    }

    /// Whether the forecast is too old to be used.
    package func isStale(_ now: Instant) -> Bool {
        now.seconds - made.seconds > Self.usableSeconds
    }

    /// What is expected at a moment; nil if it is unknown, because the forecast is too old or does
    /// not reach so far.
    package func interval(at moment: Instant, asOf now: Instant) -> Interval? {
        guard !isStale(now) else { return nil }
        return intervals.first { $0.start <= moment && moment < $0.end }
    }
}
