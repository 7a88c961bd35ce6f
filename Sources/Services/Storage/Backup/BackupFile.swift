import Crypto
import Foundation

/// The file format: a mark, then frames of a kind, a length of 4 bytes and a payload.
///
/// The header is followed by the shape, rows and end of each table, and finally by the end of the
/// file. The end of a table contains the SHA-256 of its rows, and the end of the file that of
/// everything before it.
enum BackupFile {
    /// The first bytes of a backup; the last one is the version of the format.
    static let mark = Array("VIAVAIB".utf8) + [1]

    /// The kinds of frames.
    enum Kind: UInt8 {
        /// The migrations of the schema: pairs of name and digest.
        case header = 0x48
        /// A table: its name, pairs of column name and kind, null, and the key columns.
        case table = 0x54
        /// Complete rows of the current table.
        case rows = 0x52
        /// The end of a table: the number of rows and their digest.
        case tableEnd = 0x45
        /// The end of the file: the digest of everything before this frame.
        case end = 0x5A
    }
}

/// Writes a backup file sequentially.
final class BackupWriter {
    private let path: String
    private let handle: FileHandle
    private var hash = SHA256()
    private var isFinished = false

    /// Creates a file that only its owner may read, replacing an existing one.
    init(_ path: String) throws(BackupFailure) {
        self.path = path
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC
        let file = unsafe open(path, flags, 0o600)
        guard file >= 0 else {
            throw .file(path, reason: unsafe String(cString: strerror(errno)))
        }
        handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        try write(BackupFile.mark)
    }

    func write(_ kind: BackupFile.Kind, _ payload: [UInt8]) throws(BackupFailure) {
        guard let length = UInt32(exactly: payload.count) else {
            throw .file(path, reason: "a row is too large for a backup")
        }
        var head = [kind.rawValue]
        head.append(littleEndian: length)
        try write(head)
        try write(payload)
    }

    /// Writes a frame of encoded values.
    func write(_ kind: BackupFile.Kind, _ values: [SQLValue]) throws(BackupFailure) {
        var payload: [UInt8] = []
        for value in values { RowCoding.append(value, to: &payload) }
        try write(kind, payload)
    }

    /// Completes the file and makes it durable.
    func finish() throws(BackupFailure) {
        try write(.end, Array(hash.finalize()))
        isFinished = true
        do {
            try handle.synchronize()
            try handle.close()
        } catch {
            throw .file(path, reason: "it cannot be flushed")
        }
    }

    private func write(_ bytes: [UInt8]) throws(BackupFailure) {
        precondition(!isFinished, "A complete backup was written to.")
        hash.update(data: bytes)
        do {
            try handle.write(contentsOf: Data(bytes))
        } catch {
            let isFull = (error as? CocoaError)?.code == .fileWriteOutOfSpace
            throw .file(path, reason: isFull ? "no space left" : "it cannot be written")
        }
    }
}

/// Reads a backup frame by frame and verifies its digest.
final class BackupReader {
    private let path: String
    private let handle: FileHandle
    private var hash = SHA256()
    /// The number of bytes that are still unread.
    private var left: Int

    init(_ path: String) throws(BackupFailure) {
        self.path = path
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            throw .file(path, reason: unsafe String(cString: strerror(errno)))
        }
        handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        var status = stat()
        guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .foreign(path)
        }
        left = Int(status.st_size)
        guard left >= BackupFile.mark.count, try read(BackupFile.mark.count) == BackupFile.mark
        else { throw .foreign(path) }
    }

    /// Returns the next frame; nil after the end of the file, which has then been verified.
    func next() throws(BackupFailure) -> (kind: BackupFile.Kind, payload: [UInt8])? {
        let before = hash
        let head = try read(5)
        guard let kind = BackupFile.Kind(rawValue: head[0]),
            let length = head.littleEndian(UInt32.self, at: 1)
        else { throw .damaged(path) }
        let payload = try read(Int(length))
        guard kind == .end else { return (kind, payload) }
        guard Array(before.finalize()) == payload, left == 0 else { throw .damaged(path) }
        return nil
    }

    private func read(_ count: Int) throws(BackupFailure) -> [UInt8] {
        guard count <= left else { throw .cutShort(path) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count {
            let piece = try? handle.read(upToCount: count - bytes.count)
            guard let piece, !piece.isEmpty else { throw .cutShort(path) }
            bytes += piece
        }
        left -= count
        assert(bytes.count == count, "More bytes of a backup were read than asked for.")
        hash.update(data: bytes)
        return bytes
    }
}
