import Foundation
import NIOCore
import NIOPosix

extension Server {
    /// Whether a server could listen at an address just now.
    ///
    /// - Parameter address: host and port; port 0 is always free.
    /// - Returns: false where another program listens, or the system does not allow it.
    package static func isFree(_ address: Settings.Listen) async -> Bool {
        let door = try? await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(ChannelOptions.socketOption(.so_reuseaddr), value: 1)
            .bind(host: address.host, port: address.port)
            .get()
        try? await door?.close()
        return door != nil
    }

    /// Says in words of the operator that nothing could listen; other errors are what they were.
    ///
    /// - Parameters:
    ///   - error: what serving threw.
    ///   - addresses: where it was to listen; the system does not say which of them it was.
    /// - Returns: the error to throw.
    static func explained(_ error: any Error, at addresses: [Settings.Listen]) -> any Error {
        let text = addresses.map { "\($0.host):\($0.port)" }.joined(separator: " or ")
        return switch (error as? IOError)?.errnoCode {
        case EADDRINUSE: Fault.addressInUse(text)
        case EACCES, EADDRNOTAVAIL: Fault.addressRefused(text)
        default: error
        }
    }
}
