import Columns
import Foundation
import Glibc
import TestSupport
import Testing

@testable import CityData

/// Issue 2, "City file": "Opening checks the header, the section table and each section's bounds,
/// in under 50 ms at any size".
@Suite("City files on disk")
struct CityFileTests {
    /// A large city file whose only section is a hole in the file; only the header and the table
    /// are written.
    private static func hole(of size: UInt64) -> [UInt8] {
        var writer = SectionWriter()
        writer.add("hole", [0] as [UInt8])
        var bytes = writer.bytes()
        func put(_ value: UInt64, at place: Int) {
            for byte in 0..<8 {
                bytes[place + byte] = UInt8(truncatingIfNeeded: value >> (8 * byte))
            }
        }
        // The header is 64 bytes, an entry 72: name, offset, length, checksum, element width.
        let start = UInt64(bytes.count - 1)
        put(size, at: 16)
        put(size - start, at: 64 + 48)
        bytes.removeLast()
        put(0, at: 24)
        let table = ByteStorage(copying: Array(bytes.prefix(64 + 72)))
        put(unsafe Checksum.xxHash64(table.base, count: table.count), at: 24)
        return bytes
    }

    /// Returns the number of page faults of this thread.
    private static func faults() -> Int {
        var usage = rusage()
        // 1 is RUSAGE_THREAD, which glibc defines only for GNU sources.
        getrusage(1, &usage)
        return usage.ru_minflt + usage.ru_majflt
    }

    @Test("opening a file of more than 2 GB touches a few pages of it, not all", arguments: [2, 5])
    func opensWithoutReading(gigabytes: UInt64) throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("huge.city")
        let size = gigabytes << 30 + 64
        try Data(Self.hole(of: size)).write(to: url)
        try #require(truncate(url.path, off_t(size)) == 0, "this disk takes no file so large")
        let before = Self.faults()
        let file = try CityFile.open(url.path)
        let touched = Self.faults() - before
        // Reading the whole file would cause half a million page faults, or 32,768 with read-ahead.
        #expect(touched < 1_000)
        let column = file.column("hole", of: UInt8.self)
        #expect(UInt64(column.count) > gigabytes << 30 - 4_096)
        #expect(column[column.count - 1] == 0 && column[column.count] == 0)
    }

    @Test("a file that is shorter than its header says, or than a header, is refused")
    func refusesShortFiles() throws {
        let folder = try TemporaryFolder()
        let bytes = Self.hole(of: 1 << 31)
        for length in [0, 1, 63, 64, bytes.count] {
            let url = folder.url.appendingPathComponent("short.city")
            try Data(bytes.prefix(length)).write(to: url)
            #expect(throws: CityFile.Failure.self, "\(length) bytes") {
                try CityFile.open(url.path)
            }
        }
    }

    @Test("a file that replaces another is told from it, and mappings of the old one stay valid")
    func replaced() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("town.city")
        func write(_ byte: UInt8) throws {
            var writer = SectionWriter()
            writer.add("byte", [byte])
            try CityFile.write(writer, to: path)
        }
        #expect(CityFile.identity(path) == nil)
        try write(1)
        let old = try CityFile.openIdentified(path)
        #expect(old.name == "town" && CityFile.identity(path) == old.identity)
        try write(2)
        #expect(CityFile.identity(path) != old.identity)
        for (file, byte) in [(old.file, 1 as UInt8), (try CityFile.open(path), 2)] {
            // A column does not keep its file mapped.
            withExtendedLifetime(file) {
                #expect(file.column("byte", of: UInt8.self)[0] == byte)
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).count == 1)
    }
}
