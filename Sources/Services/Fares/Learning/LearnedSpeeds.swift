package import Streets

/// What one part of a day has shown of a street.
struct SpeedSample: Hashable, Sendable {
    /// The number of the block of the week, or ``LearnedSpeeds/level``.
    var block: UInt8
    /// How many taxis stand behind it.
    var taxis: UInt8
    /// The day, since 1970-01-01.
    var day: UInt16
    /// The ratio in thousandths; for a level, the ratio to what was expected.
    var perMille: UInt16
}

/// The speeds of streets by the hour of the week, learned from the drives of the city's taxis.
///
/// It is to streets what ``Calibration`` is to the city. For each street, direction and block of
/// the week it keeps the last ``sampleLimit`` samples, each the median of at least three taxis in
/// one block of one day (``SpeedTally``). The result is their weighted *median*. A sample weighs as
/// much as it has taxis, and half as much every 28 days. Because few drives prove little, the
/// median is drawn, with the weight of ``doubt`` recent taxis, towards that of all streets of the
/// same kind in the block, times the street's own level over all hours; and the one of the kind
/// towards that of the city, and that one towards the map.
///
/// What planners use is the ratio of a street to the city's own pace in that block. The pace itself
/// is that of ``Calibration``, which learns it from whole drives. So a street of which nothing is
/// known counts as usual, and no way is preferred because its streets are unknown.
///
/// All values are integers. The same samples in the same order give the same ratios on every
/// machine. Memory is bounded by ``limit``.
package struct LearnedSpeeds: Hashable, Sendable {
    /// How many samples of a street and block are kept, the newest.
    static let sampleLimit = 8
    /// How many samples are kept in all, of 6 bytes each.
    ///
    /// When they are used up, further streets are learned only as old ones are forgotten.
    package static let limit = 2_000_000
    /// The weight of the less specific median, in recent taxis.
    static let doubt: Int64 = 4
    /// After how many days a sample is forgotten, when it would weigh less than a 250th.
    static let forgottenDays = 224
    /// The range of ratios to the city's pace that planners use, in thousandths.
    package static let used: ClosedRange<Int64> = 500...5_000
    /// The number of a sample that is about all blocks.
    static let level = UInt8(WeekBlock.count)

    /// The day of the newest samples, since 1970-01-01; 0 without samples.
    package private(set) var day: UInt16 = 0
    /// The number of all samples.
    package private(set) var count = 0
    private(set) var samples: [StreetPart: [SpeedSample]] = [:]

    /// Creates speeds of which nothing is known.
    package init() {}

    /// Whether nothing is known.
    package var isEmpty: Bool { samples.isEmpty }
    /// How many directions of streets are known.
    package var streetCount: Int { samples.keys.count(where: \.isStreet) }

    /// Whether something is known of a street in one direction.
    package func knows(_ part: StreetPart) -> Bool { samples[part] != nil }

    // MARK: Learning

    /// Learns from a block that is over, or from a whole day.
    ///
    /// - Parameters:
    ///   - streets: the streets that count.
    ///   - block: the block, whose ratios are those to the map; nil for a day, whose ratios are
    ///     those to ``expected(_:in:)``.
    ///   - day: the day, since 1970-01-01.
    package mutating func learn(
        _ streets: [SpeedTally.Street],
        in block: WeekBlock?,
        on day: Int32
    ) {
        let day = UInt16(clamping: day)
        if day > self.day {
            self.day = day
            forget()
        }
        let number = block.map { UInt8($0.number) } ?? Self.level
        for street in streets {
            let sample = SpeedSample(
                block: number,
                taxis: street.taxis,
                day: day,
                perMille: street.perMille
            )
            add(sample, of: street.part)
        }
        guard block != nil else { return }
        var groups = [(part: StreetPart.city, streets: streets)]
        for kind in StreetKind.allCases {
            groups.append((.all(of: kind), streets.filter { $0.kind == kind }))
        }
        for (part, group) in groups where group.count >= SpeedTally.leastTaxis {
            let sample = SpeedSample(
                block: number,
                taxis: UInt8(min(group.count, SpeedTally.mostTaxis)),
                day: day,
                perMille: SpeedTally.median(group.map(\.perMille))
            )
            add(sample, of: part)
        }
    }

    private mutating func add(_ sample: SpeedSample, of part: StreetPart) {
        var own = samples[part] ?? []
        if own.count(where: { $0.block == sample.block }) >= Self.sampleLimit,
            let oldest = own.firstIndex(where: { $0.block == sample.block })
        {
            own.remove(at: oldest)
            count -= 1
        }
        guard count < Self.limit else { return }
        own.append(sample)
        count += 1
        samples[part] = own
    }

    /// Removes the samples that weigh nothing.
    private mutating func forget() {
        samples = samples.compactMapValues { own in
            let kept = own.filter { Int(day) - Int($0.day) < Self.forgottenDays }
            return kept.isEmpty ? nil : kept
        }
        count = samples.values.reduce(0) { $0 + $1.count }
        precondition(count <= Self.limit, "more samples are kept than the limit allows")
    }

    // MARK: What is expected

    /// The ratio of actual to mapped times that is expected of a street of a kind, in thousandths.
    package func expected(_ kind: StreetKind, in block: WeekBlock) -> Int64 {
        median(of: .all(of: kind), block, towards: pace(in: block))
    }

    /// The ratio of actual to mapped times of the city, in thousandths.
    package func pace(in block: WeekBlock) -> Int64 {
        median(of: .city, block, towards: 1_000)
    }

    /// The ratio of a street's times to those that the city's pace gives it, in thousandths; nil if
    /// nothing was learned of the street.
    package func ratio(
        of part: StreetPart,
        _ kind: StreetKind,
        in block: WeekBlock
    ) -> Int64? {
        guard samples[part] != nil else { return nil }
        let level = median(of: part, nil, towards: 1_000)
        let usual = expected(kind, in: block) * level / 1_000
        let own = median(of: part, block, towards: usual)
        return min(max(own * 1_000 / pace(in: block), Self.used.lowerBound), Self.used.upperBound)
    }

    /// The weighted median of a block, drawn towards a value.
    private func median(
        of part: StreetPart,
        _ block: WeekBlock?,
        towards other: Int64
    ) -> Int64 {
        let number = block.map { UInt8($0.number) } ?? Self.level
        let weighed = (samples[part] ?? []).filter { $0.block == number }
            .map { (ratio: Int64($0.perMille), weight: weight(of: $0)) }
            .sorted { $0.ratio < $1.ratio }
        let total = weighed.reduce(0) { $0 + $1.weight }
        var sum: Int64 = 0
        let median = weighed.first { _, weight in
            sum += weight
            return 2 * sum >= total
        }
        guard let median, total > 0 else { return other }
        let doubt = Self.doubt * Self.weights[0]
        return (median.ratio * total + other * doubt + (total + doubt) / 2) / (total + doubt)
    }

    /// The weights of a taxi in the four weeks of a half-life: 2^(-age / 4) in 1024ths.
    private static let weights: [Int64] = [1024, 861, 724, 609]

    /// The weight of a sample, in 1024ths of a recent taxi.
    private func weight(of sample: SpeedSample) -> Int64 {
        let weeks = max(0, Int(day) - Int(sample.day)) / 7
        return Int64(sample.taxis) * (Self.weights[weeks % 4] >> Int64(weeks / 4))
    }

    // MARK: Storage

    /// Adds stored samples; called by ``init(parts:)`` alone.
    mutating func restore(_ stored: [SpeedSample], of part: StreetPart) {
        samples[part] = stored
        count += stored.count
        day = stored.reduce(day) { max($0, $1.day) }
    }
}
