import Columns

/// What the numbers of a query mean: houses, or parts of names.
extension AddressSearch {
    /// The penalty for numbers that are not among the words found; one of them may be a house
    /// number.
    func numbersCost(besides all: UInt16, _ own: UInt16, isStreet: Bool) -> Int32 {
        var cost: Int32 = 0
        var hasHouse = false
        for (position, word) in query.words.enumerated()
        where word.isNumber && all >> UInt16(position) & 1 == 0 {
            if isStreet, position > 0, own >> UInt16(position - 1) & 5 == 5 {
                cost += Cost.otherNumber
            } else if word.houseNumber == nil || hasHouse {
                cost += Cost.strayNumber
            } else if isStreet {
                hasHouse = true
            } else {
                cost += Cost.misplacedNumber
            }
        }
        return cost
    }

    /// Finds the house that the query requests.
    func findHouse(_ candidate: inout Candidate, isInLargestTown: Bool) {
        guard book.entries.kind(candidate.entry) == .street else { return }
        guard let word = houseWord(ofEntry: candidate.entry), let number = word.houseNumber else {
            return
        }
        let asked = word.houseText
        guard let house = book.house(number, ofEntry: candidate.entry) else {
            candidate.asked = asked
            let mayHave = isInLargestTown && book.houses(ofEntry: candidate.entry).isEmpty
            candidate.cost += mayHave ? Cost.unmappedHouses : Cost.noHouse
            return
        }
        candidate.house = house.row
        if !house.isExact {
            candidate.asked = asked
            candidate.cost += Cost.otherHouse + Int32(min(house.difference, 60)) / 20
        }
    }

    /// The word of the query that is the house number on a street: the first number that is not
    /// part of the street's name.
    private func houseWord(ofEntry entry: Int) -> AddressQuery.Word? {
        let numbers = query.words.filter { $0.houseNumber != nil }
        guard !numbers.isEmpty else { return nil }
        var own = AddressText.words(book.texts[Int(book.entries.name[entry])]).map(\.bytes)
        return numbers.first { word in
            // The street's name may use another numeral: XXII for 22.
            let forms = AddressVocabulary.variants(word.bytes)
            guard let position = own.firstIndex(where: forms.contains) else { return true }
            own.remove(at: position)
            return false
        }
    }
}
