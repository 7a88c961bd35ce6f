import Dispatch
import Encoding
import Synchronization
import Testing

@testable import Identity

/// taxi.md R126 and issue 4: the format of hashes, and the memory used to compute them.
@Suite("Hashes of passwords")
struct PasswordHashTests {
    /// A hash of "Passw0rdOne" by the library used before (decision 0026).
    private static let usual = """
        $argon2id$v=19$m=19456,t=2,p=1$PJPpgHuaj/aanYPXJCaqIQ$\
        0K4JtaY1ybJwAze0qA/8nqgTBhuoZgSEbz7AgWBWDmY
        """
    private static let least = """
        $argon2id$v=19$m=8,t=1,p=1$nNBw7coZ77mv2at71m3M3Q$\
        Y71n7xwbcVq7XjlPOgNEOAgR80ZQ+Ooix3q7W7Y1ab4
        """

    @Test("a hash that another library made is as good", arguments: [usual, least])
    func verifies(hash: String) throws {
        let memory = try #require(HashMemory())
        #expect(PasswordHash.verify("Passw0rdOne", hash, in: memory))
        #expect(!PasswordHash.verify("Passw0rdTwo", hash, in: memory))
        #expect(PasswordHash.isOutdated(hash, .usual) == (hash == Self.least))
    }

    @Test("a tag is what Argon2's authors say it is, in memory that was used before")
    func computes() throws {
        let memory = try #require(HashMemory())
        let expected = "9dfeb910e80bad0311fee20f9c0e2b12c17987b4cac90c2ef54d5b3021c68bfe"
        for kibibytes: UInt32 in [256, 512, 256] {
            let tag = memory.tag(
                of: Array("password".utf8),
                salt: Array("somesalt".utf8),
                .init(passes: 2, kibibytes: kibibytes)
            )
            #expect((tag?.hex == expected) == (kibibytes == 256))
        }
    }

    @Test("nothing of a password stays in the memory")
    func wipes() throws {
        let memory = try #require(HashMemory())
        let hash = try #require(PasswordHash.make("Abcdefg1", .least, in: memory))
        #expect(PasswordHash.verify("Abcdefg1", hash, in: memory))
        withExtendedLifetime(memory) {
            let bytes = UnsafeRawBufferPointer(start: memory.base, count: 8_192)
            #expect(bytes.allSatisfy { $0 == 0 })
        }
    }

    @Test("work that does not fit the memory, or that Argon2 does not allow, is not done")
    func fits() throws {
        let memory = try #require(HashMemory())
        for kibibytes in [0, 7, HashMemory.kibibytes + 4, UInt32.max] {
            let made = PasswordHash.make(
                "Abcdefg1",
                .init(passes: 1, kibibytes: kibibytes),
                in: memory
            )
            #expect(made == nil, "\(kibibytes)")
        }
        let made = PasswordHash.make("Abcdefg1", .init(passes: 0, kibibytes: 8), in: memory)
        #expect(made == nil)
    }

    /// Many are the correct hash in another spelling; none of them is computed.
    @Test(
        "a damaged hash fits nothing, and is outdated",
        arguments: [
            "", "$", "$$$$$", "x", String(repeating: "$", count: 500),
            least + "=", least + " ", least + "\n", least + "$", least + "\0", " " + least,
            String(least.dropFirst()), String(least.dropLast()), String(least.dropLast(43)),
            damaged("argon2id", "argon2i"), damaged("v=19", "v=16"), damaged("m=8", "m=08"),
            damaged("m=8", "m=+8"), damaged("m=8", "m=-8"), damaged("m=8", "m="),
            damaged("m=8", "m=7"), damaged("m=8", "m=65537"), damaged("m=8", "m=4294967295"),
            damaged("m=8", "m=4294967304"), damaged("m=8", "M=8"), damaged("m=8,t=1", "t=1,m=8"),
            damaged("m=8", "m=8,m=8"), damaged("m=8", "\u{1F1EE}\u{1F1F9}8"),
            damaged("t=1", "t=0"), damaged("t=1", "t=11"), damaged("t=1", "t=4294967295"),
            damaged("p=1", "p=2"), damaged("p=1", "p=0"), damaged(",p=1", ""),
            damaged("nNBw", "nNBw\n"), damaged("nNBw", "NBw"), damaged("nNBw", "n_Bw"),
            damaged("nNBw", ""), damaged("Q$Y", "R$Y"), damaged("ab4", "ab5"),
            damaged("Y71n", "Y71nY71n"), damaged("Y71n", "Y71="), damaged("Y71n", "\u{212A}71n"),
        ]
    )
    func refuses(hash: String) throws {
        let memory = try #require(HashMemory())
        #expect(!PasswordHash.verify("Passw0rdOne", hash, in: memory))
        #expect(PasswordHash.isOutdated(hash, .least))
    }

    @Test("a thread and its memory serve those who come one after the other (issue 4)")
    func stays() async throws {
        let workers = try PasswordWorkers(.least, stay: .seconds(600))
        let first = try await workers.run(for: "here") { Held(memory: $0) }
        var memories: Set<ObjectIdentifier> = []
        for _ in 1...50 {
            memories.insert(try await workers.run(for: "here") { ObjectIdentifier($0) })
        }
        #expect(first.isHeld)
        // The next job may arrive before the thread has noticed that the queue is empty.
        #expect(memories.count <= 2)
    }

    @Test("an idle server holds no memory for hashes (issue 4)", .timeLimit(.minutes(1)))
    func leaves() async throws {
        let workers = try PasswordWorkers(.least, stay: .milliseconds(1))
        let held = try await workers.run(for: "here") { Held(memory: $0) }
        while held.isHeld { await Task.yield() }
        // A job that arrives after the thread has ended gets a new one.
        let hash = try await workers.hash("Abcdefg1", for: "here")
        let fits = try await workers.verify("Abcdefg1", hash, for: "here")
        #expect(fits)
    }

    @Test(
        "where the system does not let threads give way it is told once (issue 4)",
        arguments: [false, true]
    )
    func refused(isAskedLate: Bool) async throws {
        let workers = try PasswordWorkers(.least, stay: .milliseconds(1), giveWay: { false })
        let told = Mutex(0)
        if !isAskedLate { workers.whenRefused { told.withLock { $0 += 1 } } }
        for _ in 1...3 {
            let held = try await workers.run(for: "here") { Held(memory: $0) }
            while held.isHeld { await Task.yield() }
        }
        if isAskedLate { workers.whenRefused { told.withLock { $0 += 1 } } }
        #expect(told.withLock { $0 } == 1)
    }

    @Test("where the threads may give way nothing is told (issue 4)")
    func givesWay() async throws {
        let workers = try PasswordWorkers(.least, stay: .milliseconds(1), giveWay: { true })
        workers.whenRefused { Issue.record("nothing was refused") }
        let held = try await workers.run(for: "here") { Held(memory: $0) }
        while held.isHeld { await Task.yield() }
    }

    private static func damaged(_ part: String, _ other: String) -> String {
        least.replacing(part, with: other)
    }
}

/// Observes whether some memory is still allocated.
private struct Held: Sendable {
    // Unsafe, but only tested for nil, which weak references support on any thread.
    nonisolated(unsafe) weak var memory: HashMemory?

    var isHeld: Bool { memory != nil }
}
