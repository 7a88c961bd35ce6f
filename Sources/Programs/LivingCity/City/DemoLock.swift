package import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Locks a folder for as long as this program runs, because two demos that build or serve the same
/// city would interfere with each other.
package enum DemoLock {
    /// Locks a folder, which is created if it does not exist.
    ///
    /// The operating system releases the lock when the program ends, however it ends.
    ///
    /// - Parameter folder: where the files of demo cities are stored.
    /// - Throws: ``DemoFailure/folderInUse(_:)``, ``DemoFailure/badFolder(_:)``.
    package static func take(_ folder: URL) throws(DemoFailure) {
        let path = folder.appendingPathComponent("lock").path
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw .badFolder(folder.path)
        }
        let file = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .badFolder(folder.path) }
        // Never closed: the lock lasts until the program ends.
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            close(file)
            throw .folderInUse(folder.path)
        }
    }
}
