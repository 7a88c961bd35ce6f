import Testing

@testable import Dispatching

@Suite("Defects of others, put back")
struct DefectTests {
    @Test("random runs find each defect that the dispatcher could have", arguments: Defect.allCases)
    func found(defect: Defect) {
        for seed in 1...UInt64(3_000) {
            let run = RandomRun(seed: seed, steps: 40)
            guard run.finding(with: defect) != nil else { continue }
            let short = run.shrunk(with: defect)
            #expect(short.finding(with: defect) != nil)
            Notes.say("\(defect): seed \(seed), \(short.choices.count) steps")
            #expect(run.finding() == nil, "without the defect nothing is wrong")
            #expect(short.choices.count <= run.choices.count)
            return
        }
        Issue.record("\(defect) was not found")
    }

    @Test("the invariants alone find those that leave a contradiction behind")
    func foundByInvariants() {
        var found: Set<Defect> = []
        for defect in Defect.allCases {
            let isFound = (1...UInt64(500)).contains { seed in
                RandomRun(seed: seed, steps: 40).finding(with: defect, model: false) != nil
            }
            if isFound { found.insert(defect) }
        }
        // The other two decide by the rules on the basis of wrong facts, which only
        // an oracle detects.
        #expect(found == Set(Defect.allCases).subtracting([.reportRefreshesAll, .emptyZones]))
    }

    @Test("zones that are not there yet throw nobody out: they are refused (defect 8)")
    func emptyZones() {
        var town = Town(taxis: [0, 1])
        let before = town.dispatcher.zones
        let none = ZoneDrawing(names: [], hash: 9, places: [.outside, .outside])
        #expect(town.refusal(.drawZones(none)) == .invalid("names"))
        let half = ZoneDrawing(names: ["a"], hash: 9, places: [.zone(.zone(0))])
        #expect(town.refusal(.drawZones(half)) == .invalid("places"))
        #expect(town.dispatcher.zones == before)
    }
}
