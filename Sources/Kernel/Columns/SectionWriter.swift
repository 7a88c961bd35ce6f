/// Collects columns and lays them out as a section file.
///
/// The same columns always give the same bytes, in whatever order they were added.
public struct SectionWriter: Sendable {
    private var sections: [Pending] = []

    private struct Pending: Sendable {
        let name: [UInt8]
        let elementWidth: Int
        let bytes: [UInt8]
    }

    /// Creates a writer without sections.
    public init() {}

    /// Adds a column under a name, which must be new, ASCII and at most
    /// ``SectionFile/nameLength`` bytes.
    public mutating func add<Element: ColumnElement>(_ name: String, _ elements: [Element]) {
        let ascii = Array(name.utf8)
        precondition(
            !ascii.isEmpty && ascii.count <= SectionFile.nameLength
                && ascii.allSatisfy { $0 > 0x20 && $0 < 0x7F },
            "a section's name is 1 to 40 visible ASCII bytes"
        )
        precondition(
            !sections.contains { $0.name == ascii },
            "each section's name is used once"
        )
        let bytes = unsafe elements.withUnsafeBytes { unsafe [UInt8]($0) }
        let width = MemoryLayout<Element>.size
        sections.append(Pending(name: ascii, elementWidth: width, bytes: bytes))
    }

    /// Adds texts that ``Texts/init(_:in:)`` reads back.
    public mutating func add(_ name: String, texts: [String]) {
        var offsets: [UInt32] = [0]
        var bytes: [UInt8] = []
        for text in texts {
            bytes.append(contentsOf: text.utf8)
            offsets.append(UInt32(bytes.count))
        }
        add(name + ".offsets", offsets)
        add(name + ".bytes", bytes)
    }

    /// The bytes of the complete file.
    public func bytes() -> [UInt8] {
        let sorted = sections.sorted { $0.name.lexicographicallyPrecedes($1.name) }
        let tableEnd = SectionFile.headerLength + sorted.count * SectionFile.entryLength
        var offsets: [Int] = []
        var end = tableEnd
        for section in sorted {
            let offset = Self.aligned(end)
            offsets.append(offset)
            end = offset + section.bytes.count
        }
        var file: [UInt8] = []
        file.reserveCapacity(end)
        file.append(contentsOf: SectionFile.magic)
        Self.append(SectionFile.formatVersion, to: &file)
        Self.append(UInt32(sorted.count), to: &file)
        Self.append(UInt64(end), to: &file)
        file.append(contentsOf: repeatElement(0, count: 40))
        for (section, offset) in zip(sorted, offsets) {
            let padding = SectionFile.nameLength - section.name.count
            file.append(contentsOf: section.name)
            file.append(contentsOf: repeatElement(0, count: padding))
            Self.append(UInt64(offset), to: &file)
            Self.append(UInt64(section.bytes.count), to: &file)
            Self.append(Self.checksum(section.bytes), to: &file)
            Self.append(UInt64(section.elementWidth), to: &file)
        }
        let checksum = Self.checksum(file)
        for byte in 0..<8 {
            file[24 + byte] = UInt8(truncatingIfNeeded: checksum >> (8 * UInt64(byte)))
        }
        for (section, offset) in zip(sorted, offsets) {
            file.append(contentsOf: repeatElement(0, count: offset - file.count))
            file.append(contentsOf: section.bytes)
        }
        return file
    }

    /// The file opened for reading: for tests, and for planning on what was just imported.
    public func opened() throws(SectionFile.Failure) -> SectionFile {
        try SectionFile(ByteStorage(copying: bytes()))
    }

    private static func aligned(_ offset: Int) -> Int {
        (offset + SectionFile.alignment - 1) / SectionFile.alignment * SectionFile.alignment
    }

    private static func append<Number: FixedWidthInteger>(_ number: Number, to file: inout [UInt8])
    {
        for byte in 0..<(Number.bitWidth / 8) {
            file.append(UInt8(truncatingIfNeeded: number >> Number(8 * byte)))
        }
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt64 {
        unsafe bytes.withUnsafeBytes { buffer in
            guard let start = buffer.baseAddress else { return emptyChecksum }
            return unsafe Checksum.xxHash64(start, count: buffer.count)
        }
    }

    /// The xxHash64 of an empty section.
    private static let emptyChecksum: UInt64 = 0xEF46_DB37_51D8_E999
}
