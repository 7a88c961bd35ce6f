package import Foundation
import HTTPServer
package import WebApp

/// The folder that keeps a demo city from one start to the next.
///
/// Only the demo uses it, and the demo reads no other settings. It therefore can neither change the
/// databases of a real city nor publish them.
package struct DemoFolder: Sendable {
    /// The location of the folder.
    package let url: URL

    /// The folder of a city with that many inhabitants and taxis, inside another folder.
    package init(in folder: URL, inhabitants: Int, seed: UInt64, taxis: Int) {
        url = folder.appendingPathComponent("living-\(inhabitants)-\(seed)-\(taxis)")
    }

    /// The path of the city file.
    package var cityFile: String { url.appendingPathComponent("demo.city").path }

    private var mark: URL { url.appendingPathComponent("ready") }

    /// The name of the city; nil until its set-up has completed.
    package var cityName: String? {
        (try? String(contentsOf: mark, encoding: .utf8)).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Starts over with a copy of a city file; removes what an interrupted set-up left behind.
    package func begin(with cityFile: String) throws {
        let files = FileManager.default
        if files.fileExists(atPath: url.path) { try files.removeItem(at: url) }
        try files.createDirectory(
            at: url,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        try files.copyItem(atPath: cityFile, toPath: self.cityFile)
    }

    /// Records that the city is set up.
    package func markReady(_ cityName: String) throws {
        try Data(cityName.utf8).write(to: mark, options: .atomic)
    }

    /// The settings of the demo's server.
    ///
    /// - Parameters:
    ///   - cityName: the name of the city.
    ///   - listen: host and port on this machine.
    ///   - feeds: the live feeds, as ``DemoFeeds/settings(port:)`` has them.
    /// - Returns: the settings, built from these values alone.
    /// - Throws: ``DemoFailure/notLoopback(host:)``, ``DemoFailure/badSettings(_:)``.
    package func settings(
        cityName: String,
        listen: String,
        feeds: [String: String] = [:]
    ) throws(DemoFailure) -> Settings {
        // This check only gives a clearer message; the settings check the address themselves below.
        let near = ["127.", "localhost:", "[::1]:"]
        guard near.contains(where: listen.hasPrefix) else { throw .notLoopback(host: listen) }
        var options = [
            "city.file": cityFile,
            "city.name": cityName,
            "city.time_zone": "Europe/Rome",
            "database": "sqlite:\(url.path)/city.sqlite",
            "keys.database": "sqlite:\(url.path)/keys.sqlite",
            "keys.secret": "\(url.path)/secret",
            "backups.folder": "\(url.path)/backups",
            "backups.keys_folder": "\(url.path)/backups-keys",
            "listen": listen,
            "log.level": "warning",
            "feeds.folder": "\(url.path)/feeds",
            "passes.giornaliero": "1 day",
            "passes.mensile": "calendar month",
        ]
        for (name, feed) in feeds { options["feeds.\(name)"] = feed }
        let settings: Settings
        do {
            settings = try Settings(file: nil, environment: [:], options: options)
        } catch {
            throw .badSettings(error.description)
        }
        guard settings.listen.isLoopback else { throw .notLoopback(host: listen) }
        return settings
    }
}
