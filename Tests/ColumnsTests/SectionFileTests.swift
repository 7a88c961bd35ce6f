import Columns
import TestSupport
import Testing

@Suite("Section files")
struct SectionFileTests {
    private func sample() -> [UInt8] {
        var writer = SectionWriter()
        writer.add("numbers", [1, -2, 3] as [Int32])
        writer.add("names", texts: ["", "Duomo", "Città Studi"])
        writer.add("bytes", [7, 8, 9, 10, 11] as [UInt8])
        return writer.bytes()
    }

    @Test("what was written is read back")
    func roundTrip() throws {
        let file = try SectionFile(ByteStorage(copying: sample()))
        try file.verify()
        #expect(file.column("numbers", of: Int32.self).array == [1, -2, 3])
        #expect(Texts("names", in: file)[2] == "Città Studi")
        #expect(file.column("bytes", of: UInt8.self)[5] == 0, "out of range reads as zero")
        #expect(file.column("numbers", of: Int64.self).count == 0, "another width is no column")
        #expect(file.column("absent", of: UInt8.self).count == 0)
    }

    @Test("the order of adding does not change the bytes")
    func reproducible() {
        var writer = SectionWriter()
        writer.add("bytes", [7, 8, 9, 10, 11] as [UInt8])
        writer.add("names", texts: ["", "Duomo", "Città Studi"])
        writer.add("numbers", [1, -2, 3] as [Int32])
        #expect(writer.bytes() == sample())
    }

    @Test("every flipped bit is found, at opening or by verify")
    func damage() {
        let good = sample()
        for position in good.indices {
            for bit in 0..<8 {
                var bad = good
                bad[position] ^= 1 << bit
                #expect(throws: SectionFile.Failure.self, "byte \(position), bit \(bit)") {
                    try SectionFile(ByteStorage(copying: bad)).verify()
                }
            }
        }
    }

    @Test("every truncation is found at opening")
    func truncation() {
        let good = sample()
        for length in 0..<good.count {
            #expect(throws: SectionFile.Failure.self) {
                try SectionFile(ByteStorage(copying: Array(good.prefix(length))))
            }
        }
    }

    @Test("the checksum is xxHash64 (vectors of the reference implementation, seed 0)")
    func checksum() {
        func hash(_ text: String) -> UInt64 {
            let storage = ByteStorage(copying: Array(text.utf8))
            return Checksum.xxHash64(storage.base, count: storage.count)
        }
        #expect(hash("") == 0xEF46_DB37_51D8_E999)
        #expect(hash("a") == 0xD24E_C4F1_A98C_6E5B)
        #expect(hash("abc") == 0x44BC_2CF5_AD77_0999)
        #expect(
            hash("Call me Ishmael. Some years ago--never mind how long precisely-")
                == 0x02A2_E854_70D6_FD96
        )
    }
}
