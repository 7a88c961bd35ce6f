import Chronology
import CityData
import Foundation
import WebApp

/// The folder of a sandbox: its generated city, and what its installation stores while it is open.
package struct SandboxFolder: Sendable {
    /// How many inhabitants its city has: the smallest that can be generated.
    private static let inhabitants = DemoCity.sizes.lowerBound
    /// The name of the city.
    private static let cityName = "Sandbox"

    private let url: URL
    private let city: (@Sendable () throws -> String)?

    /// The folder at a path.
    ///
    /// - Parameters:
    ///   - path: the path, at which a folder is created.
    ///   - city: makes a city file instead of generating one; returns its path.
    package init(_ path: String, city: (@Sendable () throws -> String)? = nil) {
        url = URL(fileURLWithPath: path)
        self.city = city
    }

    private var life: URL { url.appendingPathComponent("open") }

    /// Begins with an empty installation, and with a city whose timetables are of these days.
    ///
    /// - Parameter now: the current time.
    /// - Returns: the settings of the installation, built from the folder alone.
    /// - Throws: the system's error where the folder cannot be written.
    func begin(at now: Moment) async throws -> Settings {
        end()
        let today = CivilDate(daysSince1970: Int32(clamping: now.milliseconds / 86_400_000))
        let file = try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<String, any Error>) in
            // Generating takes seconds, during which a thread of its own is busy.
            let thread = Thread {
                continuation.resume(with: Result { try self.cityFile(on: today) })
            }
            thread.stackSize = 8 << 20
            thread.start()
        }
        try FileManager.default.createDirectory(
            at: life,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        return try settings(file)
    }

    /// Removes what the last installation stored.
    func end() {
        try? FileManager.default.removeItem(at: life)
    }

    /// The path of the city file of a month, which is generated once.
    private func cityFile(on today: CivilDate) throws -> String {
        if let city { return try city() }
        let month = String(today.iso8601.prefix(7))
        let folder = url.appendingPathComponent("city-\(month)")
        let file = folder.appendingPathComponent("sandbox.city").path
        if FileManager.default.fileExists(atPath: file) { return file }
        let files = FileManager.default
        for name in (try? files.contentsOfDirectory(atPath: url.path)) ?? []
        where name.hasPrefix("city-") {
            try files.removeItem(at: url.appendingPathComponent(name))
        }
        let summary = try DemoCity.write(
            inhabitants: Self.inhabitants,
            seed: 1,
            to: folder,
            firstDay: today.adding(days: -31)
        )
        let feeds = summary.files.dropFirst().compactMap { CityImport.FeedArgument($0.path) }
        let made = try CityImport.run(osm: summary.files.first?.path, feeds: feeds) { _, _ in }
        try CityFile.write(made.writer, to: file)
        return file
    }

    private func settings(_ cityFile: String) throws -> Settings {
        let path = life.path
        return try Settings(
            file: nil,
            environment: [:],
            options: [
                "city.file": cityFile, "city.name": Self.cityName,
                "city.time_zone": "Europe/Rome", "database": "sqlite:\(path)/city.sqlite",
                "keys.database": "sqlite:\(path)/keys.sqlite", "keys.secret": "\(path)/secret",
                "backups.folder": "\(path)/backups",
                "backups.keys_folder": "\(path)/backups-keys", "feeds.folder": "\(path)/feeds",
                // Guests may order as where messages are sent; nothing here sends any.
                "mail.server": "smtp://127.0.0.1:9", "mail.from": "taxi@sandbox.example",
                "sms.address": "https://sandbox.example/", "sms.token": "none",
                "log.level": "warning",
            ]
        )
    }
}
