import Foundation
import HTTPClient
import Identity
import Synchronization
import Testing
import WebTestSupport

@testable import CalendarPages

/// Issue 32, 5: an address that somebody types must not reach the network behind the server
/// (server-side request forgery, OWASP A10).
@Suite("The reach of imports", .serialized)
struct ImportReachTests {
    /// A socket that listens on all addresses of this machine and counts who connects.
    private struct Listener: ~Copyable {
        private let socket: Int32
        let port: UInt16

        init() throws {
            socket = Glibc.socket(AF_INET6, Int32(SOCK_STREAM.rawValue) | O_NONBLOCK, 0)
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
            let copy = socket
            let isBound = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    bind(copy, pointer, size) == 0 && listen(copy, 100) == 0
                        && getsockname(copy, pointer, &size) == 0
                }
            }
            port = UInt16(bigEndian: address.sin6_port)
            try #require(isBound && port > 0)
        }

        deinit { close(socket) }

        /// How many have connected since the last time.
        func connections() -> Int {
            var count = 0
            while case let found = accept(socket, nil, nil), found >= 0 {
                close(found)
                count += 1
            }
            return count
        }
    }

    @Test("nothing but https and public addresses is connected to, however it is written")
    func privateNetworks() async throws {
        try await ExchangeTown.open { town in
            let (pia, number) = try await town.person()
            let listener = try Listener()
            let port = listener.port
            // The listener works: an importer that may reach this machine connects to it.
            let loose = CalendarFetcher(scope: .loopbackOnly, limit: .seconds(1))
            _ = try? await loose.fetch("https://127.0.0.1:\(port)/a.ics", for: number)
            #expect(listener.connections() == 1)
            let hosts = [
                "127.0.0.1", "127.1", "2130706433", "0x7f.0.0.1", "017700000001", "0.0.0.0", "0",
                "[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[64:ff9b::7f00:1]",
                "localhost", "LOCALHOST", "localhost.", "ip6-localhost", "ip6-loopback",
                ProcessInfo.processInfo.hostName,
            ]
            for host in hosts {
                for scheme in ["https", "webcal"] {
                    let answer = try await pia.importCalendar(from: "\(scheme)://\(host):\(port)/a")
                    #expect(answer.status == 422, "\(host)")
                    #expect(answer.text.contains("We can&#39;t reach this address"), "\(host)")
                }
                let plain = try await pia.importCalendar(from: "http://\(host):\(port)/a")
                #expect(plain.status == 422 && plain.text.contains("begins with https://"))
            }
            #expect(listener.connections() == 0)
        }
    }

    @Test(
        "addresses of private networks and of clouds' metadata are refused at once",
        arguments: [
            "169.254.169.254", "10.0.0.1", "192.168.1.1", "172.16.0.1", "100.64.0.1", "[fe80::1]",
            "[fd00::1]", "[fd00:ec2::254]", "[2002:a00:1::]", "224.0.0.1", "255.255.255.255",
        ]
    )
    func metadata(host: String) async throws {
        let fetcher = CalendarFetcher(scope: .publicOnly)
        let person = PersonNumber(rawValue: 1)
        let start = ContinuousClock.now
        await #expect(throws: CalendarFetcher.Failure.unreachable) {
            try await fetcher.fetch("https://\(host)/latest/meta-data", for: person)
        }
        // Without a connection, nothing waits for an answer.
        #expect(ContinuousClock.now - start < .seconds(5))
    }

    @Test("one person fetches one calendar at a time, and all together only so many")
    func together() async throws {
        let listener = try Listener()
        let fetcher = CalendarFetcher(scope: .loopbackOnly, limit: .seconds(1))
        let address = "http://127.0.0.1:\(listener.port)/a.ics"
        // The listener never answers, so that each waits until its time is over.
        let failures = await withTaskGroup(of: CalendarFetcher.Failure?.self) { group in
            for number in [1, 1] + Array(2...30) {
                group.addTask {
                    let person = PersonNumber(rawValue: Int64(number))
                    do throws(CalendarFetcher.Failure) {
                        _ = try await fetcher.fetch(address, for: person)
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            var all: [CalendarFetcher.Failure?] = []
            for await failure in group { all.append(failure) }
            return all
        }
        #expect(failures.filter { $0 == .busy }.count == 31 - 16)
        #expect(failures.filter { $0 == .tooSlow }.count == 16)
    }
}
