import AsyncHTTPClient
import Chronology
import Foundation
import Logging
import NIOCore
import NIOHTTP1
import NIOSSL
import StorageTestSupport
import TestSupport
import Testing
import WebTestSupport

@testable import HTTPServer
@testable import WebApp
@testable import WebCore

/// taxi.md R128; issue 4: own certificate files with reload, HTTP/1.1 and HTTP/2, no plain HTTP.
@Suite("Encryption", .serialized)
struct TLSTests {
    private static func shownName(_ port: Int, in folder: String) async throws -> String {
        let output = "\(folder)/shown-\(UInt32.random(in: .min ... .max))"
        _ = try await onThread {
            try ChildProcess(
                "/usr/bin/env",
                ["openssl", "s_client", "-connect", "127.0.0.1:\(port)"],
                output: output
            ).wait()
        }
        let text = try String(contentsOfFile: output, encoding: .utf8)
        return text.firstMatch(of: /subject=CN ?= ?([a-z0-9-]+)/).map { String($0.1) } ?? text
    }

    @Test("pages come over TLS by HTTP/1.1 and by HTTP/2; older TLS and plain HTTP are refused")
    func versions() async throws {
        try await withTemporaryFolder { folder in
            try await TLSSamples.makeCertificate(named: "first", in: folder)
            let program = try await ServedProgram(in: folder, TLSSamples.settings(folder))
            #expect(program.base.hasPrefix("https://127.0.0.1:"))
            for (http1Only, major) in [(true, 1), (false, 2)] {
                let http = HTTPClient(configuration: TLSSamples.client(http1Only: http1Only))
                let response = try await http.execute(
                    HTTPClientRequest(url: program.base + "/"),
                    timeout: .seconds(20)
                )
                #expect(response.status == .ok)
                #expect(response.version.major == major)
                #expect(
                    response.headers.first(name: "strict-transport-security")
                        == "max-age=31536000"
                )
                _ = try await response.body.collect(upTo: 1 << 24)
                try await http.shutdown()
            }
            for newest in [TLSVersion.tlsv12, .tlsv13] {
                try await program.withVisitor(TLSSamples.client(newest: newest)) { visitor in
                    let answer = try await visitor.get("/health/live")
                    #expect(answer.text == "alive\n")
                }
            }
            await #expect(throws: (any Error).self) {
                try await program.withVisitor(TLSSamples.client(newest: .tlsv11)) { visitor in
                    _ = try await visitor.get("/health/live")
                }
            }
            var once = HTTPClient.Configuration()
            once.connectionPool.retryConnectionEstablishment = false
            let http = HTTPClient(configuration: once)
            let plain = HTTPClientRequest(url: "http://127.0.0.1:\(program.port)/")
            await #expect(throws: (any Error).self) {
                _ = try await http.execute(plain, timeout: .seconds(20))
            }
            try await http.shutdown()
            #expect(try await program.end() == 0)
        }
    }

    @Test("a new certificate is shown without a restart; one that is no good is not taken")
    func reload() async throws {
        try await withTemporaryFolder { folder in
            try await TLSSamples.makeCertificate(named: "first", in: folder)
            let program = try await ServedProgram(in: folder, TLSSamples.settings(folder))
            #expect(try await Self.shownName(program.port, in: folder) == "first")
            try await TLSSamples.makeCertificate(named: "second", in: folder)
            program.signal(SIGHUP)
            try await program.said(/("the certificate was read again")/)
            #expect(try await Self.shownName(program.port, in: folder) == "second")
            // First a key that belongs to another certificate, then no certificate at all.
            try await TLSSamples.makeCertificate(named: "third", in: folder)
            let key = URL(fileURLWithPath: folder + "/key.pem")
            let good = try Data(contentsOf: key)
            try await TLSSamples.makeCertificate(named: "fourth", in: folder)
            try good.write(to: key)
            program.signal(SIGHUP)
            try await program.said(/(the old one goes on)/)
            #expect(try await Self.shownName(program.port, in: folder) == "second")
            try Data("nonsense".utf8).write(to: URL(fileURLWithPath: folder + "/chain.pem"))
            program.signal(SIGHUP)
            try await program.said(/(?s)the old one goes on.*(the old one goes on)/)
            #expect(try await Self.shownName(program.port, in: folder) == "second")
            #expect(try await program.end() == 0)
        }
    }

    @Test("changed files are noticed by themselves")
    func watched() async throws {
        try await withTemporaryFolder { folder in
            try await TLSSamples.makeCertificate(named: "first", in: folder)
            let keeper = try CertificateKeeper(
                CertificateFiles(chain: folder + "/chain.pem", key: folder + "/key.pem")
            )
            let before = keeper.serial
            let levels = LogLevels(.critical, parts: [:])
            let logger = levels.logger("test") { Moment(milliseconds: 0) }
            keeper.refresh(logger)
            #expect(keeper.serial == before)
            try await TLSSamples.makeCertificate(named: "second", in: folder)
            keeper.refresh(logger)
            #expect(keeper.serial != before)
        }
    }

    @Test("without a certificate an address that others reach is refused, with what to do (R128)")
    func needed() async throws {
        try await withTemporaryFolder { folder in
            let refused = try await ServedProgram.run(
                ["serve"],
                in: folder,
                ["LISTEN": "0.0.0.0:0"]
            )
            #expect(refused.code == 2)
            #expect(refused.text.contains("needs TLS"))
            let missing = try await ServedProgram.run(
                ["serve"],
                in: folder,
                TLSSamples.settings(folder)
            )
            #expect(missing.code == 3)
            #expect(missing.text.contains("chain.pem: cannot be used"))
        }
    }

    @Test(
        "the plain port refuses, or redirects pages and no forms (R128)",
        arguments: ["refuse", "redirect", "policy"]
    )
    func plainDoor(policy: String) async throws {
        try await withTemporaryFolder { folder in
            try await TLSSamples.makeCertificate(named: "first", in: folder)
            var settings = TLSSamples.settings(folder)
            settings["HTTP_PLAIN"] = policy
            settings["HTTP_LISTEN"] = "127.0.0.1:0"
            let program = try await ServedProgram(in: folder, settings)
            let port = try await program.said(/listening for plain HTTP" port=([0-9]+)/)
            var configuration = HTTPClient.Configuration()
            configuration.redirectConfiguration = .disallow
            let client = HTTPClient(configuration: configuration)
            let visitor = Visitor("http://127.0.0.1:\(port)", client: client)
            let page = try await visitor.get("/privacy?a=b")
            let form = try await visitor.post("/login", ["name": "anna", "password": "x"])
            let strange = try await visitor.get("//evil.example/")
            try await client.shutdown()
            if policy == "redirect" {
                #expect(page.status == 308)
                #expect(page.header("location") == "https://127.0.0.1:0/privacy?a=b")
                #expect(strange.status == 403)
            } else {
                #expect(page.status == 403)
                #expect(page.header("location") == nil)
            }
            #expect(form.status == 403)
            #expect(form.text == "This service is reached by https:// only.\n")
            #expect(try await program.end() == 0)
        }
    }

    @Test("SIGHUP reads the levels of the log again")
    func levels() async throws {
        try await withTemporaryFolder { folder in
            let file = folder + "/viavai.yaml"
            func write(_ text: String) throws {
                try Data(text.utf8).write(to: URL(fileURLWithPath: file))
            }
            try write("log: {level: warning}")
            let program = try await ServedProgram(in: folder, config: file)
            try await program.withVisitor { visitor in
                _ = try await visitor.get("/health/live")
                #expect(!program.text.contains("message=request"))
                try write("log: {level: info}")
                program.signal(SIGHUP)
                try await program.said(/(log were read again)/)
                _ = try await visitor.get("/health/live")
                try await program.said(/(message=request)/)
                try write("log: {level: loud}")
                program.signal(SIGHUP)
                try await program.said(/(the settings cannot be read)/)
            }
            #expect(try await program.end() == 0)
        }
    }
}
