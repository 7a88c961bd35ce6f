import Foundation
import SeededRandom
import TestSupport
import Testing

/// Issue 2, "What must be seen" 2, and "City file": Milan's import from the operator's view.
@Suite("Importing Milan", .enabled(if: MilanCity.isPresent, RealData.advice))
struct MilanImportTests {
    @Test("one file is written, and it is said what was found and repaired")
    func saysWhatItFound() throws {
        let city = try MilanCity.imported()
        #expect(city.code == 0)
        #expect(try city.folder.names() == ["milan.city"])
        for text in [
            "Streets", "Transit", "Addresses", "Time zone     Europe/Rome",
            "atm_gtfs_2014: service from 2014-10-19 to 2014-11-01",
            "moved by -626 weeks",
        ] {
            #expect(city.output.contains(text), "\(text) is not said")
        }
        #expect(city.errors.contains("turn restrictions were incomplete, left out"))
    }

    @Test("progress is silent in a pipe")
    func silentProgress() throws {
        let city = try MilanCity.imported()
        for mark in ["\u{1B}", "\r", "█", "░"] {
            #expect(!city.output.contains(mark) && !city.errors.contains(mark))
        }
    }

    @Test("info shows the same as the import, with the shift, and every checksum is right")
    func info() throws {
        let city = try MilanCity.imported()
        let run = try Program.run("city", "info", city.path, "--verify")
        #expect(run.code == 0)
        #expect(run.output == city.output + "Every checksum is right.\n")
        #expect(run.output.contains("trenord_gtfs_2026: service from 2014-04-22"))
        #expect(run.errors.isEmpty)
    }

    @Test("a byte flipped anywhere is found by --verify, with exit code 2 and one line")
    func flippedBytes() throws {
        let folder = try TemporaryFolder()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: MilanCity.path()))
        var random = SeededRandom(seed: 1)
        for number in 0..<8 {
            let place = number == 0 ? 3 : Int.random(in: 0..<bytes.count, using: &random)
            var damaged = bytes
            damaged[place] ^= UInt8(1) << UInt8.random(in: 0..<8, using: &random)
            let path = try folder.write(damaged, to: "damaged.city")
            let run = try Program.run("city", "info", path, "--verify")
            #expect(run.code == 2, "byte \(place)")
            #expect(run.errorLines.count == 1, "byte \(place)")
            #expect(run.errors.hasPrefix("viavai: \(path): "), "byte \(place)")
        }
    }
}
