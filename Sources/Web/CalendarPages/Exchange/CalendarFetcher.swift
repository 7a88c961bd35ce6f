import Agenda
import Chronology
import Foundation
import HTTPClient
import Identity
import Synchronization
import WebCore

/// The address of a calendar on the Internet, as a person types it.
struct CalendarAddress: Hashable, Sendable {
    /// The longest address in characters.
    static let lengthLimit = 2_000

    /// The address with the scheme by which it is fetched.
    let url: String

    /// Reads an address; nil unless its scheme is `https` or `webcal`, and it has a host and
    /// neither a user nor a password.
    ///
    /// Whether the host may be connected to is checked when connecting: any name may lead to any
    /// address.
    ///
    /// - Parameters:
    ///   - text: what was typed, or where another server redirects to.
    ///   - allowsPlain: whether `http` is allowed too, for tests.
    init?(_ text: String, allowsPlain: Bool) {
        guard text.utf8.count <= Self.lengthLimit,
            text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") })
        else { return nil }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].hasPrefix("//") else { return nil }
        let scheme: String
        switch parts[0].lowercased() {
        case "https", "webcal", "webcals": scheme = "https"
        case "http" where allowsPlain: scheme = "http"
        default: return nil
        }
        let authority = parts[1].dropFirst(2).prefix { !"/?#".contains($0) }
        guard !authority.isEmpty, !authority.hasPrefix(":"), !authority.contains("@") else {
            return nil
        }
        url = "\(scheme):\(parts[1].prefix { $0 != "#" })"
    }

    /// Where a redirection leads; nil if that is no address of a calendar.
    func following(_ location: String, allowsPlain: Bool) -> CalendarAddress? {
        guard location.utf8.count <= Self.lengthLimit, let base = URL(string: url),
            let target = URL(string: location, relativeTo: base)
        else { return nil }
        return CalendarAddress(target.absoluteString, allowsPlain: allowsPlain)
    }
}

/// Fetches calendars from addresses that people type.
///
/// Requests go only to `https` and to addresses of the public Internet, each of which is checked
/// when connecting, so that nobody reaches the network behind the server or changes a DNS record
/// after the check. The same holds for each redirection.
final class CalendarFetcher: Sendable {
    /// Why there is no calendar.
    enum Failure: Error, Hashable, Sendable {
        /// It is no address from which calendars are fetched.
        case badAddress
        /// There is no such host, it does not answer, or it is not on the public Internet: the
        /// three are not told apart, so that nobody learns the names of the network behind.
        case unreachable
        /// The answer was not complete in time.
        case tooSlow
        /// The file has more bytes than are read.
        case tooLarge
        /// The server redirects too often.
        case tooManyRedirects
        /// The server answers with another status than success.
        case refused(status: Int)
        /// The person's last one, or too many others, are still being fetched.
        case busy
    }

    /// How many redirections are followed.
    private static let redirectsLimit = 3
    /// How many calendars are fetched at the same time.
    private static let fetchesLimit = 16

    private let scope: NetworkScope
    private let limit: Duration
    private let client: HTTPClient
    /// The people for whom calendars are being fetched.
    private let people = Mutex<Set<PersonNumber>>([])

    /// Creates a fetcher.
    ///
    /// - Parameters:
    ///   - scope: the network addresses that requests may go to.
    ///   - limit: the time limit of each request.
    init(scope: NetworkScope, limit: Duration = .seconds(8)) {
        self.scope = scope
        self.limit = limit
        client = HTTPClient(
            "viavai.calendars",
            scope: scope,
            threadLimit: Self.fetchesLimit
        )
    }

    /// Fetches a calendar once.
    ///
    /// - Parameters:
    ///   - text: the address as it was typed.
    ///   - person: the person who typed it.
    /// - Returns: the file.
    /// - Throws: ``Failure``.
    func fetch(_ text: String, for person: PersonNumber) async throws(Failure) -> [UInt8] {
        let allowsPlain = scope == .loopbackOnly
        guard let address = CalendarAddress(text, allowsPlain: allowsPlain) else {
            throw .badAddress
        }
        let isFree = people.withLock { people in
            people.count < Self.fetchesLimit && people.insert(person).inserted
        }
        guard isFree else { throw .busy }
        defer { _ = people.withLock { $0.remove(person) } }
        var next = address
        for _ in 0...Self.redirectsLimit {
            let response = try await send(next)
            switch response.status {
            case 200: return response.body
            case 301, 302, 303, 307, 308:
                guard let location = response["Location"],
                    let target = next.following(location, allowsPlain: allowsPlain)
                else { throw .unreachable }
                next = target
            case let status: throw .refused(status: status)
            }
        }
        throw .tooManyRedirects
    }

    private func send(_ address: CalendarAddress) async throws(Failure) -> HTTPClient.Response {
        let request = HTTPClient.Request.get(
            address.url,
            headers: [("Accept", "text/calendar"), ("User-Agent", "Viavai")],
            limit: limit,
            bodyLimit: CalendarImport.bytesLimit
        )
        do {
            return try await client.send(request)
        } catch {
            switch error {
            case .badRequest: throw .badAddress
            case .addressNotPermitted, .connection: throw .unreachable
            case .timedOut: throw .tooSlow
            case .responseTooLarge: throw .tooLarge
            }
        }
    }
}
