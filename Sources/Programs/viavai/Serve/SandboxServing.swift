import Identity
import LivingCity
import Taxi
import WebApp
import WebCore

/// The sandbox of a city's server, which its settings turn on (decision 0055).
enum SandboxServing {
    /// The sandbox; nil if the settings name no folder for it.
    ///
    /// - Throws: the error of the threads that hash passwords.
    static func city(_ settings: Settings, clock: ServiceClock) throws -> SandboxCity? {
        try settings.sandboxFolder.map { folder in
            let levels = LogLevels(settings.logLevel, parts: settings.logLevels)
            return try SandboxCity(
                in: SandboxFolder(folder),
                clock: clock,
                workers: PasswordWorkers(),
                logger: levels.logger("sandbox", clock: clock.now)
            )
        }
    }
}
