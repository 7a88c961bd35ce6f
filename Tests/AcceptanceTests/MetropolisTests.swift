import Chronology
import CityData
import Columns
import Foundation
import Journeys
import Streets
import TestSupport
import Testing
import Transit

/// Issue 2, part "Demo city": "At 5 million: at least 600,000 street segments, 15,000 stops, 400
/// lines, 3 million weekday stop times, 1 million house numbers", written by the program, imported
/// by the ordinary path and counted in the city file.
@Suite(
    "A metropolis of five million",
    .enabled(if: Effort.isMetropolitan, Effort.metropolisAdvice)
)
struct MetropolisTests {
    @Test("it is invented, imported and travelled in, and holds all that is asked for")
    func counts() throws {
        let folder = try TemporaryFolder()
        let run = try Program.run(
            [
                "demo", "--inhabitants", "5000000", "--folder", folder.url.path, "--journeys", "2",
                "--only-travel",
            ]
        )
        try #require(run.code == 0, "\(run.errors)")
        #expect(run.output.contains("\n1.  "), "no journey was shown")
        let file = try CityFile.open(folder.path("demo.city"))
        try CityFile.verify(file, path: "demo.city")
        let city = City(file)
        #expect(city.streets.edgeCount >= 600_000)
        #expect(city.timetable.platforms.count >= 15_000, "stops that a trip serves")
        #expect(city.timetable.routes.count >= 400)
        #expect(AddressBook(file).counts.houses >= 1_000_000)
        // A Wednesday in May, as in the program's own queries.
        let day = try #require(CivilDate(iso8601: "2026-05-13"))
        #expect(Self.stopTimes(of: city.timetable, on: day) >= 3_000_000)
    }

    private static func stopTimes(of timetable: Timetable, on day: CivilDate) -> Int {
        let patterns = timetable.patterns
        return patterns.indices.reduce(0) { sum, pattern in
            let runs = patterns.runs(pattern).count {
                timetable.services.runs(patterns.runService[$0], on: day)
            }
            return sum + runs * patterns.positions(pattern).count
        }
    }
}
