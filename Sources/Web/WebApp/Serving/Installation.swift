package import Agenda
package import Backups
import Chronology
import CityData
import Drivers
package import FeedRegister
import Foundation
package import HTTPClient
package import HTTPServer
package import Identity
package import LiveFeeds
package import Notify
import OpenData
package import OpenIDConnect
package import Storage
import Streets
package import Taxi
package import TaxiPages
package import TripPlanning
import WebCore
package import Webhooks

/// The resources of a server, opened as the settings specify.
package struct Installation: Sendable {
    /// The reasons why an installation cannot be opened.
    package enum Fault: Error, Hashable, Sendable, CustomStringConvertible {
        /// The secret file cannot be read or written.
        case secretFile(String, reason: String)
        /// The secret file does not contain a valid secret.
        case badSecret(String)
        /// The keys were wrapped with a different secret.
        case otherSecret(String)
        /// People exist, but the secret is missing.
        case noSecret(String)

        /// A one-line message for the server's administrator.
        package var description: String {
            switch self {
            case .secretFile(let file, let reason):
                "\(file): the secret cannot be read or made (\(reason)); is the folder writable?"
            case .badSecret(let file):
                "\(file): is not a secret that Viavai made; restore it from its backup."
            case .otherSecret(let file):
                "\(file): is not the secret that the keys of this installation were wrapped in; "
                    + "restore that one from its backup."
            case .noSecret(let file):
                "\(file): is missing, and a new one is not the secret that the keys of this "
                    + "installation were wrapped in; restore that one from its backup."
            }
        }
    }

    /// The settings of this server.
    package let settings: Settings
    /// The time source of the server.
    package let clock: ServiceClock
    /// The city's database, after migration.
    package let database: Database
    /// The key database, after migration.
    package let keyDatabase: Database
    /// The people with a key when the server started.
    package let keyCoverage: KeyCoverage
    /// The people, their accounts and permissions.
    package let accounts: Accounts
    /// The calendars of people.
    package let agenda: Agenda
    /// The geographic data; without a city if the settings name no city file.
    package let cities = CurrentCities()
    /// The city in which the taxis drive; nil if the settings name no city file.
    package var city: OpenedCity? { cities.current.cities.first }
    /// The taxi service, which ``TaxiServiceRunner`` runs.
    package let taxi: TaxiService
    /// What live feeds say, which ``FeedKeeping`` fetches.
    package let feeds: LiveFeeds
    /// The live feeds that staff added.
    package let feedRegister: FeedRegister
    /// The addresses to which applications are told what happens.
    package let webhooks: WebhookRegister
    /// The providers with which people may sign in.
    package let providers: [IdentityProvider]
    /// The backups of both databases.
    package let backups: Backups
    /// People who had been erased, reappeared with a restored backup, and were erased again when
    /// the server started.
    package let erasedAgain: [PersonNumber]
    /// Keeps the dispatcher's taxi registry in sync with the drivers' papers.
    package let fleet: Fleet
    /// The key that protects passengers' unconfirmed orders in the browser: 32 bytes.
    let orderKey: [UInt8]
    /// The key of the addresses of planned trips: 32 bytes.
    let tripKey: [UInt8]
    /// The server's identity towards push services; browsers subscribe with its public key.
    package let pushIdentity: VoluntaryIdentification
    /// Takes a backup before a critical change (R8); throws if the backup fails.
    package var safetyBackup: SafetyBackup
    /// Whether notifications go to a push service on the same machine only; tests have one there.
    package var pushesToLoopback = false
    /// The network addresses from which calendars are imported.
    ///
    /// Only tests, whose calendars are on the same machine, change this.
    package var calendarScope = NetworkScope.publicOnly
    /// Time limits for clients' connections.
    package var clientLimits = ClientLimits()

    /// Opens an installation and creates what does not exist yet.
    ///
    /// - Parameters:
    ///   - settings: the settings of the server.
    ///   - clock: its time source.
    ///   - outgoing: takes the messages that its accounts send.
    ///   - workers: hash passwords.
    ///   - leaseTerm: how long another server waits for this one before it takes the taxis.
    /// - Throws: ``Fault``, ``BackupFault/badList(_:)``, ``BackupFault/keysLost(_:)``,
    ///   `CityFile.Failure`, `DatabaseFailure`, `MigrationFailure`.
    package init(
        _ settings: Settings,
        clock: ServiceClock,
        outgoing: Outgoing = AccountMessages.outgoing,
        workers: PasswordWorkers,
        leaseTerm: Duration = DispatchService.Settings.usualLeaseTerm
    ) async throws {
        (self.settings, self.clock) = (settings, clock)
        let files = try settings.cityFiles.map { try CityFile.openIdentified($0) }
        database = try await Database.open(settings.database, failsFast: true)
        try await database.migrate(Self.migrations)
        let folder = BackupFolder(settings)
        let erased = try folder.erasures()
        // Must come first: if people exist, creating a new secret or key database would hide the
        // loss of theirs.
        let opened = try await Self.keys(of: settings, for: database, without: erased)
        let secret = try Self.secret(at: settings.secret, isNew: opened.coverage.count == 0)
        orderKey = secret.key(for: "orders")
        tripKey = secret.key(for: "trips")
        keyDatabase = opened.database
        keyCoverage = opened.coverage
        try await keyDatabase.migrate(Migration.keyStore)
        pushIdentity = try VoluntaryIdentification(
            bytes: secret.key(for: "push"),
            contact: settings.sender
        )
        let zone = settings.zoneTable
        var land = TaxiService.City(name: Self.logName, zone: zone, secret: secret.key(for: "taxi"))
        land.streets = files.first.map { StreetNetwork($0.file) }
        land.addresses = Self.addresses(cities)
        // Containers may share a host name and process number, but they never share a lease.
        let holder = Lease.holder(labelled: ProcessInfo.processInfo.hostName)
        taxi = try TaxiService(
            land,
            in: database,
            clock: clock,
            settings: DispatchService.Settings(holder: holder, leaseTerm: leaseTerm)
        )
        var accountSettings = AccountSettings()
        accountSettings.today = { zone.local(Instant(seconds: $0.milliseconds / 1_000)).date }
        accounts = Accounts(
            data: database,
            keys: KeyStore(on: keyDatabase, secret: secret),
            secret: secret,
            workers: workers,
            outgoing: outgoing,
            settings: accountSettings,
            records: Self.records,
            erasing: Self.erasing,
            leaving: [{ [taxi, database] in try await taxi.leave($0, in: database) }]
        )
        agenda = Agenda(accounts, zone: NamedZone(settings.timeZone.identifier, zone))
        guard try await accounts.keys.hasItsSecret() else {
            throw Fault.otherSecret(settings.secret)
        }
        backups = Backups(in: folder, of: database, and: keyDatabase, clock)
        safetyBackup = { [backups] in try await backups.make(reason: "before \($0)") }
        // Before serving any request, erase again the people whom a backup brought back (R103).
        erasedAgain = try await accounts.apply(erased, at: clock.now())
        fleet = Fleet(accounts, taxis: taxi, zone: zone)
        feeds = Self.feeds(settings, now: clock.now())
        feedRegister = Self.feedRegister(settings, database, secret)
        webhooks = Self.webhooks(settings, accounts, secret)
        providers = Self.providers(settings)
        await feeds.serve(added: try await feedRegister.running(), now: Instant(clock.now()))
        let all = files.enumerated().map { [taxi, feeds] in
            Self.city($1, $0, taxi, feeds, settings, clock)
        }
        cities.begin(with: OpenedCities(all))
    }

    private static func feedRegister(
        _ settings: Settings,
        _ database: Database,
        _ secret: ServerSecret
    ) -> FeedRegister {
        FeedRegister(on: database, key: secret.key(for: "feeds"), scope: settings.feedScope)
    }

    private static func webhooks(
        _ settings: Settings,
        _ accounts: Accounts,
        _ secret: ServerSecret
    ) -> WebhookRegister {
        WebhookRegister(
            accounts,
            key: secret.key(for: "webhooks"),
            scope: settings.webhookScope,
            keptDays: settings.webhookDays
        )
    }

    /// All migrations of the city's database, in order.
    package static let migrations =
        Migration.storage + Migration.notify + Migration.accountsAndDrivers + Migration.taxi
        + [Migration.rideDriversFill, .messageRequests] + Migration.agenda
        + Migration.zoneCounts + Migration.applicationUse + Migration.grants
        + Migration.feedRegister + Migration.webhooks + Migration.providers
        + Migration.deviceCodes + Migration.webhookStreams
        + Migration.streetRestrictions + Migration.streetSpeeds + Migration.vehicleLooks

    /// The personal data that is stored outside accounts.
    private static let records: [any PersonalRecords] = [DriverRecords()]
    /// What is erased with a person besides the account.
    private static let erasing: [ErasureStep] = [
        { try RidePlaces.forget($0.passenger, in: $1) },
        { try TaxiService.forgetShifts(of: $0.rawValue, in: $1) },
        { try TaxiService.forgetSayings(of: $0.passenger, in: $1) },
        { try $1.forgetNotifications(of: String($0.rawValue)) },
        { try WebhookRegister.forget($0, in: $1) },
        Agenda.erasure,
    ]
    /// The tables whose rows are encrypted with individual keys.
    static let sealedTables = records.flatMap(\.sealedTables)

    /// The name of the dispatch log; each database holds one city.
    static let logName = "city"

    /// Reads the secret, or creates one if the installation is new.
    ///
    /// Only the server's user can read the file.
    private static func secret(at path: String, isNew: Bool) throws(Fault) -> ServerSecret {
        guard isNew || FileManager.default.fileExists(atPath: path) else { throw .noSecret(path) }
        // `O_EXCL` never replaces an existing file, and the mode hides the file from other users
        // from the start.
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if file >= 0 {
            let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
            do {
                try handle.write(contentsOf: Data(ServerSecret.randomBytes()))
                try handle.synchronize()
            } catch {
                throw .secretFile(path, reason: "it cannot be written")
            }
        } else if errno != EEXIST {
            throw .secretFile(path, reason: unsafe String(cString: strerror(errno)))
        }
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw .secretFile(path, reason: "it cannot be read")
        }
        guard let secret = ServerSecret(Array(bytes)) else { throw .badSecret(path) }
        return secret
    }

    /// Whether a database is known to be unavailable or read-only.
    ///
    /// The log reports this once, when it begins.
    var isTroubled: Bool { database.trouble != nil || keyDatabase.trouble != nil }

    /// Closes the databases and other open resources.
    package func close() {
        database.close()
        keyDatabase.close()
    }
}
