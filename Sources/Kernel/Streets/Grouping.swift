/// Items sorted by their group; within a group they keep their order.
struct Grouping {
    /// Where each group begins in `members`; one more than there are groups.
    private(set) var first: [UInt32]
    /// The numbers of the items, group by group.
    private(set) var members: [Int32]

    init(_ groups: [UInt32], count: Int) {
        first = Array(repeating: 0, count: count + 1)
        for group in groups { first[Int(group) + 1] += 1 }
        for group in 0..<count { first[group + 1] += first[group] }
        var cursor = first
        members = Array(repeating: 0, count: groups.count)
        for (thing, group) in groups.enumerated() {
            members[Int(cursor[Int(group)])] = Int32(thing)
            cursor[Int(group)] += 1
        }
    }
}
