/// A stretch of numbers that a search reads and writes without checks in optimised code.
///
/// Safe although unchecked: every index that a search uses is a platform, route, call or round of
/// the window, whose tables are made from bounded values (see ``ServiceWindow``); in debug builds
/// each access is asserted. Without it, checks and the reference counts of arrays took half of a
/// search's time (docs/benchmarks.md).
@safe
struct Row {
    private let base: UnsafeMutablePointer<Int32>
    private let count: Int

    /// The numbers of a buffer that outlives the row; nil if it is empty.
    init?(_ buffer: UnsafeMutableBufferPointer<Int32>) {
        guard let address = buffer.baseAddress, !buffer.isEmpty else { return nil }
        unsafe base = unsafe address
        count = buffer.count
    }

    private init(base: UnsafeMutablePointer<Int32>, count: Int) {
        unsafe self.base = unsafe base
        self.count = count
    }

    /// A contiguous part of the row.
    func part(_ start: Int, count: Int) -> Row {
        precondition(start >= 0 && count >= 0 && start + count <= self.count)
        return unsafe Row(base: base + start, count: count)
    }

    @inline(__always)
    subscript(index: Int) -> Int32 {
        get {
            assert(index >= 0 && index < count)
            return unsafe base[index]
        }
        nonmutating set {
            assert(index >= 0 && index < count)
            unsafe base[index] = newValue
        }
    }

    /// Sets all numbers to a value.
    func fill(_ value: Int32) {
        unsafe base.update(repeating: value, count: count)
    }

    /// Lowers each number to the sum of that of another row and an amount, if that is less.
    func lower(to other: ReadRow, adding more: Int32) {
        precondition(other.count == count)
        for index in 0..<count { self[index] = min(self[index], other[index] &+ more) }
    }

    /// Copies the numbers of another row of the same length.
    func copy(_ other: Row) {
        precondition(other.count == count)
        unsafe base.update(from: other.base, count: count)
    }
}

/// A read-only ``Row``.
@safe
struct ReadRow {
    private let base: UnsafePointer<Int32>
    /// How many numbers it has.
    let count: Int

    /// The numbers of a buffer that outlives the row; nil if it is empty.
    init?(_ buffer: UnsafeBufferPointer<Int32>) {
        guard let address = buffer.baseAddress, !buffer.isEmpty else { return nil }
        unsafe base = unsafe address
        count = buffer.count
    }

    private init(base: UnsafePointer<Int32>, count: Int) {
        unsafe self.base = unsafe base
        self.count = count
    }

    /// A contiguous part of the row.
    func part(_ start: Int, count: Int) -> ReadRow {
        precondition(start >= 0 && count >= 0 && start + count <= self.count)
        return unsafe ReadRow(base: base + start, count: count)
    }

    @inline(__always)
    subscript(index: Int) -> Int32 {
        assert(index >= 0 && index < count)
        return unsafe base[index]
    }

    /// The first of the numbers `0..<end` of a column that is not below a value; `end` if all are
    /// below.
    ///
    /// Numbers of a column never decrease, and are `stride` apart. The search gallops in
    /// growing steps from a position that is likely to be near, because each distant
    /// access waits for memory.
    @inline(__always)
    func search(
        _ column: Int,
        _ stride: Int,
        _ end: Int,
        near: Int,
        notBelow value: Int32
    ) -> Int {
        var low = 0
        var high = end
        var step = 1
        if near < end, self[column &+ near &* stride] < value {
            low = near &+ 1
            while low &+ step <= high {
                let probe = low &+ step &- 1
                if self[column &+ probe &* stride] >= value {
                    high = probe
                    break
                }
                low = probe &+ 1
                step &*= 2
            }
        } else {
            high = min(near, end)
            while high &- step >= low {
                let probe = high &- step
                if self[column &+ probe &* stride] < value {
                    low = probe &+ 1
                    break
                }
                high = probe
                step &*= 2
            }
        }
        while low < high {
            let middle = (low &+ high) / 2
            if self[column &+ middle &* stride] < value { low = middle &+ 1 } else { high = middle }
        }
        return low
    }
}
