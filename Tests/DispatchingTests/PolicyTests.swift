import Testing

@testable import Dispatching

@Suite("Policies")
struct PolicyTests {
    @Test("what a policy writes, a policy file reads back", arguments: Policy.shipped)
    func roundTrip(policy: Policy) throws {
        let read = try Policy(text: policy.fileText)
        #expect(read == policy)
        #expect(read.hash == policy.hash)
    }

    @Test("a key that came later changes neither bytes nor hash until it is used (R13)")
    func later() throws {
        let shared = try Policy.former.with(.sharedTaxis, "true")
        #expect(shared.hash != Policy.former.hash)
        #expect(shared.canonicalText == Policy.former.canonicalText + "taxi.shared: true\n")
        #expect(try Policy(text: shared.fileText) == shared)
        #expect(try shared.with(.sharedTaxis, "false") == .former)
        for policy in [shared, .former, .viavai, .milanoA, .milanoB] {
            var writer = ByteWriter()
            writer.put(policy)
            var reader = ByteReader(writer.bytes)
            #expect(try Policy(from: &reader) == policy)
        }
        #expect(shared.loggedValues.count == Policy.former.loggedValues.count + 1)
        #expect(Policy.former.loggedValues.count == Int(Policy.Key.plainHTTP.rawValue) + 1)
    }

    @Test("only viavai sends taxis to neighbouring zones, and no older policy begins to")
    func neighbours() throws {
        #expect(Policy.viavai[.neighbourReach] > 0)
        #expect(try Policy.viavai.with(.neighbourReach, "0") == .former)
        let last: [(Policy, Policy.Key)] = [
            (.former, .plainHTTP), (.milanoA, .earlyUse), (.milanoB, .earlyUse),
        ]
        for (older, key) in last {
            #expect(older[.neighbourReach] == 0)
            #expect(older.loggedValues.count == Int(key.rawValue) + 1)
            let text = "name: \(older.name)\n" + older.canonicalText
            #expect(!text.contains("neighbours"))
            #expect(try Policy(text: text, isStored: true) == older, "recorded before the key")
            #expect(try Policy(text: older.fileText) == older)
            #expect(try Policy(text: older.fileText, isStored: true) == older)
        }
        #expect(try Policy(text: Policy.viavai.fileText, isStored: true) == .viavai)
        #expect(try Policy(text: "offer.timeout_s: 60") == .viavai)
    }

    @Test("only milano-a asks a device for every arrival, and no older policy begins to (R64, R65)")
    func statedArrival() throws {
        #expect(!Policy.milanoA.statedArrival)
        #expect(Policy.milanoB.statedArrival && Policy.viavai.statedArrival)
        let key = "reach.by_statement: false\n"
        #expect(Policy.milanoA.canonicalText.contains(key))
        let older = "name: milano-a\n" + Policy.milanoA.canonicalText.replacing(key, with: "")
        let recorded = try Policy(text: older, isStored: true)
        #expect(recorded.statedArrival)
        #expect(try recorded.with(.statedArrival, "false") == .milanoA)
    }

    @Test("only the documents' policies open nothing early, and no older policy closes it (R4)")
    func earlyUse() throws {
        for use in Policy.EarlyUse.allCases {
            #expect(Policy.viavai.opensEarly(use) && Policy.former.opensEarly(use))
            #expect(!Policy.milanoA.opensEarly(use) && !Policy.milanoB.opensEarly(use))
            let only = try Policy.milanoA.with(.earlyUse, "[\(use.rawValue)]")
            #expect(Policy.EarlyUse.allCases.filter(only.opensEarly) == [use])
        }
        let key = "setup.open: []\n"
        for policy in [Policy.milanoA, .milanoB] {
            #expect(policy.canonicalText.hasSuffix(key))
            let older = "name: \(policy.name)\n" + policy.canonicalText.dropLast(key.count)
            let recorded = try Policy(text: older, isStored: true)
            #expect(Policy.EarlyUse.allCases.allSatisfy(recorded.opensEarly))
            #expect(recorded.canonicalText + key == policy.canonicalText)
            #expect(recorded.hash != policy.hash)
            // A log of before has fewer values, and is read as it was meant.
            let values = Array(policy.loggedValues.dropLast())
            #expect(Policy(name: policy.name, values: values) == recorded)
        }
    }

    @Test("every key has a row of its own, in order")
    func rows() {
        #expect(Policy.rows.map(\.key) == Policy.Key.allCases)
        #expect(Set(Policy.rows.map(\.name)).count == Policy.rows.count)
        for policy in Policy.shipped {
            for row in Policy.rows { #expect(row.kind.takes(policy[row.key]), "\(row.name)") }
        }
    }

    @Test("each choice has the word that the policy's text has, for every value (issue 29, types)")
    func choices() throws {
        var read: Set<Policy.Key> = []
        func check<Value: Policy.Choice>(
            _ key: Policy.Key,
            _ property: KeyPath<Policy, Value>
        ) throws {
            read.insert(key)
            let limited = try Policy.viavai.with(.maxOffers, "5")
            #expect(Policy.rows[Int(key.rawValue)].kind == .choice(Value.allCases.map(\.rawValue)))
            for (place, value) in Value.allCases.enumerated() {
                let policy = try limited.with(key, value.rawValue)
                #expect(policy[keyPath: property] == value)
                #expect(policy[key] == Int64(place))
            }
        }
        try check(.offerShowsDestination, \.offerShowsDestination)
        try check(.offerPickup, \.offerPickup)
        try check(.guestRequests, \.guestRequests)
        try check(.guestContact, \.guestContact)
        try check(.destination, \.destination)
        try check(.refusedMemory, \.refusedMemory)
        try check(.heldRetry, \.heldRetry)
        try check(.reserveAllRefused, \.reserveAllRefused)
        try check(.pinDigits, \.pinDigits)
        try check(.endOverride, \.endOverride)
        try check(.noShowRestore, \.noShowRestore)
        try check(.cancelRequest, \.cancelRequest)
        try check(.onboarding, \.onboarding)
        try check(.driverStates, \.driverStates)
        try check(.serviceLevel, \.serviceLevel)
        try check(.deployment, \.deployment)
        try check(.erasure, \.erasure)
        try check(.plainHTTP, \.plainHTTP)
        let choices = Policy.rows.filter { if case .choice = $0.kind { true } else { false } }
        #expect(read == Set(choices.map(\.key)))
    }

    @Test("each flag is read from its own key (issue 29, types)")
    func flags() throws {
        let flags: [(key: Policy.Key, property: KeyPath<Policy, Bool>)] = [
            (.reserveSnapshot, \.reserveSnapshot), (.endNeedsPickup, \.endNeedsPickup),
            (.endNeedsDestination, \.endNeedsDestination), (.noShow, \.noShow),
            (.enforceBorder, \.enforceBorder), (.sharing, \.sharing),
            (.sharedTaxis, \.sharedTaxis), (.statedArrival, \.statedArrival),
            (.reserving, \.reserving),
        ]
        for (key, property) in flags {
            #expect(try Policy.milanoA.with(key, "true")[keyPath: property])
            #expect(try !Policy.milanoA.with(key, "false")[keyPath: property])
        }
        #expect(flags.map(\.key) == Policy.rows.filter { $0.kind == .flag }.map(\.key))
    }
}
