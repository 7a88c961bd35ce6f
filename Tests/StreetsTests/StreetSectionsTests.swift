import Columns
import Geo
import SeededRandom
import Streets
import TestSupport
import Testing

@Suite("Storing a street network")
struct StreetSectionsTests {
    @Test("edges keep their numbers and all that the draft says of them")
    func roundTrip() throws {
        for seed in 0..<100 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            var draft = RandomStreets.draft(&random)
            for edge in draft.edges.indices {
                draft.edges[edge].level = Int16.random(in: -20...20, using: &random)
                draft.edges[edge].features = [.covered, .lit]
                draft.edges[edge].kind = .steps
            }
            let network = try RandomStreets.network(draft)
            #expect(network.vertexCount == draft.vertices.count)
            #expect(network.edgeCount == draft.edges.count)
            #expect(network.arcCount == draft.arcs.count)
            for (number, edge) in draft.edges.enumerated() {
                let index = EdgeIndex(rawValue: UInt32(number))
                let stored = network.edge(index)
                try #require(network.geometry(of: index) == edge.geometry)
                try #require(network.name(stored.name) == draft.names[Int(edge.name)])
                try #require(stored.lengthDecimetres == edge.lengthDecimetres)
                try #require(stored.kind == edge.kind)
                try #require(stored.features == edge.features)
                try #require(stored.level == edge.level)
                try #require(network.place(of: stored.from) == edge.geometry.first)
                try #require(network.original(of: stored.to) == stored.to)
                let arcs = draft.arcs.filter { $0.edge == UInt32(number) }
                try #require(network.passages(of: index).count == arcs.count)
            }
        }
    }

    @Test("the same draft gives the same bytes")
    func reproducible() throws {
        var random = SeededRandom(seed: 5)
        let draft = RandomStreets.grid(columns: 12, rows: 12, oneWayShare: 0.2, &random)
        var first = SectionWriter()
        var second = SectionWriter()
        try first.add(streets: draft)
        try second.add(streets: draft)
        #expect(first.bytes() == second.bytes())
    }

    @Test("progress rises from 0 to 1")
    func progress() throws {
        var random = SeededRandom(seed: 6)
        let draft = RandomStreets.grid(columns: 20, rows: 20, oneWayShare: 0.2, &random)
        var writer = SectionWriter()
        var told: [Double] = []
        try writer.add(streets: draft) { told.append($0) }
        #expect(told.first == 0)
        #expect(told.last == 1)
        #expect(zip(told, told.dropFirst()).allSatisfy { $0 <= $1 })
    }

    @Test("a draft that refers to something that is not there is refused, naming it")
    func inconsistent() throws {
        var random = SeededRandom(seed: 7)
        let good = RandomStreets.grid(columns: 3, rows: 3, oneWayShare: 0, &random)
        func expect(_ failure: StreetFailure, _ damage: (inout StreetDraft) -> Void) {
            var draft = good
            damage(&draft)
            var writer = SectionWriter()
            #expect(throws: failure) { try writer.add(streets: draft) }
        }
        expect(.inconsistent(.vertex, number: 2)) { $0.originals[2] = 9 }
        expect(.inconsistent(.vertex, number: 8)) { $0.originals.removeLast() }
        expect(.inconsistent(.edge, number: 3)) { $0.edges[3].from = 9 }
        expect(.inconsistent(.edge, number: 1)) { $0.edges[1].geometry.removeFirst() }
        expect(.inconsistent(.edge, number: 0)) { $0.edges[0].name = 1 }
        expect(.inconsistent(.arc, number: 4)) { $0.arcs[4].to = 9 }
        expect(.inconsistent(.arc, number: 5)) { $0.arcs[5].edge = 1_000 }
        expect(.inconsistent(.arc, number: 6)) { $0.arcs[6].milliseconds = [] }
    }
}
