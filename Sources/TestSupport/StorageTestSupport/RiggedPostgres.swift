import Foundation

/// A PostgreSQL server whose disk does as a test says, while it runs.
package final class RiggedPostgres: Sendable {
    /// The server.
    package let cluster: PostgresCluster
    private let armed: String
    private let shared: String

    /// Makes and starts a server; until `arm` its disk is sound.
    ///
    /// - Parameters:
    ///   - folder: for what the shim reads and counts in.
    ///   - shim: the shim.
    ///   - delay: how long a call takes under `delay`, in milliseconds.
    /// - Throws: `PostgresCluster.Failure`.
    package init(in folder: String, _ shim: CrashShim, delay: Int = 0) throws {
        armed = folder + "/armed"
        shared = folder + "/shared"
        try Data(count: MemoryLayout<Int>.size).write(to: URL(fileURLWithPath: shared))
        // The server's processes count in it too, whoever they belong to.
        chmod(shared, 0o666)
        cluster = try PostgresCluster(
            environment: [
                "LD_PRELOAD": shim.path, "CRASH_ALL": "1", "CRASH_ARMED": armed,
                "CRASH_SHARED": shared, "CRASH_DELAY": "\(delay)",
                "CRASH_CALLS": "write,pwrite,writev,pwritev,fsync,fdatasync,rename",
            ]
        )
    }

    /// Makes calls go wrong from now on.
    ///
    /// - Parameters:
    ///   - how: as the shim's CRASH_HOW.
    ///   - call: from which call on, counted from now; 0 only counts.
    ///   - path: on files whose path contains it.
    /// - Throws: what the file system throws.
    package func arm(_ how: String, at call: Int = 1, on path: String) throws {
        let counter = try FileHandle(forWritingTo: URL(fileURLWithPath: shared))
        try counter.write(contentsOf: Data(count: MemoryLayout<Int>.size))
        try counter.close()
        try "\(call) \(how) \(path)".write(toFile: armed, atomically: true, encoding: .utf8)
        chmod(armed, 0o644)
    }

    /// Makes the disk sound again.
    ///
    /// - Returns: how many calls there were meanwhile.
    /// - Throws: what the file system throws.
    @discardableResult
    package func disarm() throws -> Int {
        try? FileManager.default.removeItem(atPath: armed)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: shared))
        return bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
