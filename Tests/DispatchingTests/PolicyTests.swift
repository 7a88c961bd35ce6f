import Testing

@testable import Dispatching

@Suite("Policies")
struct PolicyTests {
    @Test("what a policy writes, a policy file reads back", arguments: Policy.shipped)
    func roundTrip(policy: Policy) throws {
        let read = try Policy(text: "name: \(policy.name)\n" + policy.canonicalText)
        #expect(read == policy)
        #expect(read.hash == policy.hash)
    }

    @Test("every key has a row of its own, in order")
    func rows() {
        #expect(Policy.rows.map(\.key) == Policy.Key.allCases)
        #expect(Set(Policy.rows.map(\.name)).count == Policy.rows.count)
        for policy in Policy.shipped {
            for row in Policy.rows { #expect(row.kind.takes(policy[row.key]), "\(row.name)") }
        }
    }
}
