import Foundation

/// A PostgreSQL server whose disk fails as a test demands, while it runs.
package final class RiggedPostgres: Sendable {
    /// The cluster that runs the server.
    package let cluster: PostgresCluster
    private let armed: String
    private let shared: String

    /// Creates and starts a server; its disk works until `arm` is called.
    ///
    /// - Parameters:
    ///   - folder: for the files through which the shim is controlled.
    ///   - shim: the built library.
    ///   - delay: how long a call takes under `delay`, in milliseconds.
    /// - Throws: `PostgresCluster.Failure`.
    package init(in folder: String, _ shim: CrashShim, delay: Int = 0) throws {
        armed = folder + "/armed"
        shared = folder + "/shared"
        try Data(count: MemoryLayout<Int>.size).write(to: URL(fileURLWithPath: shared))
        // The server's processes, which run as another user, write the counter too.
        chmod(shared, 0o666)
        cluster = try PostgresCluster(
            environment: [
                "LD_PRELOAD": shim.path, "CRASH_ALL": "1", "CRASH_ARMED": armed,
                "CRASH_SHARED": shared, "CRASH_DELAY": "\(delay)",
                "CRASH_CALLS": "write,pwrite,writev,pwritev,fsync,fdatasync,rename",
            ]
        )
    }

    /// Makes calls fail from now on.
    ///
    /// - Parameters:
    ///   - how: a value of the shim's CRASH_HOW.
    ///   - call: the first call that fails, counted from now; 0 only counts.
    ///   - path: restricts the fault to files whose path contains it.
    /// - Throws: errors of the file system.
    package func arm(_ how: String, at call: Int = 1, on path: String) throws {
        let counter = try FileHandle(forWritingTo: URL(fileURLWithPath: shared))
        try counter.write(contentsOf: Data(count: MemoryLayout<Int>.size))
        try counter.close()
        try "\(call) \(how) \(path)".write(toFile: armed, atomically: true, encoding: .utf8)
        chmod(armed, 0o644)
    }

    /// Makes the disk work again.
    ///
    /// - Returns: how many calls there were in the meantime.
    /// - Throws: errors of the file system.
    @discardableResult
    package func disarm() throws -> Int {
        try? FileManager.default.removeItem(atPath: armed)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: shared))
        return bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
