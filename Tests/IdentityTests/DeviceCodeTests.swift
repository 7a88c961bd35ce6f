import Chronology
import IdentityTestSupport
import StorageTestSupport
import Testing

@testable import Identity

/// RFC 8628, in both databases.
@Suite("Codes of devices in the databases")
struct DeviceCodeTests {
    private static func withDevice(
        _ engine: TestEngine,
        _ body: @Sendable (GrantScene, Application, DeviceRequest) async throws -> Void
    ) async throws {
        try await GrantScene.with(engine) { scene in
            let admin = try await scene.city.administrator("boss")
            var form = scene.app.form
            form.hasDevices = true
            try await scene.accounts.changeApplication(
                scene.app.number,
                to: form,
                by: admin,
                at: TestCity.start
            )
            let app = try #require(try await scene.accounts.application(scene.app.number))
            #expect(app.form.hasDevices)
            let request = try await scene.accounts.beginDevice(
                of: app,
                [.callTaxis],
                from: TestCity.home,
                at: TestCity.start
            )
            try await body(scene, app, request)
        }
    }

    @Test(
        "a device gets tokens once its person allows it, and once only",
        arguments: TestEngine.allCases
    )
    func allowed(engine: TestEngine) async throws {
        try await Self.withDevice(engine) { scene, app, request in
            let now = TestCity.start
            await #expect(throws: DeviceRefusal.pending) {
                try await scene.accounts.redeemDevice(request.device, for: app, at: TestCity.start)
            }
            let question = try await scene.accounts.deviceQuestion(
                request.user.text,
                by: scene.ana,
                from: TestCity.home,
                at: now
            )
            #expect(question.scopes == [.callTaxis] && question.application.number == app.number)
            await #expect(throws: AccountFailure.badToken) {
                try await scene.accounts.decideDevice(
                    question.code,
                    [.callTaxis, .followRides],
                    isAllowed: true,
                    by: scene.ana,
                    at: TestCity.start
                )
            }
            try await scene.accounts.decideDevice(
                question.code,
                question.scopes,
                isAllowed: true,
                by: scene.ana,
                at: now
            )
            let later = now.adding(seconds: 5)
            let tokens = try await scene.accounts.redeemDevice(request.device, for: app, at: later)
            #expect(try await scene.works(tokens.access, at: later))
            await #expect(throws: GrantRefusal.invalidGrant) {
                try await scene.accounts.redeemDevice(request.device, for: app, at: later)
            }
            let works = try await scene.works(tokens.access, at: later)
            #expect(!works, "a second time means stolen")
        }
    }

    @Test("a device learns that it is denied, or too late", arguments: TestEngine.allCases)
    func refused(engine: TestEngine) async throws {
        try await Self.withDevice(engine) { scene, app, request in
            let late = TestCity.start.adding(seconds: Accounts.deviceSeconds)
            await #expect(throws: DeviceRefusal.expired) {
                try await scene.accounts.redeemDevice(request.device, for: app, at: late)
            }
            try await scene.accounts.decideDevice(
                request.user,
                [.callTaxis],
                isAllowed: false,
                by: scene.ana,
                at: TestCity.start
            )
            await #expect(throws: DeviceRefusal.denied) {
                try await scene.accounts.redeemDevice(request.device, for: app, at: late)
            }
            await #expect(throws: GrantRefusal.invalidGrant) {
                try await scene.accounts.redeemDevice(request.device, for: scene.other, at: late)
            }
            await #expect(throws: DeviceRefusal.notAllowed) {
                try await scene.accounts.beginDevice(
                    of: scene.other,
                    [.callTaxis],
                    from: TestCity.home,
                    at: late
                )
            }
        }
    }
}
