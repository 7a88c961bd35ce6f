import Columns
import SeededRandom
import TestSupport

/// Reads a section file with up to 20 changed bytes in its sections, differently each time.
///
/// - Parameters:
///   - writer: the sections.
///   - count: how many damaged files are read by a release build.
///   - read: what reads them.
/// - Throws: what it throws.
func withDamagedSections(
    _ writer: SectionWriter,
    count: Int,
    _ read: (SectionFile) throws -> Void
) throws {
    let bytes = writer.bytes()
    let file = try writer.opened()
    for seed in 0..<UInt64(Effort.instances(count)) {
        var random = SeededRandom(seed: seed)
        var damaged = bytes
        for _ in 0..<Int.random(in: 1...20, using: &random) {
            guard let section = file.sections.randomElement(using: &random), section.length > 0
            else { continue }
            let place = section.offset + Int.random(in: 0..<section.length, using: &random)
            let values: [UInt8] = [0, 0xFF, .random(in: 0...255, using: &random)]
            damaged[place] = values.randomElement(using: &random) ?? 0
        }
        try read(SectionFile(ByteStorage(copying: damaged)))
    }
}
