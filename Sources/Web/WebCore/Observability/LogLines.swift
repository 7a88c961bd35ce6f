package import Chronology
import Foundation
package import Logging
import Synchronization

/// The levels at which parts of the program log; they change while it runs.
package final class LogLevels: Sendable {
    private struct Levels {
        var standard: Logger.Level
        var parts: [String: Logger.Level]
    }

    private let levels: Mutex<Levels>

    /// Levels for all parts, and others for some.
    package init(_ standard: Logger.Level, parts: [String: Logger.Level]) {
        levels = Mutex(Levels(standard: standard, parts: parts))
    }

    /// Sets the level of a part, or of all that have none of their own.
    package func set(_ level: Logger.Level, for part: String?) {
        levels.withLock {
            if let part { $0.parts[part] = level } else { $0.standard = level }
        }
    }

    /// Sets all levels anew; parts that are not named have none of their own any more.
    package func replace(_ standard: Logger.Level, parts: [String: Logger.Level]) {
        levels.withLock { $0 = Levels(standard: standard, parts: parts) }
    }

    /// The level of parts that have none of their own.
    package var standard: Logger.Level { levels.withLock { $0.standard } }

    /// The level of a part.
    package func level(of part: String) -> Logger.Level {
        levels.withLock { $0.parts[part] ?? $0.standard }
    }

    /// The levels of parts that have one of their own, by name.
    package var parts: [(name: String, level: Logger.Level)] {
        levels.withLock { $0.parts.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 } }
    }

    /// A logger for a part.
    package func logger(_ part: String, clock: @escaping @Sendable () -> Moment) -> Logger {
        Logger(label: part) { LogLines(part: $0, levels: self, now: clock) }
    }
}

/// Writes the log: one line for each message on standard error, `name=value` after `name=value`.
struct LogLines: LogHandler {
    let part: String
    let levels: LogLevels
    let now: @Sendable () -> Moment
    var metadata: Logger.Metadata = [:]
    /// A level for this logger alone, where somebody set one.
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

    /// In quotes where it needs them; a line end in a value must not begin a line of the log.
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
