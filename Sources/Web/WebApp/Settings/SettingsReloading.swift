import Chronology
import HTTPServer
import Logging
import ServiceLifecycle
import Taxi
import UnixSignals
import WebCore

/// Looks after what may change while the server runs: the certificate, and with SIGHUP the levels
/// of the log too.
struct SettingsReloading: Service, CustomStringConvertible {
    /// How often the certificate's files are looked at, in seconds.
    static let lookSeconds: Int64 = 10

    /// Its name: the group of services logs it, and must not log all that it holds.
    var description: String { "settings reloading" }

    let certificate: CertificateKeeper?
    let levels: LogLevels
    let clock: ServiceClock
    /// Reads the settings again; nil where they do not come from outside.
    let settings: (@Sendable () throws -> Settings)?
    /// The signals that ask for it, caught since before anybody was told that the server runs: one
    /// that nobody catches ends it.
    let hangUps: UnixSignalsSequence?
    let logger: Logger

    /// Whether there is anything to look after; a service that has nothing to do would end, and
    /// the server with it.
    var isNeeded: Bool { certificate != nil || settings != nil }

    /// Works until the server stops.
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

    /// Waits for SIGHUP.
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
        }
    }
}
