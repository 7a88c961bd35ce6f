import Heap

/// Finds the best plan of a day: label setting over the pieces that are done, the place and where
/// the vehicles are, the most promising partial plan first.
///
/// A partial plan is dropped if another one with the same state is at least as good for whatever
/// follows, or if it cannot become better than the best whole plan, or if some task could not be
/// reached any more. At first, and every ``diveInterval`` expansions, the search *dives*: it
/// follows the most promising partial plans to their ends side by side, so that there is a good
/// plan early.
struct DaySearch {
    /// The number of partial plans that the first dive follows to their ends (a beam search).
    private static let firstWidth = 64
    /// The number of partial plans that each later dive follows.
    private static let width = 4
    /// The greatest number of partial plans in a dive with the same pieces done.
    private static let likeWidth = 8
    /// The number of expansions between two dives.
    private static let diveInterval = 1_024

    /// A label that waits; the one made first comes first among equals.
    struct Entry: Comparable {
        var key: Int64
        var label: Int32

        static func < (left: Entry, right: Entry) -> Bool {
            (left.key, left.label) < (right.key, right.label)
        }
    }

    let problem: DayProblem
    let rung: Rung
    let bounds: DayBounds
    private(set) var labels: [DayLabel] = []
    /// Whether a label has been continued or is dominated; one for each label.
    private var isClosed: [Bool] = []
    private var fronts: [DayLabel.State: [Int32]] = [:]
    private var heap = Heap<Entry>()
    /// The best whole plan.
    private(set) var best: DayLabel?
    private(set) var bestCost = PlanCost.never
    /// How many labels have been continued.
    private var expansions = 0
    /// How many continuations have been tried, which the time of a search is proportional to.
    var tries = 0
    /// Whether the best plan is known to be the best.
    private(set) var isExhausted = false
    /// No plan that this search could find costs less.
    private(set) var bound: Int64 = 0
    /// The labels added since they were last looked at, where they are wanted.
    private var added: [Entry]?

    init(_ problem: DayProblem, _ rung: Rung) {
        self.problem = problem
        self.rung = rung
        bounds = DayBounds(problem, rung)
    }

    /// Searches until the best plan is known or so many continuations have been tried.
    mutating func run(effort: Int) {
        var start = DayLabel(
            place: problem.origin,
            car: problem.car?.place.rawValue ?? DayLabel.nowhere,
            bicycle: problem.bicycle?.place.rawValue ?? DayLabel.nowhere,
            time: 0,
            free: 0
        )
        start.shift = DayLabel.forever
        add(start)
        var nextDive = 0
        while let entry = heap.first, entry.key < bestCost {
            heap.pop()
            guard !isClosed[Int(entry.label)] else { continue }
            guard tries < effort else {
                bound = entry.key
                return
            }
            if expansions >= nextDive {
                dive(from: entry, width: nextDive == 0 ? Self.firstWidth : Self.width)
                nextDive = expansions + Self.diveInterval
            } else {
                expand(entry.label)
            }
        }
        isExhausted = true
        bound = bestCost
    }

    /// Continues a label, then the most promising of those that come from it, and so on to the end
    /// (a beam search).
    private mutating func dive(from entry: Entry, width: Int) {
        var level = [entry]
        while !level.isEmpty {
            added = []
            for next in level where !isClosed[Int(next.label)] && next.key < bestCost {
                expand(next.label)
            }
            level = []
            var likes: [UInt64: Int] = [:]
            for next in (added ?? []).sorted() where !isClosed[Int(next.label)] {
                let done = labels[Int(next.label)].done
                guard likes[done, default: 0] < Self.likeWidth else { continue }
                likes[done, default: 0] += 1
                level.append(next)
                if level.count == width { break }
            }
        }
        added = nil
    }

    private mutating func expand(_ index: Int32) {
        expansions += 1
        isClosed[Int(index)] = true
        follow(labels[Int(index)], index)
    }

    /// Adds a label unless it is of no use.
    mutating func add(_ label: DayLabel) {
        var label = label
        guard bounds.canReachAll(label, problem) else { return }
        label.key = bounds.leastCost(label, problem)
        guard label.key < bestCost else { return }
        let index = Int32(truncatingIfNeeded: labels.count)
        var front = fronts[label.state] ?? []
        for other in front where labels[Int(other)].dominates(label, problem) { return }
        front.removeAll { other in
            guard label.dominates(labels[Int(other)], problem) else { return false }
            isClosed[Int(other)] = true
            return true
        }
        front.append(index)
        fronts[label.state] = front
        labels.append(label)
        isClosed.append(false)
        let entry = Entry(key: label.key, label: index)
        heap.push(entry)
        added?.append(entry)
    }

    /// Ends a plan with a label at its end.
    mutating func finish(_ label: DayLabel) {
        guard label.cost < bestCost else { return }
        best = label
        bestCost = label.cost
    }
}
