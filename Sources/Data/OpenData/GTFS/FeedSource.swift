import Foundation

/// Where the files of a GTFS feed come from.
package enum FeedSource: Sendable {
    /// A zip archive that contains the feed's files.
    case archive(path: String)
    /// A folder that holds the files.
    case folder(path: String)
    /// Texts in memory, by file name: feeds of tests.
    case texts([String: String])

    /// The source at a path: a folder or an archive.
    package static func at(path: String) -> FeedSource {
        let values = try? URL(fileURLWithPath: path).resourceValues(forKeys: [.isDirectoryKey])
        return values?.isDirectory == true ? .folder(path: path) : .archive(path: path)
    }

    /// The folder inside the archive where the feed's files lie: "" for the archive's root.
    ///
    /// Some publishers zip the folder instead of its contents.
    func nestedFolder() throws(GTFSFailure) -> String {
        guard case .archive(let path) = self else { return "" }
        do throws(ZipArchive.Failure) {
            let members = try ZipArchive(path: path).members()
            if members.contains("stops.txt") { return "" }
            let nested = members.filter { $0.hasSuffix("/stops.txt") }
            guard nested.count == 1, let only = nested.first else { return "" }
            return String(only.dropLast("stops.txt".count))
        } catch {
            throw .archive(error)
        }
    }

    /// The bytes of a file of the feed; nil if it has none of that name.
    func bytes(of file: String, in nested: String) throws(GTFSFailure) -> [UInt8]? {
        switch self {
        case .archive(let path):
            do throws(ZipArchive.Failure) {
                return try ZipArchive(path: path).bytes(of: nested + file)
            } catch {
                throw .archive(error)
            }
        case .folder(let path):
            let url = URL(fileURLWithPath: path).appendingPathComponent(file)
            guard FileManager.default.fileExists(atPath: url.path) else { return nil }
            guard let data = try? Data(contentsOf: url) else {
                throw .archive(.unreadable(path: url.path))
            }
            return [UInt8](data)
        case .texts(let texts):
            return texts[file].map { Array($0.utf8) }
        }
    }
}

/// Why a feed cannot be read at all.
package enum GTFSFailure: Error, Equatable, Sendable {
    /// The archive or folder cannot be read.
    case archive(ZipArchive.Failure)
    /// A file that every feed must have is missing.
    case missingFile(feed: String, file: String)
    /// A column without which a file means nothing is missing.
    case missingColumn(feed: String, file: String, column: String)
    /// A file has more rows than can be numbered.
    case tooManyRows(feed: String, file: String)
    /// No usable row is left in a file that must have one.
    case nothingUsable(feed: String, file: String)
}
