extension Calibration {
    /// The encoded calibration, to be stored over a restart.
    ///
    /// A version byte, then for each sample with data its index (two bytes), the number of ratios
    /// (one byte) and the ratios, oldest first (two bytes each); all little-endian.
    package var bytes: [UInt8] {
        var bytes = [Self.version]
        for (number, sample) in samples.enumerated() where !sample.ratios.isEmpty {
            Self.append(UInt16(number), to: &bytes)
            bytes.append(UInt8(sample.ratios.count))
            for ratio in sample.ratios { Self.append(ratio, to: &bytes) }
        }
        return bytes
    }

    /// Decodes ``bytes``; nil for anything else, since a wrong calibration is worse than none.
    package init?(bytes: [UInt8]) {
        self.init()
        guard bytes.first == Self.version else { return nil }
        var place = 1
        var next = 0
        func number(at place: Int) -> Int { Int(bytes[place]) | Int(bytes[place + 1]) << 8 }
        while place < bytes.count {
            guard bytes.count - place >= 3 else { return nil }
            let kind = number(at: place)
            let count = Int(bytes[place + 2])
            place += 3
            guard kind >= next, kind < samples.count, (1...Sample.limit).contains(count),
                bytes.count - place >= 2 * count
            else { return nil }
            for _ in 0..<count {
                let ratio = number(at: place)
                guard Self.believed.contains(Int64(ratio)) else { return nil }
                samples[kind].add(UInt16(ratio))
                place += 2
            }
            next = kind + 1
        }
    }

    /// The version of the format.
    private static let version: UInt8 = 1

    private static func append(_ number: UInt16, to bytes: inout [UInt8]) {
        bytes.append(UInt8(truncatingIfNeeded: number))
        bytes.append(UInt8(truncatingIfNeeded: number >> 8))
    }
}
