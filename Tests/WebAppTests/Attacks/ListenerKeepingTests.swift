import Logging
import NIOCore
import NIOPosix
import Testing
import WebTestSupport

@testable import HTTPServer
@testable import WebApp

/// Issue 5, "10,000 clients reconnecting": new connections are accepted while others are being
/// served.
@Suite("Accepting connections")
struct ListenerKeepingTests {
    @Test("goes on while nobody takes up the accepted ones", .timeLimit(.minutes(1)))
    func accepts() async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let (inside, enters) = AsyncStream<Void>.makeStream()
        // Connections arrive as in Hummingbird: as a sequence that its task consumes one by one.
        let listener = try await ServerBootstrap(group: group)
            .bind(host: "127.0.0.1", port: 0) { channel in
                enters.yield()
                return channel.eventLoop.makeSucceededFuture(channel)
            }
        try await listener.executeThenClose { list in
            await ListenerKeeping.install(on: listener.channel, Logger(label: "listener"))
            let address = try #require(listener.channel.localAddress)
            var crowd: [any Channel] = []
            for _ in 0..<60 {
                crowd.append(try await ClientBootstrap(group: group).connect(to: address).get())
            }
            var count = 0
            for await _ in inside {
                count += 1
                if count == crowd.count { break }
            }
            #expect(count == 60)
            for channel in crowd { try await channel.close() }
            withExtendedLifetime(list) {}
        }
    }
}
