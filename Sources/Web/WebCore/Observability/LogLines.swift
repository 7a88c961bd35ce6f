package import Chronology
import Foundation
package import Logging
import Synchronization

/// The log levels of components, adjustable at run time.
package final class LogLevels: Sendable {
    private struct Levels {
        var standard: Logger.Level
        var parts: [String: Logger.Level]
    }

    private let levels: Mutex<Levels>

    /// Creates levels with a default and separate levels for some components.
    package init(_ standard: Logger.Level, parts: [String: Logger.Level]) {
        levels = Mutex(Levels(standard: standard, parts: parts))
    }

    /// Sets the level of a component, or the default if `part` is nil.
    package func set(_ level: Logger.Level, for part: String?) {
        levels.withLock {
            if let part { $0.parts[part] = level } else { $0.standard = level }
        }
    }

    /// Replaces all levels; components that are not listed use the default.
    package func replace(_ standard: Logger.Level, parts: [String: Logger.Level]) {
        levels.withLock { $0 = Levels(standard: standard, parts: parts) }
    }

    /// The default level of components without a level of their own.
    package var standard: Logger.Level { levels.withLock { $0.standard } }

    /// The level of a component.
    package func level(of part: String) -> Logger.Level {
        levels.withLock { $0.parts[part] ?? $0.standard }
    }

    /// The components with a level of their own, sorted by name.
    package var parts: [(name: String, level: Logger.Level)] {
        levels.withLock { $0.parts.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 } }
    }

    /// Creates the logger of a component.
    package func logger(_ part: String, clock: @escaping @Sendable () -> Moment) -> Logger {
        Logger(label: part) { LogLines(part: $0, levels: self, now: clock) }
    }
}

/// Writes log messages to standard error, one per line, as `name=value` pairs.
struct LogLines: LogHandler {
    let part: String
    let levels: LogLevels
    let now: @Sendable () -> Moment
    var metadata: Logger.Metadata = [:]
    /// The level of this logger alone, if it was set.
    private var ownLevel: Logger.Level?

    init(part: String, levels: LogLevels, now: @escaping @Sendable () -> Moment) {
        self.part = part
        self.levels = levels
        self.now = now
    }

    var logLevel: Logger.Level {
        get { ownLevel ?? levels.level(of: part) }
        set { ownLevel = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var line = "time=\(now().text) level=\(event.level) part=\(part)"
        line += " message=\(Self.quoted("\(event.message)"))"
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        for (name, value) in all.sorted(by: { $0.key < $1.key }) {
            line += " \(name)=\(Self.quoted("\(value)"))"
        }
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }

    /// Quotes a value if necessary, so that a line break in it cannot start a new log line.
    private static func quoted(_ value: String) -> String {
        let isPlain = value.unicodeScalars.allSatisfy {
            $0 > " " && $0 != "\"" && $0 != "=" && $0 != "\\" && $0 != "\u{7F}"
        }
        if isPlain, !value.isEmpty { return value }
        var quoted = "\""
        for character in value.unicodeScalars {
            switch character {
            case "\"", "\\": quoted += "\\\(character)"
            case "\n": quoted += "\\n"
            case "\0"..<" ", "\u{7F}"..."\u{9F}": quoted += " "
            default: quoted.unicodeScalars.append(character)
            }
        }
        return quoted + "\""
    }
}
