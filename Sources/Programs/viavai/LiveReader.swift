import Chronology
import Foundation
import HTTPClient
import LiveFeeds
import OpenData

/// Reads feeds once, from files or addresses that the user names.
struct LiveReader {
    /// The time at which feeds are read; content that is too old by then is not used.
    let now: Instant
    private let named = HTTPClient("viavai.feeds", scope: .anywhere, threadLimit: 1)
    private let foreign = HTTPClient("viavai.feeds.foreign", scope: .publicOnly, threadLimit: 1)

    /// The size of the longest file in bytes.
    private static let longest = 64 << 20
    /// How long an answer may take.
    private static let limit = Duration.seconds(30)
    /// Content that calls itself older than this counts from its own time, in seconds.
    private static let doubtSeconds: Int64 = 6 * 3_600
    /// Files that say what is there now.
    private static let states: Set<GBFSFile> = [.stationStatus, .vehicleStatus]

    /// Creates a reader.
    init(now: Instant) {
        self.now = now
    }

    /// A system of shared vehicles.
    ///
    /// A recording on disk is as old as its files say; a server that answers confirms its files.
    ///
    /// - Throws: `CommandFailure` if a file cannot be read or understood.
    func system(_ source: String) async throws -> LiveSystem {
        let isRemote = LiveFeedSource.origin(of: source) != nil
        let files = isRemote ? try await fetchedFiles(source) : try Self.files(in: source)
        var system = SharingSystem()
        var known: Instant?
        for (file, name, bytes) in files {
            let reading: SharingSystem.Reading
            do throws(FeedFailure) {
                reading = try system.read(bytes, as: file)
            } catch {
                throw CommandFailure.badInput("\(name): \(error)")
            }
            guard Self.states.contains(file) else { continue }
            let made = reading.header.lastUpdated
            let isConfirmed = isRemote && now.seconds - made.seconds <= Self.doubtSeconds
            let since = isConfirmed ? now : made
            known = known.map { min($0, since) } ?? since
        }
        return LiveSystem(feed: source, system: system, knownSince: known)
    }

    /// A forecast in the form of any weather service.
    ///
    /// - Throws: `CommandFailure` if it cannot be read or understood.
    func forecast(_ source: String) async throws -> Forecast {
        let isRemote = LiveFeedSource.origin(of: source) != nil
        let bytes = isRemote ? try await fetched(source, of: source) : try Self.contents(source)
        var fetched = now
        if !isRemote,
            let written = try? FileManager.default.attributesOfItem(atPath: source)[
                .modificationDate
            ] as? Date
        {
            fetched = Instant(seconds: Int64(written.timeIntervalSince1970))
        }
        var failure: FeedFailure?
        for service in Forecast.Service.allCases {
            do throws(FeedFailure) {
                return try Forecast(bytes, from: service, fetched: fetched)
            } catch {
                failure = failure ?? error
            }
        }
        throw CommandFailure.badInput(
            "\(source): is no answer of Open-Meteo with hourly precipitation, nor of MET Norway"
                + (failure.map { ": \($0)" } ?? "")
        )
    }

    /// The strikes of the register of the Italian ministry.
    ///
    /// - Throws: `CommandFailure` if it cannot be read or understood.
    func strikes(_ source: String) async throws -> [TrackedStrike] {
        let bytes = try await contents(of: source)
        do throws(FeedFailure) {
            return try StrikeRegister(bytes).notices.entries.map {
                TrackedStrike($0, missingSince: nil)
            }
        } catch {
            throw CommandFailure.badInput("\(source): \(error)")
        }
    }

    /// The alerts of a GTFS Realtime feed.
    ///
    /// - Throws: `CommandFailure` if it cannot be read or understood.
    func alerts(_ source: String) async throws -> [ServiceAlert] {
        let bytes = try await contents(of: source)
        do throws(FeedFailure) {
            return try ServiceAlerts(bytes).alerts
        } catch {
            throw CommandFailure.badInput("\(source): \(error)")
        }
    }

    /// The streets of a table of traffic.
    ///
    /// - Throws: `CommandFailure` if it cannot be read or understood.
    func traffic(_ source: String) async throws -> [TrafficLine] {
        let bytes = try await contents(of: source)
        do throws(FeedFailure) {
            let lines = try TrafficTable(bytes).lines
            if let failure = lines.firstFailure {
                Console.note("\(source): \(lines.rejectedCount) streets left out: \(failure)")
            }
            return lines.entries
        } catch {
            throw CommandFailure.badInput("\(source): \(error)")
        }
    }

    private func contents(of source: String) async throws -> [UInt8] {
        let isRemote = LiveFeedSource.origin(of: source) != nil
        return isRemote ? try await fetched(source, of: source) : try Self.contents(source)
    }

    // MARK: Files

    private typealias FeedFile = (file: GBFSFile, name: String, bytes: [UInt8])

    /// The files of a folder, which are called as in the standard.
    private static func files(in folder: String) throws -> [FeedFile] {
        let found = try GBFSFile.allCases.compactMap { file -> FeedFile? in
            let names =
                file == .vehicleStatus ? [file.rawValue, "free_bike_status"] : [file.rawValue]
            let paths = names.map { "\(folder)/\($0).json" }
            guard let path = paths.first(where: FileManager.default.fileExists) else { return nil }
            return (file, path, try contents(path))
        }
        guard found.contains(where: { $0.file == .systemInformation }) else {
            throw CommandFailure.badInput(
                "--gbfs \(folder): has no system_information.json; name a folder with the files "
                    + "of GBFS, or the address of a gbfs.json"
            )
        }
        return found
    }

    private static func contents(_ path: String) throws -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandFailure.badInput("\(path): cannot be read; is the path right?")
        }
        return [UInt8](data)
    }

    // MARK: Addresses

    /// The files that a system names in its `gbfs.json`.
    private func fetchedFiles(_ address: String) async throws -> [FeedFile] {
        let bytes = try await fetched(address, of: address)
        let urls: [GBFSFile: String]
        do throws(FeedFailure) {
            urls = try GBFSDiscovery(bytes, language: "en").urls
        } catch {
            throw CommandFailure.badInput("\(address): \(error)")
        }
        var files: [FeedFile] = []
        for file in GBFSFile.allCases {
            guard let url = urls[file] else { continue }
            files.append((file, url, try await fetched(url, of: address)))
        }
        return files
    }

    /// The content of an address; one that a feed names elsewhere must be public and encrypted.
    private func fetched(_ url: String, of feed: String) async throws -> [UInt8] {
        let isSame = LiveFeedSource.origin(of: url) == LiveFeedSource.origin(of: feed)
        let request = HTTPClient.Request.get(url, limit: Self.limit, bodyLimit: Self.longest)
        let response: HTTPClient.Response
        do throws(HTTPClient.Failure) {
            response = try await (isSame ? named : foreign).send(request)
        } catch {
            throw CommandFailure(code: .environment, text: "\(url): \(error.text)")
        }
        guard response.status == 200 else {
            throw CommandFailure(code: .environment, text: "\(url): answers \(response.status)")
        }
        return response.body
    }
}
