import Foundation
import NIOCore
import NIOPosix

/// The address on which a server listens.
package struct ListenAddress: Hashable, Sendable, CustomStringConvertible {
    /// A host name or an IP address.
    package var host: String
    /// A TCP port; 0 lets the system choose a free one.
    package var port: Int

    /// Creates an address from a host and a port.
    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Host and port, separated by a colon.
    package var description: String { "\(host):\(port)" }

    /// Whether it stands for every address of this machine, so that no client can open it.
    package var isEverywhere: Bool { host.utf8.allSatisfy("0.:".utf8.contains) }

    /// Whether only this machine can reach it.
    package var isLoopback: Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return host == "::1" || host == "localhost"
            || (parts.count == 4 && parts[0] == "127"
                && parts.allSatisfy { UInt8($0) != nil })
    }

    /// Whether a server could listen on it now.
    ///
    /// - Returns: false if another program listens there or the system forbids it; port 0 is always
    ///   free.
    package func isFree() async -> Bool {
        let channel = try? await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(ChannelOptions.socketOption(.so_reuseaddr), value: 1)
            .bind(host: host, port: port)
            .get()
        try? await channel?.close()
        return channel != nil
    }
}

/// Why a server did not start.
package enum ServerFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The certificate or its key cannot be used.
    case badCertificate(file: String, reason: String)
    /// Another program listens on the address, or on one of them.
    case addressInUse(String)
    /// The system forbids listening on the address.
    case addressRefused(String)

    /// A one-line message for the operator.
    package var description: String {
        switch self {
        case .badCertificate(let file, let reason):
            "\(file): cannot be used as certificate or key (\(reason)); both are PEM files "
                + "and belong together."
        case .addressInUse(let address):
            "\(address): another program listens there; end it, or choose another port "
                + "(`listen`, `http.listen`)."
        case .addressRefused(let address):
            "\(address): the system does not allow to listen there; is it this machine's "
                + "address, and does the port need more rights?"
        }
    }

    /// Converts an error of the system's `bind` into a fault; returns other errors unchanged.
    ///
    /// - Parameters:
    ///   - error: the error of serving.
    ///   - addresses: the addresses to listen on; the system does not say which of them failed.
    /// - Returns: the error to throw.
    static func explained(_ error: any Error, at addresses: [ListenAddress]) -> any Error {
        let text = addresses.map(\.description).joined(separator: " or ")
        return switch (error as? IOError)?.errnoCode {
        case EADDRINUSE: Self.addressInUse(text)
        case EACCES, EADDRNOTAVAIL: Self.addressRefused(text)
        default: error
        }
    }
}
