/// A file of named columns, opened for reading. The layout, all little-endian:
///
/// | bytes | what |
/// |---|---|
/// | 0..<8 | `VIAVAI` and two zero bytes |
/// | 8..<12 | format version |
/// | 12..<16 | number of sections, n |
/// | 16..<24 | length of the file |
/// | 24..<32 | checksum of the header (this field as zero) and the section table |
/// | 32..<64 | zero |
/// | 64..<64+72n | the section table, names ascending |
/// | then | the sections in the table's order, each at the next multiple of 64, zeros between |
///
/// An entry of the table is the name (40 bytes of zero-padded ASCII), then offset, length,
/// checksum and element width (8 bytes each).
///
/// Opening checks everything but the sections' own checksums, so it takes the same short time
/// at any size; ``verify()`` checks the rest.
public struct SectionFile: Sendable {
    /// Sections begin at multiples of this many bytes: a cache line, and enough for any element.
    public static let alignment = 64
    /// The format that this code writes and reads; a file of another version is refused.
    public static let formatVersion: UInt32 = 1
    /// The greatest length of a section's name, in bytes.
    public static let nameLength = 40
    /// The greatest number of sections; a file that claims more is treated as damaged.
    public static let sectionCountLimit = 1_024

    static let headerLength = 64
    static let entryLength = 72
    static let magic: [UInt8] = [0x56, 0x49, 0x41, 0x56, 0x41, 0x49, 0, 0]

    /// The bytes that all columns of this file point into.
    public let storage: ByteStorage
    /// The sections in the order of their names.
    public let sections: [Section]

    /// The description of one section in the section table.
    public struct Section: Sendable, Equatable {
        /// The name of the section, in ASCII.
        public let name: [UInt8]
        /// The position of its first byte, from the start of the file.
        public let offset: Int
        /// The length of the section in bytes.
        public let length: Int
        /// The xxHash64 of the section's bytes.
        public let checksum: UInt64
        /// The width of one element in bytes: 1, 2, 4 or 8.
        public let elementWidth: Int
    }

    /// Why bytes are not a section file.
    public enum Failure: Error, Equatable, Sendable {
        /// The file is shorter than its header, or than the header says.
        case truncated(expected: Int, actual: Int)
        /// The first bytes are not those of a section file.
        case notASectionFile
        /// Written by another version of the program.
        case otherVersion(UInt32)
        /// The header or the section table is damaged.
        case damagedTable
        /// A section lies outside the file, overlaps its neighbour or is misaligned.
        case sectionOutOfBounds(name: [UInt8])
        /// The bytes of a section do not have its checksum.
        case damagedSection(name: [UInt8])
        /// The zeros between sections are not zero.
        case damagedPadding(offset: Int)
    }

    /// Opens a section file: checks the header, the table and each section's bounds.
    public init(_ storage: ByteStorage) throws(Failure) {
        self.storage = storage
        let length = storage.count
        guard length >= Self.headerLength else {
            throw .truncated(expected: Self.headerLength, actual: length)
        }
        let base = unsafe storage.base
        for (position, byte) in Self.magic.enumerated() {
            guard unsafe base.load(fromByteOffset: position, as: UInt8.self) == byte else {
                throw .notASectionFile
            }
        }
        let version = UInt32(littleEndian: unsafe base.load(fromByteOffset: 8, as: UInt32.self))
        guard version == Self.formatVersion else { throw .otherVersion(version) }
        let count = UInt32(littleEndian: unsafe base.load(fromByteOffset: 12, as: UInt32.self))
        let stated = UInt64(littleEndian: unsafe base.load(fromByteOffset: 16, as: UInt64.self))
        guard stated == UInt64(length) else {
            throw .truncated(expected: Int(clamping: stated), actual: length)
        }
        guard count <= UInt32(Self.sectionCountLimit) else { throw .damagedTable }
        let tableEnd = Self.headerLength + Int(count) * Self.entryLength
        guard tableEnd <= length else { throw .truncated(expected: tableEnd, actual: length) }
        let checksum = UInt64(littleEndian: unsafe base.load(fromByteOffset: 24, as: UInt64.self))
        guard unsafe Self.tableChecksum(base, count: tableEnd) == checksum else {
            throw .damagedTable
        }
        var sections: [Section] = []
        var floor = tableEnd
        for number in 0..<Int(count) {
            let section = unsafe Self.entry(number, base)
            guard section.offset >= floor, section.offset % Self.alignment == 0,
                section.length >= 0, section.offset <= length,
                section.length <= length - section.offset,
                [1, 2, 4, 8].contains(section.elementWidth),
                section.length % section.elementWidth == 0
            else { throw .sectionOutOfBounds(name: section.name) }
            floor = section.offset + section.length
            sections.append(section)
        }
        guard floor == length else { throw .truncated(expected: floor, actual: length) }
        self.sections = sections
    }

    /// The column stored under a name; empty if there is none or its elements
    /// are of another width.
    public func column<Element: ColumnElement>(
        _ name: String,
        of: Element.Type = Element.self
    ) -> Column<Element> {
        let wanted = Array(name.utf8)
        guard let section = sections.first(where: { $0.name == wanted }),
            section.elementWidth == MemoryLayout<Element>.size
        else { return Column() }
        let start = unsafe (storage.base + section.offset).assumingMemoryBound(to: Element.self)
        return unsafe Column(base: start, count: section.length / section.elementWidth)
    }

    /// Whether there is a section with this name.
    public func contains(_ name: String) -> Bool {
        let wanted = Array(name.utf8)
        return sections.contains { $0.name == wanted }
    }

    /// Checks every byte of the file against the checksums.
    ///
    /// - Complexity: reads the whole file once.
    public func verify() throws(Failure) {
        var position = Self.headerLength + sections.count * Self.entryLength
        for section in sections {
            while position < section.offset {
                guard unsafe storage.base.load(fromByteOffset: position, as: UInt8.self) == 0
                else { throw .damagedPadding(offset: position) }
                position += 1
            }
            let start = unsafe storage.base + section.offset
            guard unsafe Checksum.xxHash64(start, count: section.length) == section.checksum
            else { throw .damagedSection(name: section.name) }
            position = section.offset + section.length
        }
    }

    private static func entry(_ number: Int, _ base: UnsafeRawPointer) -> Section {
        let start = headerLength + number * entryLength
        var name: [UInt8] = []
        for position in 0..<nameLength {
            let byte = unsafe base.load(fromByteOffset: start + position, as: UInt8.self)
            if byte == 0 { break }
            name.append(byte)
        }
        func word(_ position: Int) -> UInt64 {
            UInt64(
                littleEndian: unsafe base.load(
                    fromByteOffset: start + nameLength + position,
                    as: UInt64.self
                )
            )
        }
        return Section(
            name: name,
            offset: Int(clamping: word(0)),
            length: Int(clamping: word(8)),
            checksum: word(16),
            elementWidth: max(1, Int(clamping: word(24)))
        )
    }

    /// The checksum of header and table with the checksum's own field read as zero.
    static func tableChecksum(_ base: UnsafeRawPointer, count: Int) -> UInt64 {
        var copy: [UInt8] = []
        copy.reserveCapacity(count)
        for position in 0..<count {
            let byte = unsafe base.load(fromByteOffset: position, as: UInt8.self)
            copy.append(position >= 24 && position < 32 ? 0 : byte)
        }
        return unsafe copy.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return 0 }
            return unsafe Checksum.xxHash64(start, count: bytes.count)
        }
    }
}
