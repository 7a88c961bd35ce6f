package import Columns
import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// City files on disk: mapped for reading, written whole or not at all.
package enum CityFile {
    /// Why a city file cannot be read or written.
    package enum Failure: Error, Equatable, Sendable {
        /// The file does not exist or must not be read.
        case unreadable(path: String)
        /// It is not a city file, or it is damaged.
        case damaged(path: String, SectionFile.Failure)
        /// The file cannot be written.
        case unwritable(path: String)
        /// There is no such folder to write it to.
        case noFolder(path: String, folder: String)
        /// The path belongs to something other than a file.
        case noFile(path: String)
        /// The program was asked to end before the file was complete.
        case interrupted(path: String)
    }

    /// The identity of a file, which differs from that of the file that had the same path before.
    ///
    /// A file that is renamed into place has another inode; one that is overwritten has another
    /// length or modification time.
    package struct Identity: Hashable, Sendable {
        private let device: UInt64
        private let number: UInt64
        private let length: Int64
        private let changed: Int64

        fileprivate init(_ status: stat) {
            device = UInt64(status.st_dev)
            number = UInt64(status.st_ino)
            length = Int64(status.st_size)
            changed = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
        }
    }

    /// The identity of the file at a path; nil if there is none.
    package static func identity(_ path: String) -> Identity? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? Identity(status) : nil
    }

    /// Maps a city file and checks its table; columns are read from disk as they are used.
    package static func open(_ path: String) throws(Failure) -> SectionFile {
        try openIdentified(path).file
    }

    /// An open city file with the identity by which a new file at its path is noticed.
    package struct Identified: Sendable {
        /// The path at which it was opened.
        package let path: String
        /// The contents of the file, mapped into memory.
        package let file: SectionFile
        /// The identity of what was mapped.
        package let identity: Identity?

        /// Creates a description of an open file.
        package init(path: String, file: SectionFile, identity: Identity?) {
            self.path = path
            self.file = file
            self.identity = identity
        }

        /// The name of the file without its extension.
        package var name: String { CityFile.name(path) }
    }

    /// The name of the file at a path, without its extension.
    package static func name(_ path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return name.hasSuffix(".city") ? String(name.dropLast(5)) : name
    }

    /// Maps a city file as ``open(_:)`` does, and returns it with its identity.
    package static func openIdentified(_ path: String) throws(Failure) -> Identified {
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadable(path: path) }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .unreadable(path: path)
        }
        return Identified(
            path: path,
            file: try map(descriptor, Int(status.st_size), path),
            identity: Identity(status)
        )
    }

    private static func map(
        _ descriptor: Int32,
        _ length: Int,
        _ path: String
    ) throws(Failure) -> SectionFile {
        do throws(SectionFile.Failure) {
            guard length > 0 else { throw .truncated(expected: 64, actual: 0) }
            guard
                let base = unsafe mmap(nil, length, PROT_READ, MAP_PRIVATE, descriptor, 0),
                unsafe base != MAP_FAILED
            else { throw .truncated(expected: length, actual: 0) }
            let storage = unsafe ByteStorage(base: UnsafeRawPointer(base), count: length) {
                unsafe munmap(base, length)
            }
            return try SectionFile(storage)
        } catch {
            throw .damaged(path: path, error)
        }
    }

    /// Checks every byte of an open city file against its checksums.
    package static func verify(_ file: SectionFile, path: String) throws(Failure) {
        do throws(SectionFile.Failure) {
            try file.verify()
        } catch {
            throw .damaged(path: path, error)
        }
    }

    /// Checks whether a city file can be written to a path, before a long computation whose result
    /// would otherwise be lost.
    package static func checkPlace(_ path: String) throws(Failure) {
        var status = stat()
        let isThere = unsafe stat(path, &status) == 0
        guard !path.hasSuffix("/"), !isThere || status.st_mode & S_IFMT == S_IFREG else {
            throw .noFile(path: path)
        }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let folder = parts.dropLast().joined(separator: "/")
        let place = parts.count == 1 ? "." : folder + "/"
        guard unsafe stat(place, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw .noFolder(path: path, folder: folder)
        }
        try Interruption.putOff { () throws(Failure) in
            let temporary = temporary(for: path)
            let descriptor = try create(temporary, for: path)
            close(descriptor)
            unsafe unlink(temporary)
        }
    }

    /// Writes a city file under a temporary name, flushes it, verifies it and renames it, so that a
    /// partial file is never visible.
    ///
    /// Programs that have mapped the previous file at the path keep it. If the program is killed,
    /// there is a whole file at the path, and possibly the temporary one; if it is interrupted, it
    /// removes the temporary one.
    package static func write(_ writer: SectionWriter, to path: String) throws(Failure) {
        let bytes = writer.bytes()
        let temporary = temporary(for: path)
        try Interruption.putOff { () throws(Failure) in
            let descriptor = try create(temporary, for: path)
            do throws(Failure) {
                try write(bytes, to: descriptor, for: path)
                try verify(try open(temporary), path: path)
                guard !Interruption.isAsked else { throw .interrupted(path: path) }
                guard unsafe rename(temporary, path) == 0 else { throw .unwritable(path: path) }
                flushFolder(of: path)
            } catch {
                unsafe unlink(temporary)
                throw error
            }
        }
    }

    /// Flushes the folder of a path, so that a new name in it survives a power failure.
    ///
    /// If the system cannot do so, either the old file or the new one is there afterwards; both are
    /// whole.
    private static func flushFolder(of path: String) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let folder = parts.isEmpty ? "." : parts.joined(separator: "/") + "/"
        let descriptor = unsafe Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    /// The temporary path to which the bytes are written first.
    private static func temporary(for path: String) -> String { path + ".\(getpid()).tmp" }

    private static func create(_ temporary: String, for path: String) throws(Failure) -> Int32 {
        let descriptor = unsafe Glibc.open(
            temporary,
            O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
            0o644
        )
        guard descriptor >= 0 else { throw .unwritable(path: path) }
        return descriptor
    }

    /// Writes bytes, flushes them and closes the descriptor.
    private static func write(
        _ bytes: [UInt8],
        to descriptor: Int32,
        for path: String
    ) throws(Failure) {
        var written = 0
        unsafe bytes.withUnsafeBytes { buffer in
            while written < buffer.count, !Interruption.isAsked, let start = buffer.baseAddress {
                let count = unsafe Glibc.write(
                    descriptor,
                    start + written,
                    min(buffer.count - written, Self.pieceLength)
                )
                if count <= 0 { break }
                written += count
            }
        }
        let isFlushed = !Interruption.isAsked && fsync(descriptor) == 0
        close(descriptor)
        guard !Interruption.isAsked else { throw .interrupted(path: path) }
        guard written == bytes.count, isFlushed else { throw .unwritable(path: path) }
    }

    /// The number of bytes that are written between two checks for an interruption.
    private static let pieceLength = 1 << 22
}
