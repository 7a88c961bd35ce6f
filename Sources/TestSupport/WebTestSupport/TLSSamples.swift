package import AsyncHTTPClient
package import NIOSSL
import StorageTestSupport
import TestSupport
import Testing

/// Certificates that are their own authority, and clients that accept them.
package enum TLSSamples {
    /// Makes a certificate for 127.0.0.1 that its own key has signed.
    package static func makeCertificate(named name: String, in folder: String) async throws {
        let code = try await onThread {
            try ChildProcess(
                "/usr/bin/env",
                [
                    "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                    "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=\(name)",
                    "-keyout", folder + "/key.pem", "-out", folder + "/chain.pem",
                ],
                output: folder + "/openssl"
            ).wait()
        }
        #expect(code == 0, "openssl is needed: apt-get install openssl")
    }

    /// The variables with which a program serves that certificate.
    package static func settings(_ folder: String) -> [String: String] {
        ["TLS_CERTIFICATE": folder + "/chain.pem", "TLS_KEY": folder + "/key.pem"]
    }

    /// A client that believes every certificate.
    package static func client(
        http1Only: Bool = false,
        newest: TLSVersion? = nil
    ) -> HTTPClient.Configuration {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.certificateVerification = .none
        tls.minimumTLSVersion = .tlsv1
        tls.maximumTLSVersion = newest
        var configuration = HTTPClient.Configuration(tlsConfiguration: tls)
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.httpVersion = http1Only ? .http1Only : .automatic
        return configuration
    }
}
