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
        /// There is no such file, or it may not be read.
        case unreadable(path: String)
        /// It is not a city file, or it is damaged.
        case damaged(path: String, SectionFile.Failure)
        /// It cannot be written.
        case unwritable(path: String)
    }

    /// Maps a city file and checks its table; columns are read from disk as they are used.
    package static func open(_ path: String) throws(Failure) -> SectionFile {
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadable(path: path) }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .unreadable(path: path)
        }
        let length = Int(status.st_size)
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

    /// Writes a city file beside its place, flushes it, checks it and moves it there, so that
    /// nobody ever sees half of one.
    package static func write(_ writer: SectionWriter, to path: String) throws(Failure) {
        let bytes = writer.bytes()
        let temporary = path + ".\(getpid()).tmp"
        let descriptor = unsafe Glibc.open(
            temporary,
            O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
            0o644
        )
        guard descriptor >= 0 else { throw .unwritable(path: path) }
        var written = 0
        unsafe bytes.withUnsafeBytes { buffer in
            while written < buffer.count, let start = buffer.baseAddress {
                let count = unsafe Glibc.write(
                    descriptor,
                    start + written,
                    buffer.count - written
                )
                if count <= 0 { break }
                written += count
            }
        }
        let flushed = fsync(descriptor) == 0
        close(descriptor)
        do throws(Failure) {
            guard written == bytes.count, flushed else { throw .unwritable(path: path) }
            try verify(try open(temporary), path: path)
            guard unsafe rename(temporary, path) == 0 else { throw .unwritable(path: path) }
        } catch {
            unsafe unlink(temporary)
            throw error
        }
    }
}
