import Geo

extension StreetDraft {
    /// Checks that every reference points to something that exists.
    func check() throws(StreetFailure) {
        // One bit of an edge's number holds an arc's direction, and one bit of each index its sign.
        let limit = Int(Int32.max) / 2
        guard vertices.count < limit else { throw .tooMany(.vertex) }
        guard edges.count < limit else { throw .tooMany(.edge) }
        guard arcs.count < limit else { throw .tooMany(.arc) }
        guard originals.count == vertices.count else {
            throw .inconsistent(.vertex, number: min(originals.count, vertices.count))
        }
        for (number, original) in originals.enumerated() where Int(original) >= vertices.count {
            throw .inconsistent(.vertex, number: number)
        }
        for (number, edge) in edges.enumerated() {
            guard Int(edge.from) < vertices.count, Int(edge.to) < vertices.count,
                edge.geometry.count >= 2, Int(edge.name) < names.count,
                edge.geometry.first == vertices[Int(edge.from)],
                edge.geometry.last == vertices[Int(edge.to)]
            else { throw .inconsistent(.edge, number: number) }
        }
        for (number, arc) in arcs.enumerated() {
            guard Int(arc.from) < vertices.count, Int(arc.to) < vertices.count,
                Int(arc.edge) < edges.count, arc.milliseconds.count == Profile.allCases.count
            else { throw .inconsistent(.arc, number: number) }
        }
        for (number, rule) in rules.enumerated()
        where Int(rule.arc) >= arcs.count || Int(rule.hours) >= hours.count {
            throw .inconsistent(.rule, number: number)
        }
    }
}
