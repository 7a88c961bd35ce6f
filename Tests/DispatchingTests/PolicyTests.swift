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

    @Test("a key that came later changes neither bytes nor hash until it is used (R13)")
    func later() throws {
        let shared = try Policy.viavai.with(.sharedTaxis, "true")
        #expect(shared.hash != Policy.viavai.hash)
        #expect(shared.canonicalText == Policy.viavai.canonicalText + "taxi.shared: true\n")
        #expect(try Policy(text: "name: viavai\n" + shared.canonicalText) == shared)
        #expect(try shared.with(.sharedTaxis, "false") == .viavai)
        for policy in [shared, .viavai, .milanoA, .milanoB] {
            var writer = ByteWriter()
            writer.put(policy)
            var reader = ByteReader(writer.bytes)
            #expect(try Policy(from: &reader) == policy)
        }
        #expect(shared.loggedValues.count == Policy.viavai.loggedValues.count + 1)
        #expect(Policy.viavai.loggedValues.count == Int(Policy.Key.plainHTTP.rawValue) + 1)
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
