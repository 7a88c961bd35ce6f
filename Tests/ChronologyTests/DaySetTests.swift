import Chronology
import SeededRandom
import TestSupport
import Testing

@Suite("Sets of days")
struct DaySetTests {
    private func set(_ days: Set<Int32>) -> DaySet {
        var set = DaySet()
        for day in days.sorted(by: >) { set.insert(CivilDate(daysSince1970: day)) }
        return set
    }

    private func days(_ set: DaySet) -> [Int32] {
        set.dates.map(\.daysSince1970)
    }

    @Test("a set of days does what a set of numbers does")
    func model() {
        var random = SeededRandom(seed: 95)
        for instance in 0..<Effort.instances(2_000) {
            let reach = Int32.random(in: 1...600, using: &random)
            func some() -> Set<Int32> {
                let count = Int.random(in: 0...20, using: &random)
                return Set(
                    (0..<count).map { _ in Int32.random(in: -reach...reach, using: &random) }
                )
            }
            var first = some()
            let second = some()
            var firstSet = set(first)
            let secondSet = set(second)
            if let gone = first.sorted().randomElement(using: &random) {
                first.remove(gone)
                firstSet.remove(CivilDate(daysSince1970: gone))
            }
            firstSet.remove(CivilDate(daysSince1970: reach + 1_000))
            #expect(days(firstSet) == first.sorted(), "instance \(instance)")
            #expect(firstSet == set(first), "equal days, equal sets")
            #expect(firstSet.count == first.count && firstSet.isEmpty == first.isEmpty)
            #expect(firstSet.first?.daysSince1970 == first.min())
            #expect(firstSet.last?.daysSince1970 == first.max())
            #expect(firstSet.union(secondSet) == set(first.union(second)))
            #expect(firstSet.intersection(secondSet) == set(first.intersection(second)))
            #expect(firstSet.subtracting(secondSet) == set(first.subtracting(second)))
            let weeks = Int32.random(in: -100...100, using: &random) * 7
            #expect(firstSet.shifted(days: weeks) == set(Set(first.map { $0 + weeks })))
            for day in -reach...reach {
                #expect(
                    firstSet.contains(CivilDate(daysSince1970: day)) == first.contains(day)
                )
            }
        }
    }
}
