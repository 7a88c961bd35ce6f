package import Chronology

/// The ratio of actual to mapped driving times, learned from completed drives.
///
/// For each hour of the week and each distance class it keeps the last ``Sample/limit`` ratios of
/// actual to mapped time. The result is their weighted *median*, so that a taxi that stopped for
/// coffee or a wrong clock has no effect. The weights halve every eight drives, so that a new road
/// takes effect within a day. Because few drives prove little, the median is drawn towards that of
/// all hours of the same class, and that one towards 1, with the weight of ``doubt`` recent drives.
/// Without data the ratio is 1.
///
/// All values are integers in constant memory (about 60 kB when full), and the same drives in the
/// same order give the same ratios on every machine. ``learn(mapped:real:at:)`` adds a drive;
/// ``ArrivalErrors`` separately records the error of its prediction.
package struct Calibration: Hashable, Sendable {
    /// The hours of a week, counted from Monday midnight.
    package static let hours = 168
    /// The upper limits of the first three distance classes, in decimetres.
    package static let classLimits: [Int64] = [10_000, 30_000, 80_000]
    /// The weight of the less specific median, in recent drives.
    static let doubt: Int64 = 4
    /// The range of plausible ratios, in thousandths.
    static let believed: ClosedRange<Int64> = 200...8_000
    /// The shortest mapped time that is used, in milliseconds, because a red light would
    /// dominate a shorter drive.
    static let leastMilliseconds: Int64 = 30_000

    /// The number of distance classes; the last one has no limit.
    private static let classes = classLimits.count + 1
    /// The samples of each class, followed by those of each class and hour of the week.
    var samples: [Sample]

    /// Creates a calibration without data.
    package init() {
        samples = Array(repeating: Sample(), count: Self.classes * (1 + Self.hours))
    }

    /// Learns from a completed drive.
    ///
    /// - Parameters:
    ///   - mapped: the drive according to the map, without calibration.
    ///   - real: the actual duration in milliseconds.
    ///   - time: the start of the drive in local time.
    /// - Returns: whether the drive was used; very short drives and implausible ratios are not.
    @discardableResult
    package mutating func learn(mapped: Drive, real: Int64, at time: LocalTime) -> Bool {
        let expected = mapped.milliseconds
        guard expected >= Self.leastMilliseconds, real > 0, real <= Drive.limit else {
            return false
        }
        let ratio = (real * 1_000 + expected / 2) / expected
        guard Self.believed.contains(ratio) else { return false }
        let distance = Self.distanceClass(mapped.decimetres)
        samples[distance].add(UInt16(clamping: ratio))
        samples[Self.cell(distance, time)].add(UInt16(clamping: ratio))
        return true
    }

    /// Returns the ratio for a distance and time, in thousandths of the mapped duration.
    package func perMille(decimetres: Int64, at time: LocalTime) -> Int64 {
        let distance = Self.distanceClass(decimetres)
        let usual = samples[distance].median(towards: 1_000, weighing: Self.doubt)
        return samples[Self.cell(distance, time)].median(towards: usual, weighing: Self.doubt)
    }

    /// Returns a mapped drive with its calibrated duration.
    package func corrected(_ mapped: Drive, at time: LocalTime) -> Drive {
        mapped.taking(perMille: perMille(decimetres: mapped.decimetres, at: time))
    }

    /// Returns the range of durations that covers nine in ten drives of a distance.
    ///
    /// - Returns: ``TimeSpread/usual`` until 16 drives were recorded.
    package func spread(decimetres: Int64) -> TimeSpread {
        let sample = samples[Self.distanceClass(decimetres)]
        guard sample.ratios.count >= Sample.limit / 2,
            let low = sample.quantile(percent: 5), let middle = sample.quantile(percent: 50),
            let high = sample.quantile(percent: 95)
        else { return .usual }
        return TimeSpread(low: low * 1_000 / middle, high: high * 1_000 / middle)
    }

    /// The number of drives behind the ratio for a distance and time, at most ``Sample/limit``.
    package func known(decimetres: Int64, at time: LocalTime) -> Int {
        samples[Self.cell(Self.distanceClass(decimetres), time)].ratios.count
    }

    /// The index of a distance class, from the shortest.
    static func distanceClass(_ decimetres: Int64) -> Int {
        classLimits.firstIndex { decimetres < $0 } ?? classLimits.count
    }

    private static func cell(_ distance: Int, _ time: LocalTime) -> Int {
        let hour = Int(max(0, min(86_399, time.second)) / 3_600)
        return classes + distance * hours + Int(time.date.weekday) * 24 + hour
    }
}

/// The latest ratios of one kind of drive, oldest first.
struct Sample: Hashable, Sendable {
    /// The number of ratios kept.
    static let limit = 32
    /// The ratios in thousandths; the newest is last.
    private(set) var ratios: [UInt16] = []

    /// Adds a ratio and removes the oldest beyond the limit.
    mutating func add(_ ratio: UInt16) {
        if ratios.count == Self.limit { ratios.removeFirst() }
        ratios.append(ratio)
    }

    /// The weights of drives by age, 0 for the newest: 2^(-age / 8) in 1024ths.
    static let weights: [Int64] = [
        1024, 939, 861, 790, 724, 664, 609, 558, 512, 470, 431, 395, 362, 332, 304, 279,
        256, 235, 215, 197, 181, 166, 152, 140, 128, 117, 108, 99, 91, 83, 76, 70,
    ]

    /// Returns a weighted quantile, given in percent; nil without ratios.
    ///
    /// Source: the weighted quantile as the inverse of the distribution function.
    func quantile(percent: Int64) -> Int64? {
        let weighed = zip(ratios.reversed(), Self.weights).sorted { $0.0 < $1.0 }
        let total = weighed.reduce(0) { $0 + $1.1 }
        var sum: Int64 = 0
        for (ratio, weight) in weighed {
            sum += weight
            if 100 * sum >= percent * total { return Int64(ratio) }
        }
        return nil
    }

    /// Returns the weighted median, drawn towards a value with the weight of `count` recent ratios.
    func median(towards other: Int64, weighing count: Int64) -> Int64 {
        guard let median = quantile(percent: 50) else { return other }
        let total = Self.weights.prefix(ratios.count).reduce(0, +)
        let doubt = count * Self.weights[0]
        return (median * total + other * doubt + (total + doubt) / 2) / (total + doubt)
    }
}
