import CoreMetrics
import HTTPTypes
import Notify
import Storage

extension Site {
    /// What the operator's machines ask: whether it lives, whether it can answer, and its figures.
    var operationsRoutes: [Route] {
        [
            .get("/health/live", for: .anonymous) { _ in .text("alive\n") },
            .get("/health/ready", for: .anonymous, isReady),
            .get("/metrics", for: .anonymous, figures),
        ]
    }

    private func isReady(_ visit: Visit) async throws -> Reply {
        do {
            _ = try await database.read(within: .seconds(2)) { try $0.row("SELECT 1 AS one") }
            return .text("ready\n")
        } catch {
            return .text("the database does not answer\n", status: .serviceUnavailable)
        }
    }

    /// Figures for Prometheus, told to this machine alone: they say how the city uses the service.
    private func figures(_ visit: Visit) throws -> Reply {
        guard ["127.0.0.1", "::1"].contains(visit.address) else { throw Failure.notFound }
        measurements.makeMeter(label: "viavai_event_streams", dimensions: [])
            .set(Int64(live.hub.count))
        return Reply(
            type: "text/plain; version=0.0.4; charset=utf-8",
            bytes: Array(measurements.text.utf8)
        )
    }
}
