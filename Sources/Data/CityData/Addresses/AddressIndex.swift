import Columns
import OpenData

/// Builds the index from words to names.
///
/// A *name row* is one name of an entry. Words are sorted by their bytes, so that a prefix
/// corresponds to a range of them; each word has the ascending name rows in which it occurs.
struct AddressIndex {
    /// The entry of each name row.
    private var entryOfName: [UInt32] = []
    /// For each name the number of words that count, in the lower four bits, and the number of
    /// words that may be left out, in the next three; then ``leavesTownOut``.
    private var wordsOfName: [UInt8] = []
    /// The bit that tells that the words of the town are among those that may be left out.
    static let leavesTownOut: UInt8 = 1 << 7
    private var numbers = IdentifierTable()
    private var words: [[UInt8]] = []
    private var postings: [UInt64] = []

    /// The index of all entries of a register.
    init(_ register: AddressRegister) {
        var wordsOfTown: [UInt32: Set<[UInt8]>] = [:]
        for (row, entry) in register.entries.enumerated() where row > 0 {
            let town = entry.town
            if wordsOfTown[town] == nil, town > 0 {
                let name = register.texts.texts[Int(register.entries[Int(town)].name)]
                wordsOfTown[town] = Set(AddressText.words(name).map(\.bytes))
            }
            let townWords = wordsOfTown[town] ?? []
            add(register.texts.texts[Int(entry.name)], UInt32(row), townWords)
            guard entry.otherNames != 0 else { continue }
            for other in register.texts.texts[Int(entry.otherNames)].split(separator: ";") {
                add(String(other), UInt32(row), townWords)
            }
        }
    }

    private mutating func add(_ name: String, _ row: UInt32, _ townWords: Set<[UInt8]>) {
        let words = AddressText.words(name)
        guard !words.isEmpty else { return }
        let nameRow = UInt64(entryOfName.count)
        entryOfName.append(row)
        let own = words.filter { !AddressVocabulary.isOptional($0.bytes) }.map(\.bytes)
        // Nobody in Milan needs the first word of "Milano Centrale".
        let shorter = own.filter { !townWords.contains($0) }
        let counted = shorter.allSatisfy(AddressVocabulary.isGeneric) ? own.count : shorter.count
        let uncounted = min(7, words.count - counted)
        let leavesTownOut = counted < own.count ? Self.leavesTownOut : 0
        wordsOfName.append(UInt8(max(1, min(counted, 15))) | UInt8(uncounted) << 4 | leavesTownOut)
        for (position, word) in words.enumerated() {
            post(word.bytes, nameRow)
            if word.followsApostrophe, position > 0 {
                // Users who omit the apostrophe write one word: Sant'Andrea, santandrea.
                post(words[position - 1].bytes + word.bytes, nameRow)
            }
        }
    }

    private mutating func post(_ word: [UInt8], _ nameRow: UInt64) {
        let number: Int
        if let known = numbers.number(of: word[...]) {
            number = known
        } else if let new = numbers.insert(word[...]) {
            number = new
            words.append(word)
        } else {
            return
        }
        postings.append(UInt64(number) << 32 | nameRow)
    }

    /// Adds the index to a city file.
    func write(to writer: inout SectionWriter) {
        let order = words.indices.sorted { words[$0].lexicographicallyPrecedes(words[$1]) }
        var rank = [UInt64](repeating: 0, count: words.count)
        for (position, number) in order.enumerated() { rank[number] = UInt64(position) }
        var sorted = postings.map { rank[Int($0 >> 32)] << 32 | $0 & 0xFFFF_FFFF }
        sorted.sort()
        var names: [UInt32] = []
        var offsets = [UInt32](repeating: 0, count: words.count + 1)
        var last: UInt64?
        for posting in sorted where posting != last {
            last = posting
            names.append(UInt32(truncatingIfNeeded: posting))
            offsets[Int(posting >> 32) + 1] += 1
        }
        for row in 1..<max(1, offsets.count) { offsets[row] += offsets[row - 1] }
        var wordOffsets: [UInt32] = [0]
        var bytes: [UInt8] = []
        for number in order {
            bytes += words[number]
            wordOffsets.append(UInt32(bytes.count))
        }
        writer.add("address.name.entry", entryOfName)
        writer.add("address.name.words", wordsOfName)
        writer.add("address.word.offsets", wordOffsets)
        writer.add("address.word.bytes", bytes)
        writer.add("address.posting.offsets", offsets)
        writer.add("address.posting.name", names)
    }
}
