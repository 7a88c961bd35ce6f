import Chronology
import Foundation
import OpenData
import SeededRandom
import TestSupport

/// The live feeds among the real data, by the folder of the data.
enum FeedSample {
    /// The bytes of a file.
    static func bytes(_ path: String) throws -> [UInt8] {
        try RealData.require(path)
        return [UInt8](try Data(contentsOf: RealData.url(path)))
    }

    /// A system read from all files of a folder that it has.
    static func system(_ folder: String) throws -> (SharingSystem, [SharingSystem.Reading]) {
        try RealData.require("\(folder)/gbfs.json")
        var system = SharingSystem()
        var readings: [SharingSystem.Reading] = []
        for file in GBFSFile.allCases {
            let older = file == .vehicleStatus ? "free_bike_status" : file.rawValue
            let name = [file.rawValue, older].first { RealData.has("\(folder)/\($0).json") }
            guard let name else { continue }
            readings.append(try system.read(try bytes("\(folder)/\(name).json"), as: file))
        }
        return (system, readings)
    }

    /// A local time in UTC.
    static func instant(_ text: String) throws -> Instant {
        guard let time = LocalTime(iso8601: text) else { throw CocoaError(.formatting) }
        return Instant(seconds: time.wallSeconds)
    }

    /// Copies of some bytes, each with random changes: other bytes, cut ends, repeated parts.
    static func damaged(_ bytes: [UInt8], seed: UInt64, count: Int) -> [[UInt8]] {
        var random = SeededRandom(seed: seed)
        return (0..<count).map { _ in
            var copy = bytes
            for _ in 0..<Int.random(in: 0..<(6), using: &random) + 1 where !copy.isEmpty {
                switch Int.random(in: 0..<(4), using: &random) {
                case 0: copy.removeLast(Int.random(in: 0..<(copy.count), using: &random) + 1)
                case 1:
                    let start = Int.random(in: 0..<(copy.count), using: &random)
                    copy.removeSubrange(start..<min(copy.count, start + 5))
                default:
                    copy[Int.random(in: 0..<(copy.count), using: &random)] = UInt8(
                        Int.random(in: 0..<(256), using: &random)
                    )
                }
            }
            return copy
        }
    }
}
