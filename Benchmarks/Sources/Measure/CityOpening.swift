import Columns
import Foundation
import Journeys

/// Opens city files and the questions asked in them, with nothing but the kernel.
enum CityOpening {
    /// Reads a city file into memory.
    static func file(_ path: String) throws -> SectionFile {
        guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: path)) else {
            throw Failure.unreadable(path)
        }
        return try SectionFile(ByteStorage(copying: [UInt8](bytes)))
    }

    /// The city in a file.
    static func city(_ path: String) throws -> City {
        City(try file(path))
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
