import Columns
import Geo

/// A search in progress: which words of the query each name contains, and at what cost.
struct AddressSearch {
    let book: AddressBook
    let query: AddressQuery
    /// The part of the query that names a kind of place.
    let phrase: PlaceKind.Phrase?
    /// The query words that each name row contains, one bit each.
    private var found: [UInt16]
    /// The cost of finding them in each name row; 0 for exact words.
    private var costs: [UInt8]
    /// The query words that the entry of each locality and street contains.
    private var foundInEntry: [UInt16]
    /// Whether the labels of all places name their streets.
    var showsStreets = false
    private(set) var required: UInt16 = 0
    private(set) var specific: UInt16 = 0
    private var optional: UInt16 = 0
    /// The query words of the phrase.
    private(set) var phraseBits: UInt16 = 0

    /// The penalties of a match, in points; a lower sum is better.
    enum Cost {
        /// A synonym or an initial matches instead of the word.
        static let otherForm: UInt8 = 2
        /// The same number written otherwise, as 25 for XXV: as much as ``smallerTown``, so that
        /// the city's street is found however it is written, and elsewhere the one that was typed.
        static let otherNumeral: UInt8 = 1
        /// The last word is the beginning of a longer word.
        static let unfinished: UInt8 = 4
        /// The last word is the beginning of another word of the query.
        static let repeated: UInt8 = 8
        /// A word before the last is only the beginning of a longer word.
        static let shortened: UInt8 = 15
        /// A word has a typing error.
        static let typo: UInt8 = 25
        /// The last word has a typing error and is the beginning of a longer one.
        static let unfinishedTypo: UInt8 = 35
        /// A required word is missing; more than all other penalties of a word together.
        static let missing: Int32 = 100
        /// The kind of street differs: people confuse Via and Corso.
        static let otherKind: Int32 = 12
        /// A word matches only the next town, which people seldom name.
        static let nextTown: Int32 = 10
        /// The query is only the beginning of a word for a kind of place.
        static let begunKind: Int32 = 7
        /// The name contains a word that the query does not.
        static let unasked: Int32 = 7
        /// A number that is neither part of the name nor a house number.
        static let strayNumber: Int32 = 8
        /// A number between two words of the street's name stands for part of that name, which has
        /// another number or none: Via VIII Marzo for "via 22 marzo".
        static let otherNumber: Int32 = 25
        /// A house number for an entry that has no houses.
        static let misplacedNumber: Int32 = 30
        /// The street has no house near that number.
        static let noHouse: Int32 = 6
        /// The same in the largest town, if no house of the street is on the map: the street may
        /// well have that number, but an exact house in a smaller town is preferred.
        static let unmappedHouses: Int32 = 2
        /// The entry is, or lies in, a smaller town than the largest, and the query does not name
        /// it.
        static let smallerTown: Int32 = 1
        /// The same if the query is only a part of the name: a less similar name in the largest
        /// town is more likely meant.
        static let partlyInSmallerTown: Int32 = 20
        /// The query is only a part of the name: for each 500 m beyond 5 km from the user or the
        /// centre of the largest town. (Maps that lack towns assign their streets to the next one.)
        static let partlyFar: Int32 = 1
        static let farHundredMetres: Int64 = 50
        /// The query is the whole name of a very distant place: for each 3 km beyond 15 km.
        static let whollyFar: Int32 = 1
        static let veryFarHundredMetres: Int64 = 150
        static let mostFar: Int32 = 10
        /// The street has a house near that number; up to three more points the further it is.
        static let otherHouse: Int32 = 2
        /// The bonus for a name that begins with the query as it was typed.
        static let beginning: Int32 = 6
        /// An article of the query is missing.
        static let missingArticle: Int32 = 2
    }

    /// Prepares a search; no words are looked up yet.
    init(book: AddressBook, query: AddressQuery, phrase: PlaceKind.Phrase?) {
        self.book = book
        self.query = query
        self.phrase = phrase
        let names = book.entryOfName.count
        found = Array(repeating: 0, count: names)
        costs = Array(repeating: 0, count: names)
        foundInEntry = Array(repeating: 0, count: max(1, book.entries.rows(.street).upperBound))
        for (position, word) in query.words.enumerated() {
            let bit = UInt16(1) << UInt16(position)
            if word.isOptional { optional |= bit }
            if word.isRequired { required |= bit }
            if word.isRequired, !word.isGeneric { specific |= bit }
            if phrase?.range.contains(position) == true { phraseBits |= bit }
        }
    }

