import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension BackupFolder {
    /// Makes a folder that only its owner may enter, where there is none.
    static func make(_ path: String) throws(BackupFault) {
        do {
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw .folder(path, reason: "the folder cannot be made")
        }
    }

    /// Writes a file that only its owner may read; when it returns, the file is durable.
    static func write(_ bytes: [UInt8], to path: String) throws(BackupFault) {
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .folder(path, reason: lastError) }
        let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        do {
            try handle.write(contentsOf: Data(bytes))
            try handle.synchronize()
            try handle.close()
        } catch {
            throw .folder(path, reason: "it cannot be written")
        }
    }

    /// Gives a file or folder its name, for good: the folder it lies in is flushed.
    static func rename(_ draft: String, to path: String) throws(BackupFault) {
        guard unsafe Foundation.rename(draft, path) == 0 else {
            throw .folder(path, reason: lastError)
        }
        try flush(URL(fileURLWithPath: path).deletingLastPathComponent().path)
    }

    /// Makes the names in a folder durable.
    static func flush(_ folder: String) throws(BackupFault) {
        let file = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard file >= 0 else { throw .folder(folder, reason: lastError) }
        defer { close(file) }
        guard fsync(file) == 0 else { throw .folder(folder, reason: lastError) }
    }

    static var lastError: String { unsafe String(cString: strerror(errno)) }
}

/// Keeps every other program from making a backup in a folder, until it is let go.
final class BackupLock: Sendable {
    private let file: Int32

    /// Waits for the lock of a folder.
    ///
    /// - Throws: ``BackupFault/folder(_:reason:)``.
    init(of folder: String) async throws {
        let file = unsafe open(folder + "/.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            throw BackupFault.folder(folder, reason: BackupFolder.lastError)
        }
        self.file = file
        // It may be long until another backup is done: a thread of its own waits.
        let code = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                while flock(file, LOCK_EX) != 0 {
                    guard errno == EINTR else { return continuation.resume(returning: errno) }
                }
                continuation.resume(returning: 0)
            }
        }
        guard code == 0 else {
            throw BackupFault.folder(folder, reason: unsafe String(cString: strerror(code)))
        }
    }

    /// Lets others make their backup.
    func letGo() {
        flock(file, LOCK_UN)
    }

    deinit {
        close(file)
    }
}
