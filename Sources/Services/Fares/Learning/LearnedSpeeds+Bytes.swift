extension LearnedSpeeds {
    /// The number of parts in which speeds are stored, so that no write is long.
    package static let partCount = 64

    /// The encoded speeds of one part, to be stored over a restart.
    ///
    /// A version byte, then for each street its number (eight bytes), the number of samples (one
    /// byte) and the samples, oldest first: block and taxis (one byte each), day and ratio (two
    /// bytes each); all little-endian.
    package func bytes(of part: Int) -> [UInt8] {
        precondition((0..<Self.partCount).contains(part), "there is no such part")
        var bytes = [Self.version]
        let own = samples.filter { Self.part(of: $0.key) == part }.sorted { $0.key < $1.key }
        for (street, samples) in own {
            Self.append(street.rawValue, count: 8, to: &bytes)
            bytes.append(UInt8(samples.count))
            for sample in samples {
                bytes += [sample.block, sample.taxis]
                Self.append(UInt64(sample.day), count: 2, to: &bytes)
                Self.append(UInt64(sample.perMille), count: 2, to: &bytes)
            }
        }
        return bytes
    }

    /// Decodes the parts; nil for anything else, since wrong speeds are worse than none.
    package init?(parts: [[UInt8]]) {
        self.init()
        for bytes in parts {
            guard bytes.first == Self.version else { return nil }
            var rest = bytes.dropFirst()
            while !rest.isEmpty {
                guard let street = Self.number(8, of: &rest), let count = Self.number(1, of: &rest),
                    count > 0
                else { return nil }
                let part = StreetPart(rawValue: street)
                var read: [SpeedSample] = []
                for _ in 0..<count {
                    guard let sample = Self.sample(&rest) else { return nil }
                    read.append(sample)
                }
                let blocks = Dictionary(grouping: read, by: \.block)
                guard samples[part] == nil, self.count + read.count <= Self.limit,
                    blocks.allSatisfy({ $0.value.count <= Self.sampleLimit })
                else { return nil }
                restore(read, of: part)
            }
        }
    }

    private static func sample(_ rest: inout ArraySlice<UInt8>) -> SpeedSample? {
        guard let block = number(1, of: &rest), let taxis = number(1, of: &rest),
            let day = number(2, of: &rest), let ratio = number(2, of: &rest),
            block <= level, (1...UInt64(SpeedTally.mostTaxis)).contains(taxis), ratio > 0
        else { return nil }
        return SpeedSample(
            block: UInt8(block),
            taxis: UInt8(taxis),
            day: UInt16(day),
            perMille: UInt16(ratio)
        )
    }

    /// The part in which a street is stored.
    private static func part(of street: StreetPart) -> Int {
        Int(street.rawValue % UInt64(partCount))
    }

    /// The version of the format.
    private static let version: UInt8 = 1

    private static func append(_ number: UInt64, count: Int, to bytes: inout [UInt8]) {
        for position in 0..<count {
            bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * position)))
        }
    }

    /// Removes a number of some bytes from the beginning; nil if there are too few.
    private static func number(_ count: Int, of rest: inout ArraySlice<UInt8>) -> UInt64? {
        guard rest.count >= count else { return nil }
        let number = rest.prefix(count).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        rest = rest.dropFirst(count)
        return number
    }
}