    // MARK: Word look-up

    /// Marks the names that contain each word of the query.
    mutating func markNames() {
        for (position, word) in query.words.enumerated() {
            let bit = UInt16(1) << UInt16(position)
            for (range, cost) in wordRanges(word) { mark(range, bit, cost) }
        }
    }

    /// The words that a query word may stand for, the cheapest first.
    private func wordRanges(_ word: AddressQuery.Word) -> [(range: Range<Int>, cost: UInt8)] {
        let all = 0..<book.words.count
        var result: [(range: Range<Int>, cost: UInt8)] = []
        for variant in AddressVocabulary.variants(word.bytes) {
            let range = book.words.narrowed(all, at: 0, to: variant)
            // One or two letters are more often the beginning of a word than a Roman numeral.
            let isDoubtful =
                word.isBeingTyped && word.bytes.count < (variant == word.bytes ? 2 : 3)
            let otherCost =
                AddressVocabulary.isNumber(variant) ? Cost.otherNumeral : Cost.otherForm
            let ownCost = variant == word.bytes ? 0 : otherCost
            let cost = isDoubtful ? Cost.unfinished + ownCost : ownCost
            result.append((book.words.whole(range, length: variant.count), cost))
        }
        guard !word.isNumber else { return result }
        let length = word.bytes.count
        if word.isBeingTyped || length == 1 || length >= Self.leastShortened {
            let range = book.words.narrowed(all, at: 0, to: word.bytes)
            let cost =
                length == 1 && word.isOptional
                ? Cost.otherForm
                : word.isBeingTyped ? Cost.unfinished : Cost.shortened
            // "via vi" asks for more than a Via; a crossing of two has the word twice.
            if word.isBeingTyped {
                result += withoutOthers(range, than: word).map { ($0, cost) }
                result.append((range, cost + Cost.repeated))
            } else {
                result.append((range, cost))
            }
        }
        guard length >= Self.leastMistyped - 1 else { return result }
        var corrected = book.words.oneErrorAway(from: word.bytes)
        // If the word is one letter too short to be corrected, it may lack just that letter.
        if length < Self.leastMistyped { corrected.removeAll { $0.length <= length } }
        for (range, length) in corrected {
            result.append((book.words.whole(range, length: length), Cost.typo))
        }
        if word.isBeingTyped, length >= Self.leastMistyped {
            result += corrected.map { ($0.range, Cost.unfinishedTypo) }
        }
        return result
    }

    /// A range of words without the other words of the query.
    private func withoutOthers(_ range: Range<Int>, than word: AddressQuery.Word) -> [Range<Int>] {
        query.words.filter { $0.bytes != word.bytes }.reduce([range]) { parts, other in
            let all = book.words.narrowed(0..<book.words.count, at: 0, to: other.bytes)
            let own = book.words.whole(all, length: other.bytes.count)
            guard !own.isEmpty else { return parts }
            return parts.flatMap { part in
                [
                    part.lowerBound..<max(part.lowerBound, min(part.upperBound, own.lowerBound)),
                    min(part.upperBound, max(part.lowerBound, own.upperBound))..<part.upperBound,
                ].filter { !$0.isEmpty }
            }
        }
    }

    /// The least number of letters with which a word may be the beginning of another one, in any
    /// position.
    private static let leastShortened = 3
    /// The least number of letters with which a word may have a typing error.
    private static let leastMistyped = 4

    private mutating func mark(_ words: Range<Int>, _ bit: UInt16, _ cost: UInt8) {
        guard !words.isEmpty else { return }
        // The postings of consecutive words are adjacent.
        let limit = UInt32(clamping: book.postings.count)
        let lower = Int(min(book.postingOffsets[words.lowerBound], limit))
        let upper = Int(min(book.postingOffsets[words.upperBound], limit))
        guard lower < upper else { return }
        let firstStreet = min(book.entries.rows(.street).lowerBound, foundInEntry.count)
        for posting in lower..<upper {
            let name = Int(book.postings[posting])
            guard name < found.count, found[name] & bit == 0 else { continue }
            found[name] |= bit
            costs[name] = costs[name] &+ min(cost, 255 &- costs[name])
            let entry = Int(book.entryOfName[name])
            // If a street merely resembles the typed one, a place on it is not meant.
            if entry < firstStreet || (entry < foundInEntry.count && cost < Cost.shortened) {
                foundInEntry[entry] |= bit
            }
        }
    }

