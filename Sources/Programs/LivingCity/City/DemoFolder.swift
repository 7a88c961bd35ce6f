package import Foundation
import HTTPServer
package import WebApp

/// The folder in which a demo city lives on from one start to the next.
///
/// It is a folder of the demo alone: the demo reads no other settings, so that it can neither
/// touch a city's databases nor open them to everybody.
package struct DemoFolder: Sendable {
    /// Where it is.
    package let url: URL

    /// The folder of a city of so many inhabitants and taxis, within another one.
    package init(in folder: URL, inhabitants: Int, seed: UInt64, taxis: Int) {
        url = folder.appendingPathComponent("living-\(inhabitants)-\(seed)-\(taxis)")
    }

    /// The city file.
    package var cityFile: String { url.appendingPathComponent("demo.city").path }

    private var mark: URL { url.appendingPathComponent("ready") }

    /// What the city is called; nil where its set-up has not come to its end.
    package var cityName: String? {
        (try? String(contentsOf: mark, encoding: .utf8)).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Begins anew, with a copy of a city file; what a set-up left that was broken off goes.
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

    /// Notes that the city is set up.
    package func markReady(_ cityName: String) throws {
        try Data(cityName.utf8).write(to: mark, options: .atomic)
    }

    /// The settings of the demo's server.
    ///
    /// - Parameters:
    ///   - cityName: what the city is called.
    ///   - listen: host and port on this machine.
    /// - Returns: the settings, from nothing but these.
    /// - Throws: ``DemoFailure/notLoopback(host:)``, ``DemoFailure/badSettings(_:)``.
    package func settings(cityName: String, listen: String) throws(DemoFailure) -> Settings {
        // Said in words of the demo; what counts is what the settings themselves say below.
        let near = ["127.", "localhost:", "[::1]:"]
        guard near.contains(where: listen.hasPrefix) else { throw .notLoopback(host: listen) }
        let settings: Settings
        do {
            settings = try Settings(
                file: nil,
                environment: [:],
                options: [
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
                ]
            )
        } catch {
            throw .badSettings(error.description)
        }
        guard settings.listen.isLoopback else { throw .notLoopback(host: listen) }
        return settings
    }
}
