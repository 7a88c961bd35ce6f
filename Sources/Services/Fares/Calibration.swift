package import Chronology

/// How much longer drives really take than the map says, learned from drives that ended.
///
/// For each hour of the week and each class of distance it keeps the last ``Sample/limit`` ratios
/// of real to mapped time. What counts is their weighted *median*, so that a taxi that stopped
/// for coffee, or a clock that was wrong, changes nothing; the weights halve every eight drives,
/// so that a new road works within a day. Few drives prove little: the median is drawn towards
/// that of all hours of the same class, and that one towards 1, as if ``doubt`` fresh drives had
/// shown so. Before anything is learned the ratio is 1.
///
/// All is whole numbers in a memory of fixed size (about 60 kB when full), and the same drives in
/// the same order give the same ratios on every machine. Each drive is learned by
/// ``learn(mapped:real:at:)``, and what was foretold of it is judged apart, by ``ArrivalErrors``.
package struct Calibration: Hashable, Sendable {
    /// The hours of a week, from Monday midnight.
    package static let hours = 168
    /// The lengths in decimetres below which the first, second and third class of distance lie.
    package static let classLimits: [Int64] = [10_000, 30_000, 80_000]
    /// How many fresh drives what is known of more hours weighs.
    static let doubt: Int64 = 4
    /// The least and greatest ratio believed, in thousandths.
    static let believed: ClosedRange<Int64> = 200...8_000
    /// Drives that the map says take less, in milliseconds, teach nothing: a red light is most
    /// of their time.
    static let leastMilliseconds: Int64 = 30_000

    /// How many classes of distance there are; the last has no limit.
    private static let classes = classLimits.count + 1
    /// The drives of each class, then those of each class at each hour of the week.
    var samples: [Sample]

    /// Nothing learned.
    package init() {
        samples = Array(repeating: Sample(), count: Self.classes * (1 + Self.hours))
    }

    /// Learns from a drive that ended.
    ///
    /// - Parameters:
    ///   - mapped: what the map said when it began, not yet calibrated.
    ///   - real: the milliseconds that it took.
    ///   - time: when it began, on the city's clocks.
    /// - Returns: whether it taught anything; drives that are very short, or whose ratio nobody
    ///   would believe, do not.
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

    /// How long a drive of that length really takes at a time, in thousandths of what the map
    /// says.
    package func perMille(decimetres: Int64, at time: LocalTime) -> Int64 {
        let distance = Self.distanceClass(decimetres)
        let usual = samples[distance].median(towards: 1_000, weighing: Self.doubt)
        return samples[Self.cell(distance, time)].median(towards: usual, weighing: Self.doubt)
    }

    /// A drive of the map in the time that it will really take.
    package func corrected(_ mapped: Drive, at time: LocalTime) -> Drive {
        mapped.taking(perMille: perMille(decimetres: mapped.decimetres, at: time))
    }

    /// How much longer or shorter than expected drives of that length take, nine in ten times.
    ///
    /// - Returns: ``TimeSpread/usual`` before 16 drives were learned.
    package func spread(decimetres: Int64) -> TimeSpread {
        let sample = samples[Self.distanceClass(decimetres)]
        guard sample.ratios.count >= Sample.limit / 2,
            let low = sample.quantile(percent: 5), let middle = sample.quantile(percent: 50),
            let high = sample.quantile(percent: 95)
        else { return .usual }
        return TimeSpread(low: low * 1_000 / middle, high: high * 1_000 / middle)
    }

    /// How many drives the ratio of that length and time rests on, at most ``Sample/limit``.
    package func known(decimetres: Int64, at time: LocalTime) -> Int {
        samples[Self.cell(Self.distanceClass(decimetres), time)].ratios.count
    }

    /// The class of a distance, from the shortest.
    static func distanceClass(_ decimetres: Int64) -> Int {
        classLimits.firstIndex { decimetres < $0 } ?? classLimits.count
    }

    private static func cell(_ distance: Int, _ time: LocalTime) -> Int {
        let hour = Int(max(0, min(86_399, time.second)) / 3_600)
        return classes + distance * hours + Int(time.date.weekday) * 24 + hour
    }
}

/// The last few ratios of one kind of drive, oldest first.
struct Sample: Hashable, Sendable {
    /// How many are kept.
    static let limit = 32
    /// Thousandths; the newest last.
    private(set) var ratios: [UInt16] = []

    /// Adds the newest and forgets the oldest beyond the limit.
    mutating func add(_ ratio: UInt16) {
        if ratios.count == Self.limit { ratios.removeFirst() }
        ratios.append(ratio)
    }

    /// What a drive weighs by its age in drives, 0 for the newest: 2^(-age / 8) in 1024ths.
    static let weights: [Int64] = [
        1024, 939, 861, 790, 724, 664, 609, 558, 512, 470, 431, 395, 362, 332, 304, 279,
        256, 235, 215, 197, 181, 166, 152, 140, 128, 117, 108, 99, 91, 83, 76, 70,
    ]

    /// The least ratio at which so many hundredths of the weight are reached; nil without any.
    ///
    /// Source: the weighted quantile by the inverse of the distribution function.
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

    /// The weighted median, drawn towards another value of the weight of that many fresh ones.
    func median(towards other: Int64, weighing count: Int64) -> Int64 {
        guard let median = quantile(percent: 50) else { return other }
        let total = Self.weights.prefix(ratios.count).reduce(0, +)
        let doubt = count * Self.weights[0]
        return (median * total + other * doubt + (total + doubt) / 2) / (total + doubt)
    }
}