    // MARK: Choosing

    /// A name that may match the query.
    struct Candidate {
        var cost: Int32
        var missing: Int
        var entry: Int
        var house: Int?
        var asked: String?
        /// Whether the name has words that the query lacks.
        var isPartial: Bool
        /// Whether the query names the town or the part of town that the entry lies in.
        var isTownNamed: Bool
        /// Whether the query names the kind of the place and not the place itself.
        var isOfKind = false
        /// Whether the label names the street, to distinguish places of the same name or kind.
        var showsStreet = false
        /// Whether it is a place found by its name; at equal cost, a street is more often meant.
        var isFeature = false
        /// The distance from the user or from the centre of the largest town, in 100 m.
        var distance: Int64 = 0
    }

    /// The best matches, best first, and how many words of the query they lack.
    func best(_ limit: Int, near: Coordinate?) -> (matches: [AddressMatch], missing: Int) {
        var candidates = candidatesOfKind()
        let ofKindCount = candidates.count
        var least = candidates.isEmpty ? Int.max : 0
        for name in found.indices where found[name] != 0 {
            guard let candidate = candidate(name), candidate.missing <= least else { continue }
            least = min(least, candidate.missing)
            candidates.append(candidate)
        }
        candidates.removeAll { $0.missing > least }
        let ceiling = ceiling(of: candidates, limit)
        candidates.removeAll { $0.cost > ceiling }
        // If nothing tells where the user is, the largest town is more likely meant than others.
        let towns = near == nil ? book.towns : nil
        let plane = (near ?? towns?.centre).map { LocalPlane(at: $0) }
        // With very many names, the query says too little for beginnings to matter.
        let comparesBeginnings = candidates.count - ofKindCount <= Self.beginningsLimit
        var beginnings = NameBeginnings(book: book, query: query)
        for position in candidates.indices {
            if let plane {
                let place = book.entries.coordinate(candidates[position].entry)
                let metres = plane.distanceMetres(plane.origin, place)
                candidates[position].distance = Int64(metres / 100)
            }
            let begins =
                candidates[position].isOfKind
                ? phrase?.match != .mistyped
                : comparesBeginnings && beginnings.beginsName(ofEntry: candidates[position].entry)
            if begins { candidates[position].cost -= Cost.beginning }
            let isSmaller = towns?.isSmaller(entry: candidates[position].entry)
            candidates[position].cost += elsewhere(
                candidates[position],
                isPart: candidates[position].isPartial && comparesBeginnings && !begins,
                isSmaller ?? false
            )
            findHouse(&candidates[position], isInLargestTown: isSmaller == false)
        }
        candidates.sort { first, second in
            if first.cost != second.cost { return first.cost < second.cost }
            if first.isFeature != second.isFeature { return second.isFeature }
            if first.distance != second.distance { return first.distance < second.distance }
            let importance = book.entries.importance[first.entry]
            let other = book.entries.importance[second.entry]
            return importance != other ? importance > other : first.entry < second.entry
        }
        var result: [AddressMatch] = []
        var entries: [Int] = []
        for candidate in candidates where !entries.contains(candidate.entry) {
            entries.append(candidate.entry)
            result.append(
                book.match(
                    entry: candidate.entry,
                    house: candidate.house,
                    asked: candidate.asked,
                    showsStreet: candidate.showsStreet || showsStreets
                )
            )
            if result.count == limit { break }
        }
        return (result, least)
    }

