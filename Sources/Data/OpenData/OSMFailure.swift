/// Why a file is not a readable OpenStreetMap PBF, and where.
package struct OSMFailure: Error, Equatable, Sendable {
    /// The name of the file as it was given.
    package let file: String
    /// How many bytes from the start of the file the blob begins that could not be read.
    package let offset: Int
    /// The blob's number in the file, from 0.
    package let blob: Int
    /// The error that occurred.
    package let problem: Problem

    /// The kinds of errors in a PBF file.
    package enum Problem: Error, Equatable, Sendable {
        /// The file cannot be opened or read; the system's error number.
        case unreadable(code: Int32)
        /// The file ends inside of a blob.
        case truncated
        /// A blob's header is longer than the 64 KiB that the format allows.
        case headerTooLong(Int)
        /// A blob is longer than the 32 MiB that the format allows, as stored or inflated.
        case blobTooLong(Int)
        /// The file does not begin with an `OSMHeader`.
        case noHeader
        /// The blob uses a compression that is not supported.
        case compression(Compression)
        /// The blob's compressed bytes are damaged or do not have the size it states.
        case inflate
        /// The file needs a feature that this reader does not have.
        case requiredFeature(String)
        /// A message in the blob is damaged.
        case message(ProtobufFailure)
    }

    /// Ways to compress a blob that are refused.
    package enum Compression: String, Equatable, Sendable {
        /// The LZMA compression.
        case lzma
        /// The obsolete bzip2 compression.
        case bzip2
        /// The LZ4 compression.
        case lz4
        /// Zstandard compression.
        case zstd
        /// No known field contains data.
        case unknown
    }
}

extension OSMFailure: CustomStringConvertible {
    /// One line for people, which names the file, the place and the field.
    package var description: String {
        "\(file): \(problem.text) (blob \(blob), byte \(offset))"
    }
}

extension OSMFailure.Problem {
    fileprivate var text: String {
        switch self {
        case .unreadable(let code): "cannot be read (system error \(code))"
        case .truncated: "ends in the middle of a blob"
        case .headerTooLong(let length): "has a blob header of \(length) bytes, over 64 KiB"
        case .blobTooLong(let length): "has a blob of \(length) bytes, over 32 MiB"
        case .noHeader: "does not begin with an OSMHeader; is it an OSM PBF file?"
        case .compression(let kind):
            "is compressed with \(kind.rawValue); only zlib and uncompressed files can be read"
        case .inflate: "has a damaged zlib stream"
        case .requiredFeature(let name): "requires the unknown feature \"\(name)\""
        case .message(let failure): failure.text
        }
    }
}

extension ProtobufFailure {
    fileprivate var text: String {
        let place = "\(message), field \(field), byte \(offset) of the block"
        return switch problem {
        case .truncated: "ends in the middle of a value in \(place)"
        case .varintTooLong: "has a number of more than 64 bits in \(place)"
        case .fieldNumber: "has an impossible field number in \(place)"
        case .wireType(let type): "has a value of the wrong wire type \(type) in \(place)"
        case .missing: "lacks a required field in \(place)"
        case .valueOutOfRange(let value): "has the value \(value) out of range in \(place)"
        case .unequalLengths: "has columns of different lengths in \(place)"
        }
    }
}
