import Foundation

/// How long the disk takes to make a written page durable.
enum DiskMeasurement {
    private static let rounds = 1_000
    private static let page = 4_096

    static func run(_ folder: String) throws -> String {
        let path = folder + "/sync"
        let file = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Failure.peer("\(path) cannot be written") }
        defer {
            close(file)
            _ = unsafe unlink(path)
        }
        let bytes = [UInt8](repeating: 7, count: page)
        var times = Samples()
        for round in 0..<rounds {
            let offset = off_t(round % 256 * page)
            let written = unsafe bytes.withUnsafeBytes {
                unsafe pwrite(file, $0.baseAddress, $0.count, offset)
            }
            guard written == page else { throw Failure.peer("\(path) cannot be written") }
            times.add(seconds { _ = fdatasync(file) } * 1_000)
        }
        var figures = Figures()
        figures.add("sync_ms", times)
        return figures.json
    }
}
