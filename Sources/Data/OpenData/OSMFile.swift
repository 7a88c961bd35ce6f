#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// An OpenStreetMap file in PBF, the format of almost all extracts.
///
/// The file is a sequence of *blobs*, each up to 32 MiB of compressed Protocol Buffers: a header,
/// then blocks of nodes, ways and relations. They are delivered one after the other, so that only
/// one block is ever in memory besides the file itself:
///
/// ```swift
/// var blocks = try OSMFile(path: "milan.osm.pbf").blocks(.ways)
/// while let block = try blocks.next() {
///     for way in block.ways { print(way.id, way.tags["highway"] ?? "no highway") }
/// }
/// ```
///
/// Source: OSM wiki, "PBF Format".
package struct OSMFile: Sendable {
    /// The file's name, for messages.
    package let name: String
    /// The contents of the file.
    package let bytes: [UInt8]

    /// A file whose bytes are in memory.
    package init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }

    /// Reads a file from a disk; the name is the path's last part.
    package init(path: String) throws(OSMFailure) {
        name = path.split(separator: "/").last.map(String.init) ?? path
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        var status = stat()
        guard file >= 0, unsafe fstat(file, &status) == 0 else {
            throw OSMFailure(
                file: name,
                offset: 0,
                blob: 0,
                problem: .unreadable(code: errno)
            )
        }
        defer { close(file) }
        var code: Int32 = 0
        bytes = unsafe [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { buffer, count in
            while count < buffer.count, let base = buffer.baseAddress {
                let got = unsafe read(file, base + count, buffer.count - count)
                if got < 0, errno == EINTR { continue }
                if got < 0 { code = errno }
                guard got > 0 else { break }
                count += got
            }
        }
        guard code == 0 else {
            throw OSMFailure(file: name, offset: 0, blob: 0, problem: .unreadable(code: code))
        }
    }

    /// The file's blocks in order, decoded for the given kinds of elements only.
    package func blocks(_ kinds: OSMKinds = .all) -> OSMBlocks {
        OSMBlocks(self, kinds)
    }
}

/// Kinds of elements of OpenStreetMap.
package struct OSMKinds: OptionSet, Sendable {
    /// One bit for each kind of element.
    package let rawValue: UInt8

    /// Creates a set from its bits.
    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Nodes, which are places.
    package static let nodes = OSMKinds(rawValue: 1)
    /// Ways, which are lines and outlines.
    package static let ways = OSMKinds(rawValue: 2)
    /// Elements that belong together.
    package static let relations = OSMKinds(rawValue: 4)
    /// Elements of every kind.
    package static let all: OSMKinds = [.nodes, .ways, .relations]
}

/// The blocks of a file, read one by one.
package struct OSMBlocks: Sendable {
    private let file: OSMFile
    private let kinds: OSMKinds
    private var offset = 0
    private var blob = 0
    private var hasHeader = false

    /// A blob's header may have this many bytes (OSM wiki, "PBF Format").
    static let headerLengthLimit = 64 << 10
    /// A blob may have this many bytes, stored or inflated (OSM wiki, "PBF Format").
    static let blobLengthLimit = 32 << 20
    /// The features of files that this reader understands.
    static let features: [String] = ["OsmSchema-V0.6", "DenseNodes"]

    fileprivate init(_ file: OSMFile, _ kinds: OSMKinds) {
        self.file = file
        self.kinds = kinds
    }

    /// How much of the file has been read, 0 to 1.
    package var fraction: Double {
        Double(offset) / Double(max(1, file.bytes.count))
    }

    /// The next block, or nil at the end of the file.
    ///
    /// After an error the iteration cannot go on; it ends.
    package mutating func next() throws(OSMFailure) -> OSMBlock? {
        let start = offset
        let number = blob
        do throws(OSMFailure.Problem) {
            return try nextBlock()
        } catch {
            offset = file.bytes.count
            hasHeader = true
            throw OSMFailure(file: file.name, offset: start, blob: number, problem: error)
        }
    }

    private mutating func nextBlock() throws(OSMFailure.Problem) -> OSMBlock? {
        while offset < file.bytes.count {
            let (type, body) = try frame()
            blob += 1
            if type == "OSMHeader" {
                try checkHeader(try OSMBlob.inflated(file.bytes, body))
                hasHeader = true
            } else {
                guard hasHeader else { throw .noHeader }
                guard type == "OSMData" else { continue }
                let inflated = try OSMBlob.inflated(file.bytes, body)
                do throws(ProtobufFailure) {
                    return try OSMBlock(inflated, kinds)
                } catch {
                    throw .message(error)
                }
            }
        }
        guard hasHeader else { throw .noHeader }
        return nil
    }

    /// Reads a blob's length and header, and moves on to the blob behind it.
    private mutating func frame() throws(OSMFailure.Problem) -> (String, Range<Int>) {
        let bytes = file.bytes
        guard bytes.count - offset >= 4 else { throw .truncated }
        let length = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
        guard length <= Self.headerLengthLimit else {
            // A file that is not PBF at all most likely fails here.
            throw offset == 0 ? .noHeader : .headerTooLong(length)
        }
        offset += 4
        guard bytes.count - offset >= length else { throw .truncated }
        var type = ""
        var size: Int64 = -1
        do throws(ProtobufFailure) {
            var reader = ProtobufReader(bytes, offset..<offset + length, message: "BlobHeader")
            while let field = try reader.next() {
                switch field {
                case 1: type = try reader.text()
                case 3: size = try reader.integer()
                default: try reader.skip()
                }
            }
            guard size >= 0 else { throw reader.failure(.missing) }
        } catch {
            throw blob == 0 ? .noHeader : .message(error)
        }
        offset += length
        guard size <= Int64(Self.blobLengthLimit) else { throw .blobTooLong(Int(size)) }
        guard bytes.count - offset >= Int(size) else { throw .truncated }
        defer { offset += Int(size) }
        return (type, offset..<offset + Int(size))
    }

    /// Refuses files that require features this reader does not support.
    private func checkHeader(_ bytes: [UInt8]) throws(OSMFailure.Problem) {
        var required: [String] = []
        do throws(ProtobufFailure) {
            var reader = ProtobufReader(bytes, message: "HeaderBlock")
            while let field = try reader.next() {
                if field == 4 { required.append(try reader.text()) } else { try reader.skip() }
            }
        } catch {
            throw .message(error)
        }
        for feature in required where !Self.features.contains(feature) {
            throw .requiredFeature(feature)
        }
    }
}
