/// Random numbers that are the same for the same seed on every machine.
///
/// Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014.
public struct SplitMix: Sendable {
    private var state: UInt64

    /// A generator that always gives the same numbers for the same seed.
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

    /// A generator of its own for one subject, so that a change to one leaves the others alone.
    public mutating func branch() -> SplitMix {
        SplitMix(seed: next())
    }

    /// A number from 0 up to, but not including, 1.
    public mutating func unit() -> Double {
        Double(next() >> 11) / 9_007_199_254_740_992
    }

    /// A number between two bounds, evenly.
    public mutating func between(_ low: Double, _ high: Double) -> Double {
        low + (high - low) * unit()
    }

    /// A number around 0 within ±1, most often near 0 (the mean of three even ones).
    public mutating func bell() -> Double {
        (unit() + unit() + unit()) * 2 / 3 - 1
    }

    /// A whole number from 0 up to, but not including, `limit`, which is at least 1.
    public mutating func below(_ limit: Int) -> Int {
        Int(truncatingIfNeeded: next() % UInt64(max(1, limit)))
    }

    /// Whether an event of that probability happens.
    public mutating func happens(_ probability: Double) -> Bool {
        unit() < probability
    }

    /// One of the elements, which are not empty.
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
