import Dispatching
import Foundation
import TestClock
import Testing
import TripPlanning
import WebTestSupport

@testable import WebApp

/// Issue 31, 5: a new city file needs no restart.
@Suite("Keeping the cities up to date", .serialized)
struct CityMaintenanceTests {
    @Test("a bad city file changes nothing and is shown on the console; a good one is taken")
    func renewal() async throws {
        try await RideTown.open(.viavai, hasLines: true) { town in
            let site = town.site
            try await site.until("the service looks at the file") {
                site.installation.city?.planner.preparedDays.isEmpty == false
            }
            let path = try #require(site.installation.settings.cityFiles.first)
            let whole = try Data(contentsOf: URL(fileURLWithPath: path))
            let (admin, _) = try await site.administrator("ada")
            let warning = "was refused. The previous one stays in use."
            #expect(try await !admin.get("/console").text.contains(warning))
            try Self.put(whole.prefix(whole.count / 2), at: path)
            site.clock.advance(seconds: 10)
            try await site.until("the file is refused") {
                site.installation.cities.renewals.first?.isRefused == true
            }
            #expect(try await admin.get("/console").text.contains(warning))
            let setUp = try await admin.get("/console/setup").text
            #expect(setUp.contains("missing, damaged or without streets"))
            #expect(try await site.visitor().get("/lines").text.contains("57"))
            #expect(site.installation.cities.current.epoch == 0)
            try Self.put(whole, at: path)
            site.clock.advance(seconds: 10)
            try await site.until("the file is taken") {
                site.installation.cities.current.epoch == 1
            }
            try await site.until("the warning is gone") {
                try await !admin.get("/console").text.contains(warning)
            }
            #expect(try await site.visitor().get("/lines").text.contains("57"))
        }
    }

    /// Cities that are not kept by this.
    private struct Kept {
        weak var cities: CurrentCities?
    }

    @Test("the taxi service, which the planners of the cities keep, does not keep the cities")
    func isReleased() {
        var cities: CurrentCities? = CurrentCities()
        let kept = Kept(cities: cities)
        let addresses = cities.map { Installation.addresses($0) }
        cities = nil
        #expect(kept.cities == nil)
        withExtendedLifetime(addresses) {}
    }

    /// Renames a new file into place, as an import does.
    private static func put(_ data: Data, at path: String) throws {
        try data.write(to: URL(fileURLWithPath: path), options: .atomic)
    }
}