    /// A name as a candidate; nil if too few words of the query match.
    private func candidate(_ name: Int) -> Candidate? {
        let entry = Int(book.entryOfName[name])
        guard entry > 0, entry < book.entries.count else { return nil }
        let own = found[name]
        let words = book.wordsOfName[name]
        let entries = book.entries
        // If the town does not count in the name, it does not count in the query either.
        let uncounted = words & AddressIndex.leavesTownOut == 0 ? 0 : found(in: entries.town[entry])
        let unasked = max(0, Int(words & 15) - (own & ~optional & ~uncounted).nonzeroBitCount)
        guard own & ~optional != 0 else { return nil }
        guard own & specific != 0 || unasked == 0 || specific == 0 else { return nil }
        let street = street(ofEntry: entry, own)
        let isOfKind = isOfKind(entry)
        // If the query names nothing but the kind, no name makes one place better than another.
        if isOfKind, required & ~phraseBits == 0 { return nil }
        let near = own | locality(ofEntry: entry) | street | (isOfKind ? phraseBits : 0)
        let all = near | found(in: entries.otherTown[entry])
        let missing = specific & ~all
        guard missing.nonzeroBitCount <= (required & all).nonzeroBitCount else { return nil }
        var cost = Int32(costs[name]) + Int32(unasked) * Cost.unasked
        cost += Int32(missing.nonzeroBitCount) * Cost.missing
        cost += Int32((required & ~specific & ~all).nonzeroBitCount) * Cost.otherKind
        if specific & all & ~near != 0 { cost += Cost.nextTown }
        if isOfKind, phraseBits & ~own != 0 { cost += phraseCost }
        // Of two names that each lack a word, the one with the earlier words is preferred.
        for position in query.words.indices where missing >> UInt16(position) & 1 == 1 {
            cost += Int32(AddressText.wordLimit - position)
        }
        // Articles that were not typed, and alternative names, decide between equals.
        cost += Int32(max(0, Int(words >> 4 & 7) - (own & optional).nonzeroBitCount))
        if name > 0, Int(book.entryOfName[name - 1]) == entry { cost += 1 }
        cost += Int32((optional & ~own).nonzeroBitCount) * Cost.missingArticle
        // A match in the name itself is preferred to a match in the name of its town.
        cost += Int32((required & all & ~own).nonzeroBitCount)
        cost += Self.unimportance(entries.importance[entry])
        let kind = entries.kind(entry)
        let isStreet = kind == .street
        // Via instead of Corso is one error, not one word too many and one missing.
        if isStreet, unasked > 0, required & ~specific & ~all != 0 { cost -= Cost.unasked }
        cost += numbersCost(besides: all, own & ~optional, isStreet: isStreet)
        return Candidate(
            cost: cost,
            missing: missing.nonzeroBitCount,
            entry: entry,
            isPartial: unasked > 0,
            isTownNamed: specific & all & ~own & ~phraseBits != 0,
            showsStreet: specific & street & ~own != 0,
            isFeature: kind == .feature
        )
    }

    /// The penalty of a candidate that lies far away or outside the largest town.
    private func elsewhere(_ candidate: Candidate, isPart: Bool, _ isSmaller: Bool) -> Int32 {
        guard !candidate.isTownNamed else { return 0 }
        guard isPart else {
            let far = max(0, candidate.distance - Cost.veryFarHundredMetres) / 30
            return min(Cost.mostFar, Int32(clamping: far) * Cost.whollyFar)
                + (isSmaller ? Cost.smallerTown : 0)
        }
        guard !isSmaller else { return Cost.partlyInSmallerTown }
        let far = max(0, candidate.distance - Cost.farHundredMetres) / 5
        return min(Cost.partlyInSmallerTown, Int32(clamping: far) * Cost.partlyFar)
    }

    /// The query words in the names of the town and the part of town of an entry.
    func locality(ofEntry entry: Int) -> UInt16 {
        found(in: book.entries.town[entry]) | found(in: book.entries.quarter[entry])
    }

    /// The query words in the name of the street of a place.
    ///
    /// They count only if the query has more than a kind of street or place and the words of the
    /// place's own name: "piazza duomo" is not the station Duomo in Piazza del Duomo.
    func street(ofEntry entry: Int, _ own: UInt16 = 0) -> UInt16 {
        let bits = found(in: book.entries.street[entry])
        return bits & specific & ~phraseBits & ~own == 0 ? 0 : bits
    }

    private func found(in entry: UInt32) -> UInt16 {
        entry > 0 && entry < UInt32(clamping: foundInEntry.count) ? foundInEntry[Int(entry)] : 0
    }

    /// The cost above which candidates need no further examination: enough others cost less, even
    /// if their house is not found.
    private func ceiling(of candidates: [Candidate], _ limit: Int) -> Int32 {
        var counts = [Int](repeating: 0, count: 1_024)
        for candidate in candidates { counts[Int(min(1_023, max(0, candidate.cost)))] += 1 }
        var sum = 0
        // An entry may occur several times, by different names.
        let enough = limit * 4
        for (cost, count) in counts.enumerated() {
            sum += count
            if sum >= enough { return Int32(cost) + Cost.noHouse + Cost.beginning }
        }
        return .max
    }

    /// The greatest number of names that are compared with the query letter by letter.
    private static let beginningsLimit = 1_000
}
