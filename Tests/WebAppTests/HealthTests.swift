import Chronology
import Dispatching
import Storage
import StorageTestSupport
import TestClock
import Testing
import WebTestSupport

@testable import Taxi
@testable import WebApp

/// What load balancers, monitoring and clients learn about the server's health.
@Suite("Health", .serialized)
struct HealthTests {
    @Test("of two servers with one host name and process number one is the writer")
    func twoServers() async throws {
        try await withDatabase(on: .sqlite) { database in
            try await withTemporaryFolder { folder in
                try await withSite(in: folder, of: database) { first in
                    try await first.installation.taxi.dispatch.started()
                    // Both servers run in this process, as two containers may both have process
                    // number 1.
                    try await withSite(in: folder, of: database) { second in
                        // A standby that failed to get the lease tries again soon; once it has
                        // taken the lease over, it serves.
                        try await second.until("the second server has asked for the lease") {
                            let next = second.clock.now
                                .adding(milliseconds: LeaseMachine.pollMilliseconds)
                            return second.clock.nextWake == next
                                || second.installation.taxi.serves
                        }
                        let writer = try await first.visitor().get("/health/writer")
                        #expect(writer.status == 200)
                        #expect(writer.text == "writer\n")
                        let standby = try await second.visitor().get("/health/writer")
                        #expect(standby.status == 503)
                        #expect(standby.text == "another server serves the taxis\n")
                        for site in [first, second] {
                            let visitor = site.visitor()
                            #expect(try await visitor.get("/health/live").text == "alive\n")
                            #expect(try await visitor.get("/health/ready").text == "ready\n")
                        }
                    }
                    // No other server has taken its lease meanwhile, so it still reads and writes.
                    #expect(await first.installation.taxi.dispatch.serves)
                    let receipt = try await first.installation.taxi.dispatch
                        .give(.adopt(.milanoA))
                    #expect(!receipt.events.isEmpty)
                    let writer = try await first.visitor().get("/health/writer")
                    #expect(writer.status == 200)
                }
            }
        }
    }
}
