import Columns
import Foundation
import Geo
import Journeys

/// Opens city files and reads batch files, with the kernel alone.
enum CityOpening {
    /// Maps a city file, as `viavai` does.
    static func file(_ path: String) throws -> SectionFile {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure.unreadable(path) }
        defer { close(descriptor) }
        let length = Int(lseek(descriptor, 0, SEEK_END))
        guard length > 0,
            let base = unsafe mmap(nil, length, PROT_READ, MAP_PRIVATE, descriptor, 0),
            unsafe base != MAP_FAILED
        else { throw Failure.unreadable(path) }
        return try SectionFile(
            unsafe ByteStorage(base: UnsafeRawPointer(base), count: length) {
                unsafe munmap(base, length)
            }
        )
    }

    /// How long it takes to open a city file, in microseconds; one time for each round.
    static func times(_ path: String, rounds: Int) throws -> [Double] {
        _ = try city(path)
        return (0..<rounds).map { _ in Stopwatch.microseconds { _ = try? city(path) } }
    }

    /// The city in a city file.
    static func city(_ path: String) throws -> City {
        City(try file(path))
    }

    /// A place of the form `lat,lon`, in degrees.
    static func coordinate(_ text: String) -> Coordinate? {
        let degrees = text.split(separator: ",").compactMap { Double($0) }
        guard degrees.count == 2 else { return nil }
        return Coordinate(
            latitude: Int32((degrees[0] * 1e7).rounded()),
            longitude: Int32((degrees[1] * 1e7).rounded())
        )
    }

    /// The lines of a CSV file, cut into fields, without the first; quotes only keep commas.
    static func rows(_ path: String, fields: Int) throws -> [[String]] {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw Failure.unreadable(path)
        }
        let lines = text.split(separator: "\n").dropFirst()
        return try lines.enumerated().map { number, line in
            var values = [""]
            var isQuoted = false
            for character in line {
                switch character {
                case "\"": isQuoted.toggle()
                case "," where !isQuoted: values.append("")
                default: values[values.count - 1].append(character)
                }
            }
            guard values.count == fields else {
                throw Failure.line(file: path, number: number + 2)
            }
            return values
        }
    }
}
