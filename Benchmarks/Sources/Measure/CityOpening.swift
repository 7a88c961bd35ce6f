import Columns
import Foundation
import Journeys

/// Opens city files and the questions asked in them, with nothing but the kernel.
enum CityOpening {
    /// Reads a city file into memory.
    static func city(_ path: String) throws -> City {
        guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: path)) else {
            throw Failure.unreadable(path)
        }
        return City(try SectionFile(ByteStorage(copying: [UInt8](bytes))))
    }

    /// The lines of a CSV file without quotes, cut into fields, without the first.
    static func rows(_ path: String, fields: Int) throws -> [[String]] {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw Failure.unreadable(path)
        }
        let lines = text.split(separator: "\n").dropFirst()
        return try lines.enumerated().map { number, line in
            let values = line.split(separator: ",", omittingEmptySubsequences: false)
            guard values.count == fields else {
                throw Failure.line(file: path, number: number + 2)
            }
            return values.map(String.init)
        }
    }
}
