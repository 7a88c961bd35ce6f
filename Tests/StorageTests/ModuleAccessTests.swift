import Storage
import Testing

/// What a module may do (taxi.md R108).
@Suite("Access of modules")
struct ModuleAccessTests {
    private static let module = ModuleDeclaration(
        "sample",
        reads: [.places],
        writes: [.guests]
    )

    @Test("R108: a module does what it declares, and nothing else")
    func declared() async throws {
        try await ModuleAccess.within(Self.module) {
            try ModuleAccess.check(reads: .places)
            try ModuleAccess.check(writes: .guests)
            let read = #expect(throws: ModuleAccess.Exceeded.self) {
                try ModuleAccess.check(reads: .profiles)
            }
            #expect(read?.module == "sample" && read?.kind == .profiles)
            #expect(read?.isWrite == false)
            // To read something is not to change it, nor the other way round.
            #expect(throws: ModuleAccess.Exceeded.self) {
                try ModuleAccess.check(writes: .places)
            }
            #expect(throws: ModuleAccess.Exceeded.self) { try ModuleAccess.check(reads: .guests) }
        }
        try ModuleAccess.check(writes: .profiles)
    }

    @Test("R108: the tasks that a module starts may do no more than it")
    func tasks() async throws {
        await ModuleAccess.within(Self.module) {
            let inner = Task { try ModuleAccess.check(writes: .places) }
            await #expect(throws: ModuleAccess.Exceeded.self) { try await inner.value }
            // Another module within it is that module.
            let other = ModuleDeclaration("other", reads: [], writes: [.places])
            await ModuleAccess.within(other) {
                #expect(throws: Never.self) { try ModuleAccess.check(writes: .places) }
                #expect(throws: ModuleAccess.Exceeded.self) {
                    try ModuleAccess.check(writes: .guests)
                }
            }
        }
    }

    @Test("R108: a service changes rows for what a module may change, and the module none itself")
    func services() async throws {
        try await ModuleAccess.within(Self.module) {
            try await ModuleAccess.changing(.guests) { try ModuleAccess.check(writes: .rows) }
            await #expect(throws: ModuleAccess.Exceeded.self) {
                try await ModuleAccess.changing(.places) {}
            }
            #expect(throws: ModuleAccess.Exceeded.self) { try ModuleAccess.check(writes: .rows) }
        }
    }
}
