package import Identity
import Storage

/// The drivers of a city with their papers and taxis.
///
/// A driver is a person of ``accounts`` with the role ``Role/driver``. As there, each operation
/// takes the current time as an argument, and makes its changes in one transaction together with
/// the messages that announce them.
package struct DriverRegistry: Sendable {
    /// The people, sessions and keys of the city, whose database has
    /// `Migration.accountsAndDrivers`.
    package let accounts: Accounts
    /// The city's rules on drivers.
    package let settings: DriverSettings

    /// Creates the registry of an installation.
    package init(_ accounts: Accounts, settings: DriverSettings = DriverSettings()) {
        self.accounts = accounts
        self.settings = settings
    }

    var data: Database { accounts.data }
    var keys: KeyStore { accounts.keys }
    var secret: ServerSecret { accounts.secret }
}

extension Accounts {
    /// The drivers among the people, for operations that no rule of the city changes.
    package var drivers: DriverRegistry { DriverRegistry(self) }
}

/// The city's rules on drivers.
package struct DriverSettings: Sendable {
    /// Whether several drivers may share a taxi by shifts (R13).
    package var taxisAreShared = false
    /// The formats of plates and licences (R11).
    package var formats = CountryFormats.italy
    /// How many days before a licence expires its driver is warned (R104); three months.
    package var licenceNoticeDays: Int32 = 92

    /// Creates the default rules.
    package init() {}
}

/// The reason why an operation on drivers was refused; nothing was changed.
package enum DriverFailure: Error, Equatable, Sendable {
    /// The driver may not drive, for the given reason.
    case mayNotDrive(DrivingObstacle)
}
