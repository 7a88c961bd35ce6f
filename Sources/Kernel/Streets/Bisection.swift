extension Range<Int> {
    /// The first position that does not precede what is looked for; the end if all do.
    ///
    /// - Parameter precedes: whether a position precedes it; after one that does not, none does.
    /// - Returns: the position, found by bisection.
    @inline(__always)
    func bisected(_ precedes: (Int) -> Bool) -> Int {
        var (low, high) = (lowerBound, upperBound)
        while low < high {
            let middle = low + (high - low) / 2
            if precedes(middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
