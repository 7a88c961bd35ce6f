import SeededRandom
import TestSupport
import Testing

@testable import Columns

/// Issue 2, "City file": opening checks the header, the section table and each section's bounds.
///
/// Here the table is wrong but its checksum is right, as in a malicious file.
@Suite("Section tables that lie")
struct SectionTableTests {
    private static func sample() -> [UInt8] {
        var writer = SectionWriter()
        writer.add("bytes", [7, 8, 9, 10, 11] as [UInt8])
        writer.add("numbers", (0..<40).map { Int32($0) })
        writer.add("words", (0..<20).map { UInt64($0) })
        return writer.bytes()
    }

    /// The position of a field in the table; fields are offset 0, length 1, checksum 2 and width 3.
    private static func place(section: Int, field: Int) -> Int {
        SectionFile.headerLength + section * SectionFile.entryLength + SectionFile.nameLength
            + field * 8
    }

    private static func put(_ value: UInt64, at place: Int, in bytes: inout [UInt8]) {
        for byte in 0..<8 {
            bytes[place + byte] = UInt8(truncatingIfNeeded: value >> (8 * UInt64(byte)))
        }
    }

    private static func word(at place: Int, in bytes: [UInt8]) -> UInt64 {
        (0..<8).reduce(0) { $0 | UInt64(bytes[place + $1]) << (8 * UInt64($1)) }
    }

    /// Opens the bytes after correcting the table's checksum.
    private static func open(_ bytes: [UInt8]) throws(SectionFile.Failure) -> SectionFile {
        var bytes = bytes
        let count = Int(word(at: 8, in: bytes) >> 32)
        let end = SectionFile.headerLength + count * SectionFile.entryLength
        if end <= bytes.count {
            let storage = ByteStorage(copying: bytes)
            put(unsafe SectionFile.tableChecksum(storage.base, count: end), at: 24, in: &bytes)
        }
        return try SectionFile(ByteStorage(copying: bytes))
    }

    @Test(
        "sections beyond the file, on top of each other, askew or of broken elements are refused",
        arguments: [
            (0, 0, 0), (0, 0, 64), (0, 0, UInt64.max), (0, 0, 1 << 63), (1, 0, 321), (1, 0, 256),
            (2, 0, 1 << 40), (0, 1, 129), (0, 1, UInt64.max), (0, 1, 1 << 63), (1, 1, 1 << 32),
            (1, 1, 159), (2, 1, 168), (2, 1, 152), (2, 1, UInt64(Int64.max) - 63), (0, 3, 3),
            (1, 3, UInt64.max), (2, 3, 16), (0, 3, 8),
        ] as [(Int, Int, UInt64)]
    )
    func refuses(section: Int, field: Int, value: UInt64) throws {
        var bytes = Self.sample()
        _ = try Self.open(bytes)
        Self.put(value, at: Self.place(section: section, field: field), in: &bytes)
        #expect(throws: SectionFile.Failure.self) { try Self.open(bytes) }
    }

    @Test("more sections than the file can hold, or than any file has, are refused")
    func refusesCounts() {
        for count in [0, 2, 4, 5, 1_024, 1_025, 1 << 31, UInt64(UInt32.max)] {
            var bytes = Self.sample()
            let version = Self.word(at: 8, in: bytes) & 0xFFFF_FFFF
            Self.put(version | count << 32, at: 8, in: &bytes)
            #expect(throws: SectionFile.Failure.self, "\(count) sections") {
                try Self.open(bytes)
            }
        }
    }

    @Test("whatever a table says, sections that it opens lie within the file and can be read")
    func randomTables() throws {
        var opened = 0
        for seed in 0..<UInt64(Effort.instances(20_000)) {
            var random = SeededRandom(seed: seed)
            var bytes = Self.sample()
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Self.place(
                    section: .random(in: 0..<3, using: &random),
                    field: .random(in: 0..<4, using: &random)
                )
                let old = Self.word(at: place, in: bytes)
                let values: [UInt64] = [
                    0, 1, 2, 4, 8, 64, 128, .max, 1 << 63, old &+ 64, old &- 64, old &+ 8, old &- 8,
                    UInt64(bytes.count), .random(in: 0...512, using: &random),
                    .random(in: 0...(.max), using: &random),
                ]
                Self.put(values.randomElement(using: &random) ?? 0, at: place, in: &bytes)
            }
            guard let file = try? Self.open(bytes) else { continue }
            opened += 1
            var end = 0
            for section in file.sections {
                #expect(section.offset >= end && section.length >= 0, "seed \(seed)")
                end = section.offset + section.length
                #expect(end <= bytes.count, "seed \(seed)")
            }
            for name in ["bytes", "numbers", "words"] {
                _ = file.column(name, of: UInt8.self).array
                _ = file.column(name, of: UInt16.self).array
                _ = file.column(name, of: Int32.self).array
                _ = file.column(name, of: UInt64.self).array
            }
            try? file.verify()
        }
        #expect(opened > 0)
    }
}
