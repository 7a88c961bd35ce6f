import HTTPServer
import Logging

extension Settings {
    /// Reads and validates the settings.
    ///
    /// - Parameters:
    ///   - file: the file's name and text, if there is one.
    ///   - environment: the environment of the process.
    ///   - options: the command-line options, by setting name.
    /// - Throws: all faults that were found, those of the file first.
    package init(
        file: (name: String, text: String)?,
        environment: [String: String],
        options: [String: String]
    ) throws(SettingsFaults) {
        var reader = SettingsReader()
        if let file { reader.take(fileNamed: file.name, text: file.text) }
        reader.take(environment: environment)
        reader.take(options: options)

        cityFiles = reader.list(.cityFile)
        cityName = reader.text(.cityName) ?? ""
        timeZone = reader.timeZone()
        cityPhone = reader.phone(.cityPhone)
        coverage = reader.coverage()
        calendarRules = reader.calendarRules()
        delays = reader.delays()
        database = reader.text(.database) ?? ""
        keyDatabase = reader.text(.keyDatabase) ?? ""
        secret = reader.text(.secret) ?? ""
        listen = reader.listen(.listen)
        publicAddress = reader.publicAddress()
        certificate = reader.pair(.certificate, .privateKey).map {
            CertificateFiles(chain: $0, key: $1)
        }
        plain = reader.plain()
        plainListen = plain == .off ? listen : reader.listen(.plainListen)
        if plain != .off, certificate == nil { reader.note(.plain, .needs("tls.certificate")) }
        trustedProxies = reader.networks(.trustedProxies)
        mail = reader.mail()
        textMessages = reader.textMessages()
        bodyLimit = reader.number(.bodyLimit, in: 1_024...1_073_741_824)
        requestRate = reader.number(.requestRate, in: 1...1_000_000)
        accountRequestRate = reader.number(.accountRequestRate, in: 1...1_000_000)
        requestBurst = reader.number(.requestBurst, in: 1...1_000_000)
        connections = reader.number(.connections, in: 1...1_000_000)
        logLevel = reader.level(.logLevel)
        logLevels = reader.levels(.logLevels)
        leaflet = reader.text(.leaflet) ?? ""
        backups = reader.text(.backups) ?? ""
        keyBackups = reader.text(.keyBackups) ?? ""
        keptBackups = reader.number(.keptBackups, in: 1...10_000)
        feeds = reader.feeds()
        strikeOperators = reader.strikeOperators()
        passPeriods = reader.passPeriods()
        signIn = reader.providers()
        feedFolder = reader.text(.feedFolder) ?? ""
        feedScope = reader.networkScope(.feedReach)
        sandboxFolder = reader.text(.sandboxFolder)
        webhookScope = reader.networkScope(.webhookReach)
        webhookDays = reader.number(.webhookDays, in: 1...3_650)
        explained = reader.explained() + reader.explainedFeeds() + reader.explainedStrikes()
        explained += reader.explainedPasses() + reader.explainedProviders()
        if Self.overlap(backups, keyBackups) {
            reader.note(.keyBackups, .notApart("backups.folder"))
        }
        if Self.isOne(database, keyDatabase) { reader.note(.keyDatabase, .notApart("database")) }
        if !listen.isLoopback, certificate == nil {
            reader.note(.listen, .needsTLS)
        } else if reader.text(.publicAddress) == nil, !isReached {
            reader.note(.listen, .needsPublicAddress)
        }
        guard reader.faults.isEmpty else { throw SettingsFaults(faults: reader.faults) }
    }
}

extension Settings {
    /// Whether two addresses refer to the same database.
    private static func isOne(_ first: String, _ second: String) -> Bool {
        guard let one = sqlitePath(first), let other = sqlitePath(second) else {
            return first == second
        }
        return resolved(one) == resolved(other)
    }
}

/// All faults of the settings.
package struct SettingsFaults: Error, Hashable, Sendable, CustomStringConvertible {
    /// The faults in the order in which they were found; never empty.
    package var faults: [SettingsFault]

    /// One line for each fault.
    package var description: String {
        faults.map(\.description).joined(separator: "\n")
    }
}
