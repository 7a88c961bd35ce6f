package import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Keeps other demos out of a folder for as long as this program runs: two that make or serve the
/// same city would take it from each other.
package enum DemoLock {
    /// Takes a folder, which is made where there is none.
    ///
    /// The system lets it go when the program ends, however it does.
    ///
    /// - Parameter folder: where the files of demo cities go.
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
        // Never closed: it is held until the end.
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            close(file)
            throw .folderInUse(folder.path)
        }
    }
}
