import Columns

/// Converts paths through the hierarchy into the arcs of the streets.
///
/// Each shortcut stores the vertex it leads over, which has a lower rank than both its ends, so
/// unpacking ends. A damaged file could still make it very long, which is refused.
struct Unpacking {
    let network: StreetNetwork
    let metric: StreetMetric
    /// The arcs found, in the order of the way.
    private(set) var arcs: [Int] = []
    private var open: [(from: Int, to: Int)] = []

    init(network: StreetNetwork, metric: StreetMetric) {
        self.network = network
        self.metric = metric
    }

    /// Appends the path that an arc of the hierarchy between two vertices stands for.
    ///
    /// - Returns: false if there is no such arc, which only a damaged file can cause.
    mutating func append(from: Int, to: Int) -> Bool {
        open.append((from, to))
        // A path passes no arc twice, and halving into n parts takes fewer than 2n steps.
        var steps = 2 * network.arcCount + 2
        while let next = open.popLast() {
            steps -= 1
            guard steps > 0, let via = via(next.from, next.to) else { return false }
            if via >= network.vertexCount {
                arcs.append(via - network.vertexCount)
            } else {
                guard via < min(next.from, next.to) else { return false }
                open.append((via, next.to))
                open.append((next.from, via))
            }
        }
        return true
    }

    private func via(_ from: Int, _ to: Int) -> Int? {
        let graph = from < to ? metric.up : metric.down
        let head = max(from, to)
        for arc in graph.range(min(from, to))
        where graph.heads.index(arc, below: network.vertexCount) == head {
            return Int(truncatingIfNeeded: graph.vias[arc])
        }
        return nil
    }
}
