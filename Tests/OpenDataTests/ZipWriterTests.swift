import Foundation
import TestSupport
import Testing

@testable import OpenData

/// The writer creates feeds of the demo city, whose bytes must not depend on the date.
@Suite("Writing zip archives")
struct ZipWriterTests {
    @Test("What is written is read again, and the same members give the same bytes")
    func writesWhatIsRead() throws {
        let long = [UInt8](repeating: 65, count: 300_000)
        let members: [(String, [UInt8])] = [
            ("b.txt", Array("così".utf8)), ("a.txt", long), ("c", []),
        ]
        var archives: [[UInt8]] = []
        for _ in 0..<2 {
            var writer = ZipWriter()
            for (name, content) in members { writer.add(name, content) }
            archives.append(try writer.finish())
        }
        #expect(archives[0] == archives[1])
        #expect(archives[0].count < 2_000)
        let folder = try TemporaryFolder()
        let archive = try ZipArchive(path: folder.write(Data(archives[0]), to: "archive.zip"))
        #expect(archive.members() == ["b.txt", "a.txt", "c"])
        for (name, content) in members { #expect(try archive.bytes(of: name) == content) }
    }
}
