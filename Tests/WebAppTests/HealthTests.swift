import WebTestSupport
import Chronology
import ClockedServer
import Dispatching
import Storage
import StorageTestSupport
import Testing

@testable import Taxi
@testable import WebApp

/// What a load balancer, an operator's monitoring and callers are told.
@Suite("Health", .serialized)
struct HealthTests {
    @Test("of two servers with one host name and process number one is the writer")
    func twoServers() async throws {
        try await withDatabase(on: .sqlite) { database in
            try await withTemporaryFolder { folder in
                try await withSite(in: folder, of: database) { first in
                    try await first.installation.taxi.dispatch.started()
                    // Both are in this process, as two containers may both be process 1.
                    try await withSite(in: folder, of: database) { second in
                        // A standby that has asked for the lease in vain asks again soon; one that
                        // has taken it from the other serves.
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
                    // Nobody has taken its lease meanwhile: it still reads and writes.
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
