import Chronology
import Foundation
import IdentityTestSupport
import Storage
import StorageTestSupport
import TestSupport
import Testing

@testable import Identity

/// taxi.md R129, on a server that closes connections during a commit.
@Suite("Log-ins that came too early")
struct EarlyAttemptTests {
    @Test("R129: what was written although nobody was told so is not written twice")
    func unknownOutcome() async throws {
        try PostgresCluster.requireInstalled()
        let cluster = try await onThread { try PostgresCluster() }
        let place = try await onThread { try TestDatabase(of: cluster) }
        let city = try await TestCity(place, AccountSettings(), .quick())
        let other = try await place.open()
        let log = AttemptLog(
            subject: [UInt8](repeating: 1, count: 32),
            address: TestCity.home,
            addressKey: []
        )
        var noted: [Moment] = []
        // Commits wait for a standby that does not exist.
        try await Self.wait(forStandby: "nowhere", of: cluster, other)
        let ending = Task {
            while !Task.isCancelled { try await Self.endThoseWhoWait(other) }
        }
        var isUnknown = false
        var last = ContinuousClock.now + .seconds(60)
        while !isUnknown, ContinuousClock.now < last {
            let moment = TestCity.start.adding(milliseconds: Int64(noted.count))
            noted.append(moment)
            city.accounts.early.note(log, at: moment)
            do {
                try await city.accounts.early.write()
            } catch DatabaseFailure.outcomeUnknown {
                isUnknown = true
            }
        }
        ending.cancel()
        _ = try? await ending.value
        #expect(isUnknown)
        try await Self.wait(forStandby: "", of: cluster, other)
        let all = TestCity.start..<TestCity.start.adding(seconds: 3_600)
        var found: [Moment] = []
        last = .now + .seconds(60)
        // Some may already be on their way.
        while found.count < noted.count, ContinuousClock.now < last {
            found = try await city.accounts.attempts(in: all).map(\.moment)
        }
        #expect(found == noted)
        other.close()
        await city.close()
    }

    /// Makes commits wait for a standby with a name; an empty name disables waiting.
    private static func wait(
        forStandby name: String,
        of cluster: PostgresCluster,
        _ database: Database
    ) async throws {
        let file = cluster.data + "/postgresql.auto.conf"
        try "synchronous_standby_names = '\(name)'\n"
            .write(toFile: file, atomically: false, encoding: .utf8)
        _ = try await database.read { try $0.rows("SELECT pg_reload_conf()") }
    }

    /// Closes the connections whose commits are waiting.
    private static func endThoseWhoWait(_ database: Database) async throws {
        _ = try await database.read { transaction in
            try transaction.rows(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE wait_event = 'SyncRep'
                """
            )
        }
    }
}
