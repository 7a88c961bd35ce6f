/// Random numbers that are the same for the same seed on every machine.
///
/// It is SplitMix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014.
public struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Creates a generator; the same seed always gives the same numbers.
    public init(seed: UInt64) {
        state = seed
    }

    /// The next 64 random bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// An independent generator for one subject, so that drawing more or fewer numbers for it
    /// leaves the others unchanged.
    public mutating func branch() -> SeededRandom {
        SeededRandom(seed: next())
    }

    /// A number from 0 up to, but not including, 1.
    public mutating func unit() -> Double {
        Double(next() >> 11) / 9_007_199_254_740_992
    }

    /// A number between two bounds, uniformly distributed.
    public mutating func between(_ low: Double, _ high: Double) -> Double {
        low + (high - low) * unit()
    }

    /// A number within ±1 that is most often near 0 (the mean of three uniform ones).
    public mutating func bell() -> Double {
        (unit() + unit() + unit()) * 2 / 3 - 1
    }

    /// A whole number from 0 up to, but not including, `limit`, which is at least 1.
    public mutating func below(_ limit: Int) -> Int {
        Int(truncatingIfNeeded: next() % UInt64(max(1, limit)))
    }

    /// Returns true with the given probability.
    public mutating func happens(_ probability: Double) -> Bool {
        unit() < probability
    }

    /// One of the elements, chosen uniformly; the array must not be empty.
    public mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[below(elements.count)]
    }

    /// The elements in random order (Fisher and Yates).
    public mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
        var result = elements
        var last = result.count - 1
        while last > 0 {
            result.swapAt(last, below(last + 1))
            last -= 1
        }
        return result
    }
}
