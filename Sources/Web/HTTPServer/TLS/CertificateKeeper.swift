import CNIOLinux
import Foundation
package import Logging
import NIOCore
import NIOSSL
import Synchronization

/// The paths of a certificate chain and its private key, both PEM.
package struct CertificateFiles: Hashable, Sendable {
    /// The path of the chain, leaf first.
    package var chain: String
    /// The path of the private key.
    package var key: String

    /// Creates the paths of a certificate.
    package init(chain: String, key: String) {
        self.chain = chain
        self.key = key
    }
}

/// Presents the certificate of two files to new connections, and reads them again when they change.
///
/// Open connections keep the certificate with which they began. Files that cannot be used are
/// reported and ignored; the previous certificate stays in use.
package final class CertificateKeeper: Sendable {
    /// A certificate with its key.
    private struct Shown {
        var chain: [NIOSSLCertificateSource]
        var key: NIOSSLPrivateKeySource

        /// The configuration of TLS with this certificate.
        var configuration: TLSConfiguration {
            .makeServerConfiguration(certificateChain: chain, privateKey: key)
        }
    }

    private struct State {
        var shown: Shown
        /// The stamps of the files when they were last read.
        var seen: [FileStamp?]
    }

    private let files: CertificateFiles
    private let state: Mutex<State>

    /// Reads the files for the first time.
    ///
    /// - Throws: ``ServerFault/badCertificate(file:reason:)``.
    package init(_ files: CertificateFiles) throws(ServerFault) {
        self.files = files
        let seen = Self.stamps(of: files)
        state = Mutex(State(shown: try Self.read(files), seen: seen))
    }

    /// The configuration of TLS, which asks for the current certificate at each connection.
    var configuration: TLSConfiguration {
        var configuration = state.withLock { $0.shown.configuration }
        configuration.minimumTLSVersion = .tlsv12
        configuration.cipherSuiteValues = Self.ciphers
        configuration.sslContextCallback = { [self] _, promise in
            let shown = state.withLock { $0.shown }
            var change = NIOSSLContextConfigurationOverride()
            change.certificateChain = shown.chain
            change.privateKey = shown.key
            promise.succeed(change)
        }
        return configuration
    }

    /// The cipher suites of TLS 1.2: those with forward secrecy and without padding (Lucky 13).
    ///
    /// TLS 1.3 has no others.
    private static let ciphers: [NIOTLSCipher] = [
        .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
        .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
        .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256,
        .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    ]

    /// The serial number of the current certificate.
    var serial: [UInt8] {
        state.withLock { state in
            guard case .certificate(let certificate)? = state.shown.chain.first else { return [] }
            return certificate.serialNumber
        }
    }

    /// Reads the files again if they have changed.
    ///
    /// - Parameters:
    ///   - isForced: whether to read them even if they look unchanged.
    ///   - logger: receives the result.
    package func refresh(isForced: Bool = false, _ logger: Logger) {
        // The stamps are taken before the files are read, so a change in between is noticed next
        // time.
        let stamps = Self.stamps(of: files)
        guard isForced || stamps != state.withLock({ $0.seen }) else { return }
        do {
            let found = try Self.read(files)
            state.withLock { $0 = State(shown: found, seen: stamps) }
            logger.notice("the certificate was read again")
        } catch {
            state.withLock { $0.seen = stamps }
            logger.error(
                "the certificate's files cannot be used: the old one goes on",
                metadata: ["error": "\(error)"]
            )
        }
    }

    private static func read(
        _ files: CertificateFiles
    ) throws(ServerFault) -> Shown {
        let chain: [NIOSSLCertificateSource]
        do {
            chain = try NIOSSLCertificate.fromPEMFile(files.chain).map { .certificate($0) }
        } catch {
            throw .badCertificate(file: files.chain, reason: "\(error)")
        }
        guard !chain.isEmpty else {
            throw .badCertificate(file: files.chain, reason: "it holds no certificate")
        }
        do {
            let key = try NIOSSLPrivateKey(file: files.key, format: .pem)
            let shown = Shown(chain: chain, key: .privateKey(key))
            // Whether certificate and key belong together is only found when they are used.
            _ = try NIOSSLContext(configuration: shown.configuration)
            return shown
        } catch {
            throw .badCertificate(file: files.key, reason: "\(error)")
        }
    }

    private static func stamps(of files: CertificateFiles) -> [FileStamp?] {
        [files.chain, files.key].map(FileStamp.init(of:))
    }
}

/// The properties that tell one version of a file from the next.
private struct FileStamp: Equatable {
    private let seconds: Int
    private let nanoseconds: Int
    private let size: Int
    private let inode: UInt64

    /// Reads the stamp of a file; nil if it does not exist.
    init?(of path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        seconds = status.st_mtim.tv_sec
        nanoseconds = status.st_mtim.tv_nsec
        size = Int(status.st_size)
        inode = UInt64(status.st_ino)
    }
}
