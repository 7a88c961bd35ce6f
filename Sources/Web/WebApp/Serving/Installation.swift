package import Backups
package import TaxiPages
import Chronology
import Drivers
import Foundation
package import HTTPServer
package import Identity
package import Notify
package import Storage
package import Taxi
import WebCore

/// Everything that a server stands on, opened as its settings say.
package struct Installation: Sendable {
    /// Why an installation could not be opened.
    package enum Fault: Error, Hashable, Sendable, CustomStringConvertible {
        /// The file of the secret cannot be read or written.
        case secretFile(String, reason: String)
        /// The file of the secret holds something else.
        case badSecret(String)
        /// The keys were wrapped under another secret.
        case otherSecret(String)
        /// There are people, and no secret.
        case noSecret(String)

        /// One line for the operator.
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

    /// The settings.
    package let settings: Settings
    /// Where time comes from.
    package let clock: ServiceClock
    /// The city's database, migrated.
    package let database: Database
    /// The database of keys, migrated.
    package let keyDatabase: Database
    /// Who has a key, as it was at this start.
    package let keyCoverage: KeyCoverage
    /// People and what they may do.
    package let accounts: Accounts
    /// What is known of the land; nil where the settings name no city file.
    package let city: OpenedCity?
    /// The taxi service; ``TaxiRank`` runs it.
    package let taxi: TaxiService
    /// The backups of both databases.
    package let backups: Backups
    /// Who had been erased, came back with a restored copy, and was erased again at this start.
    package let erasedAgain: [PersonNumber]
    /// Keeps the dispatcher's register of taxis what the drivers' papers make it.
    package let fleet: Fleet
    /// The key under which browsers carry what passengers have not confirmed yet: 32 bytes.
    let orderKey: [UInt8]
    /// As whom notices are sent to browsers, which were subscribed with its public key.
    package let pushIdentity: VoluntaryIdentification
    /// Takes a backup before a grave change (R8); throws where that fails.
    package var safetyBackup: SafetyBackup
    /// Which push services notices are handed to; only tests, in which a browser has one on this
    /// machine, want others.
    package var pushReach = PushService.Reach.publicOnly
    /// How long the other ends of connections may take.
    package var clientLimits = ClientLimits()

    /// Opens an installation; what is not there yet is made.
    ///
    /// - Throws: ``Fault``, ``BackupFault/badList(_:)``, ``BackupFault/keysLost(_:)``,
    ///   `CityFile.Failure`, `DatabaseFailure`, `MigrationFailure`.
    package init(
        _ settings: Settings,
        clock: ServiceClock,
        outgoing: Outgoing = Postbox.outgoing,
        workers: PasswordWorkers
    ) async throws {
        self.settings = settings
        self.clock = clock
        city = try settings.cityFile.map { try OpenedCity($0) }
        database = try await Database.open(settings.database, failsFast: true)
        try await database.migrate(Self.migrations)
        let folder = BackupFolder(settings)
        let erased = try folder.erasures()
        // First: where there are people, a new secret or key database would hide the loss of theirs.
        let opened = try await Self.keys(of: settings, for: database, without: erased)
        let secret = try Self.secret(at: settings.secret, isNew: opened.coverage.count == 0)
        orderKey = secret.key(for: "orders")
        keyDatabase = opened.database
        keyCoverage = opened.coverage
        try await keyDatabase.migrate(Migration.keyStore)
        pushIdentity = try VoluntaryIdentification(
            bytes: secret.key(for: "push"),
            contact: settings.sender
        )
        let zone = settings.zoneTable
        var land = TaxiService.City(
            name: Self.logName,
            zone: zone,
            secret: secret.key(for: "taxi")
        )
        if let city {
            land.streets = city.streets
            land.addresses = city.addressSource
        }
        // Containers may share host name and process number, but no run takes another's lease.
        let holder = Lease.holder(labelled: ProcessInfo.processInfo.hostName)
        taxi = try TaxiService(
            land,
            in: database,
            clock: clock,
            settings: DispatchService.Settings(holder: holder)
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
            erasing: [
                { try RidePlaces.forget($0.passenger, in: $1) },
                { try TaxiService.forgetShifts(of: $0.rawValue, in: $1) },
                { try TaxiService.forgetSayings(of: $0.passenger, in: $1) },
                { try $1.forgetNotifications(of: String($0.rawValue)) },
            ],
            leaving: [{ [taxi, database] in try await taxi.leave($0, in: database) }]
        )
        guard try await accounts.keys.hasItsSecret() else {
            throw Fault.otherSecret(settings.secret)
        }
        let backups = Backups(in: folder, of: database, and: keyDatabase, clock)
        self.backups = backups
        safetyBackup = { try await backups.make(reason: "before \($0)") }
        // Before anything is served: what a backup has brought back goes again (R103).
        erasedAgain = try await accounts.apply(erased, at: clock.now())
        fleet = Fleet(accounts, taxis: taxi, zone: zone)
    }

    /// All steps of the schema of the city's database, in order.
    package static let migrations =
        Migration.storage + Migration.notify + Migration.accountsAndDrivers + Migration.taxi
        + [Migration.rideDriversFill, .messageRequests]

    /// What is stored about people beside their accounts.
    private static let records: [any PersonalRecords] = [DriverRecords()]
    /// The tables whose rows are sealed under keys of their own.
    static let sealedTables = records.flatMap(\.sealedTables)

    /// The name of the log of the city's taxis; a database has one city.
    static let logName = "city"

    /// Reads the secret, or makes one that nobody else can read where the installation is new.
    private static func secret(at path: String, isNew: Bool) throws(Fault) -> ServerSecret {
        guard isNew || FileManager.default.fileExists(atPath: path) else { throw .noSecret(path) }
        // Made only where there is none, and never readable by others, not even for a moment.
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

    /// Whether one of the databases is known to be away or to accept no changes; the log says so
    /// once, when that begins.
    var isTroubled: Bool { database.trouble != nil || keyDatabase.trouble != nil }

    /// Closes what was opened.
    package func close() {
        database.close()
        keyDatabase.close()
    }
}
