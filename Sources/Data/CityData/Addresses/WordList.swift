import Columns

/// The sorted words of all names, with the searches on them.
///
/// To find one typing error, the search walks the sorted list as a trie: after each correct prefix
/// it tries every possible error once, then the rest must match. This needs no table besides the
/// words, finds prefixes as well as whole words, and takes some hundred binary searches; a table of
/// words with deleted letters would be ten times the size of the words.
struct WordList: Sendable {
    private let offsets: Column<UInt32>
    private let bytes: Column<UInt8>

    init(_ file: SectionFile) {
        offsets = file.column("address.word.offsets")
        bytes = file.column("address.word.bytes")
    }

    var count: Int { max(0, offsets.count - 1) }

    /// Of a range of words that share `depth` bytes, those that continue with the given bytes.
    ///
    /// - Complexity: O(log n) comparisons.
    func narrowed(_ range: Range<Int>, at depth: Int, to rest: some Collection<UInt8>) -> Range<Int>
    {
        let lower = partition(range) { compare($0, depth, rest) >= 0 }
        let upper = partition(lower..<range.upperBound) { compare($0, depth, rest) > 0 }
        return lower..<upper
    }

    /// Of a range of words that share `length` bytes, the one with exactly this length; an empty
    /// range where there is none.
    func whole(_ range: Range<Int>, length: Int) -> Range<Int> {
        // The shortest of the words with a common prefix comes first.
        guard !range.isEmpty, span(range.lowerBound).count == length else {
            return range.lowerBound..<range.lowerBound
        }
        return range.lowerBound..<range.lowerBound + 1
    }

    /// The words that begin with a word in which one byte was deleted, inserted, replaced, or
    /// swapped with the next (Damerau-Levenshtein distance 1).
    ///
    /// - Returns: ranges of words with the length of the corrected prefix.
    func oneErrorAway(from word: [UInt8]) -> [(range: Range<Int>, length: Int)] {
        var found: [(range: Range<Int>, length: Int)] = []
        func add(_ range: Range<Int>, _ length: Int) {
            if !range.isEmpty { found.append((range, length)) }
        }
        var right = 0..<count
        for depth in 0...word.count {
            guard !right.isEmpty else { break }
            let rest = word[depth...]
            if depth + 1 < word.count, word[depth] != word[depth + 1] {
                let swapped = [word[depth + 1], word[depth]] + word[(depth + 2)...]
                add(narrowed(right, at: depth, to: swapped), word.count)
            }
            if depth < word.count, word.count > 1 {
                add(narrowed(right, at: depth, to: rest.dropFirst()), word.count - 1)
            }
            forEachBranch(right, at: depth) { byte, branch in
                if depth < word.count, byte != word[depth] {
                    add(narrowed(branch, at: depth + 1, to: rest.dropFirst()), word.count)
                }
                if depth == word.count || byte != word[depth] {
                    add(narrowed(branch, at: depth + 1, to: rest), word.count + 1)
                }
            }
            if depth < word.count { right = narrowed(right, at: depth, to: rest.prefix(1)) }
        }
        return found
    }

    /// Calls `body` for each byte with which words of a range continue after `depth` bytes.
    private func forEachBranch(
        _ range: Range<Int>,
        at depth: Int,
        _ body: (UInt8, Range<Int>) -> Void
    ) {
        var lower = whole(range, length: depth).upperBound
        // There are at most this many bytes, whatever a damaged file contains.
        for _ in 0..<256 {
            guard lower < range.upperBound else { return }
            let span = span(lower)
            guard span.count > depth else { return }
            let byte = bytes[span.lowerBound + depth]
            let branch = narrowed(
                lower..<range.upperBound,
                at: depth,
                to: CollectionOfOne(byte)
            )
            body(byte, branch)
            lower = max(branch.upperBound, lower + 1)
        }
    }

    /// The byte range of a word.
    private func span(_ word: Int) -> Range<Int> {
        offsets.range(word, limit: bytes.count)
    }

    /// Compares a word, after `depth` bytes, with `rest`: below 0 where it comes before all words
    /// that continue with `rest`, 0 where it continues with it, above 0 where it comes after.
    private func compare(_ word: Int, _ depth: Int, _ rest: some Collection<UInt8>) -> Int {
        let span = span(word)
        var position = span.lowerBound + depth
        for byte in rest {
            guard position < span.upperBound else { return -1 }
            let own = bytes[position]
            if own != byte { return own < byte ? -1 : 1 }
            position += 1
        }
        return 0
    }

    /// The first word of a range for which a condition holds; it must hold for all words after it.
    private func partition(_ range: Range<Int>, _ isAfter: (Int) -> Bool) -> Int {
        var low = range.lowerBound
        var high = range.upperBound
        while low < high {
            let middle = low + (high - low) / 2
            if isAfter(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
