import Chronology
import CoreMetrics
import Dispatching
import HTTPTypes
import Identity
import LiveUpdates
import Notify
import Storage
import Taxi
import TaxiPages
import WebCore

extension Site {
    /// Endpoints for monitoring: liveness, readiness and metrics.
    var operationsRoutes: [Route] {
        [
            .get("/health/live", as: "health.live", for: .anonymous) { _ in .text("alive\n") }
                .answering(.file("text/plain")),
            .get("/health/ready", as: "health.ready", for: .anonymous, isReady)
                .answering(.file("text/plain")),
            .get("/health/writer", as: "health.writer", for: .anonymous, isWriter)
                .answering(.file("text/plain")),
            .get("/metrics", as: "metrics", for: .anonymous, figures)
                .answering(.file("text/plain"))
                .failing(.notFound),
        ]
    }

    private func isReady(_ context: RequestContext) async throws -> Response {
        for database in [database, keyDatabase] {
            do {
                _ = try await database.read(within: .seconds(2)) { try $0.row("SELECT 1 AS one") }
            } catch {
                return .text("the database does not answer\n", status: .serviceUnavailable)
            }
        }
        // The key database does not count: it is written so rarely that its next successful write
        // may be days away.
        if case .unwritable = database.trouble {
            return .text("the database accepts no changes\n", status: .serviceUnavailable)
        }
        return .text("ready\n")
    }

    /// Whether a load balancer should send requests to this server.
    ///
    /// Of all servers that are ready, only the writer serves the taxis.
    private func isWriter(_ context: RequestContext) async throws -> Response {
        let response = try await isReady(context)
        guard response.status == .ok else { return response }
        guard await taxi.dispatch.serves else {
            return .text("another server serves the taxis\n", status: .serviceUnavailable)
        }
        return .text("writer\n")
    }

    /// Prometheus metrics, served to the local machine only because they reveal how the city uses
    /// the service.
    private func figures(_ context: RequestContext) async throws -> Response {
        guard ["127.0.0.1", "::1"].contains(context.address) else { throw Failure.notFound }
        set("viavai_event_streams", to: live.hub.count)
        set("viavai_password_jobs_waiting", to: accounts.workers.waitingCount)
        await countMessages(at: context.now)
        await countRequestsAndTaxis()
        await countPromises()
        return Response(
            type: "text/plain; version=0.0.4; charset=utf-8",
            bytes: Array(web.measurements.text.utf8)
        )
    }

    private func set(_ name: String, _ labels: [(String, String)] = [], to value: Int) {
        web.measurements.makeMeter(label: name, dimensions: labels).set(Int64(value))
    }

    /// Counts queued messages and failed deliveries of the last hour.
    ///
    /// Other metrics are still served when the database is unavailable.
    private func countMessages(at now: Moment) async {
        let queue = NotificationQueue(in: database)
        guard let counts = try? await queue.counts(at: now) else { return }
        for channel in NotificationQueue.DeliveryChannel.allCases {
            let found = counts[channel] ?? [:]
            let states: [(String, Int)] = [
                ("waiting", (found[.queued] ?? 0) + (found[.sending] ?? 0)),
                ("bounced", found[.bounced] ?? 0), ("given-up", found[.givenUp] ?? 0),
            ]
            for (state, count) in states {
                set("viavai_messages", [("channel", "\(channel)"), ("state", state)], to: count)
            }
        }
    }

    /// Counts the dispatcher's requests and taxis; zero if another server runs the dispatcher.
    private func countRequestsAndTaxis() async {
        let now = try? await taxi.dispatch.read { state in
            (
                requests: Dictionary(grouping: state.requests) { $0.phase.figure }
                    .mapValues(\.count),
                taxis: Dictionary(grouping: state.taxis) { $0.status }.mapValues(\.count)
            )
        }
        for phase in Request.Phase.figures {
            set("viavai_requests", [("phase", phase)], to: now?.requests[phase] ?? 0)
        }
        for status in TaxiStatus.allCases where status != .removed {
            set("viavai_taxis", [("status", "\(status)")], to: now?.taxis[status] ?? 0)
        }
    }
}

extension Request.Phase {
    /// The metric labels of the phases; the phase that is never observable is omitted.
    fileprivate static let figures = ["reserved", "offered", "held", "parked", "riding", "joined"]

    /// The phase's label in metrics.
    fileprivate var figure: String {
        switch self {
        case .reserved: "reserved"
        case .seeking: "seeking"
        case .offered: "offered"
        case .held: "held"
        case .parked: "parked"
        case .riding: "riding"
        case .joined: "joined"
        }
    }
}
