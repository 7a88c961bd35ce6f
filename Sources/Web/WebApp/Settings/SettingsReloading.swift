import Chronology
import HTTPServer
import Logging
import ServiceLifecycle
import Taxi
import UnixSignals
import WebCore

/// Reloads what may change while the server runs: the certificate and, on SIGHUP, the log levels
/// and new city files.
struct SettingsReloading: Service, CustomStringConvertible {
    /// The interval at which the certificate files are checked, in seconds.
    static let lookSeconds: Int64 = 10

    /// The service's name in logs.
    ///
    /// The service group logs this value, so it must not include the stored properties.
    var description: String { "settings reloading" }

    let certificate: CertificateKeeper?
    let levels: LogLevels
    let clock: ServiceClock
    /// Takes new city files on SIGHUP as well as by itself; nil without a city.
    let maintenance: CityMaintenance?
    /// Reads the settings again; nil if they have no external source.
    let settings: (@Sendable () throws -> Settings)?
    /// The SIGHUP signals that request a reload.
    ///
    /// They are caught before the server announces that it is running, because an uncaught SIGHUP
    /// would end the process.
    let hangUps: UnixSignalsSequence?
    let logger: Logger

    /// Whether there is anything to reload.
    ///
    /// A service without work would return and thereby stop the server.
    var isNeeded: Bool { certificate != nil || settings != nil }

    /// Runs until the server stops.
    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                if let certificate { group.addTask { await look(after: certificate) } }
                if let settings, let hangUps {
                    group.addTask { await listen(to: hangUps, settings) }
                }
            }
        }
    }

    private func look(after certificate: CertificateKeeper) async {
        while !Task.isCancelled {
            let next = clock.now().adding(seconds: Self.lookSeconds)
            do { try await clock.sleep(next) } catch { return }
            certificate.refresh(logger)
        }
    }

    /// Reloads the settings on each SIGHUP.
    private func listen(
        to hangUps: UnixSignalsSequence,
        _ settings: @Sendable () throws -> Settings
    ) async {
        for await _ in hangUps {
            certificate?.refresh(isForced: true, logger)
            do {
                let read = try settings()
                levels.replace(read.logLevel, parts: read.logLevels)
                logger.notice("the settings of the log were read again")
            } catch {
                logger.error("the settings cannot be read", metadata: ["error": "\(error)"])
            }
            // Last, because the preparation of a large city takes long.
            await maintenance?.checkFiles(isForced: true)
        }
    }
}
