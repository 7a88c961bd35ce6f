package import CoreMetrics
import Synchronization

/// Collects the metrics that Prometheus scrapes.
///
/// Labels come from closed sets (routes, status codes), so memory use is bounded.
package final class Measurements: MetricsFactory {
    struct Key: Hashable {
        var name: String
        var labels: [Label]
    }

    struct Label: Hashable {
        var name: String
        var value: String
    }

    enum Series {
        case count(Count)
        case level(Level)
        case spread(Spread)
    }

    private let series = Mutex<[Key: Series]>([:])

    /// Creates a collection without any metrics.
    package init() {}

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        let made = find(label, dimensions) { .count(Count()) }
        if case .count(let count) = made { return count }
        return Count()
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        let made = find(label, dimensions) { .level(Level()) }
        if case .level(let level) = made { return level }
        return Level()
    }

    package func makeRecorder(
        label: String,
        dimensions: [(String, String)],
        aggregate: Bool
    ) -> any RecorderHandler {
        if !aggregate, case .level(let level) = find(label, dimensions, { .level(Level()) }) {
            return level
        }
        if case .spread(let spread) = find(label, dimensions, { .spread(Spread()) }) {
            return spread
        }
        return Spread()
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        let made = find(label, dimensions) { .spread(Spread()) }
        if case .spread(let spread) = made { return spread }
        return Spread()
    }

    package func destroyCounter(_ handler: any CounterHandler) {}
    package func destroyMeter(_ handler: any MeterHandler) {}
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    package func destroyTimer(_ handler: any TimerHandler) {}

    private func find(
        _ name: String,
        _ labels: [(String, String)],
        _ make: () -> Series
    ) -> Series {
        let key = Key(name: name, labels: labels.map { Label(name: $0, value: $1) })
        return series.withLock { series in
            if let found = series[key] { return found }
            let made = make()
            series[key] = made
            return made
        }
    }

    /// The histograms with a name, one for each combination of labels.
    func spreads(named name: String) -> [Spread] {
        series.withLock { $0 }.compactMap { key, series in
            guard key.name == name, case .spread(let spread) = series else { return nil }
            return spread
        }
    }

    /// All metrics in Prometheus text format (version 0.0.4), sorted by name.
    package var text: String {
        let all = series.withLock { $0 }
        var text = ""
        let names = Dictionary(grouping: all) { $0.key.name }
        for (name, members) in names.sorted(by: { $0.key < $1.key }) {
            let written = Self.name(name)
            let lines = members.sorted { Self.labels($0.key) < Self.labels($1.key) }
                .map { $0.value.lines(written, Self.labels($0.key)) }
            text += "# TYPE \(written) \(members.first?.value.kind ?? "untyped")\n"
            text += lines.joined()
        }
        return text
    }

    private static func name(_ name: String) -> String {
        String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    }

    private static func labels(_ key: Key) -> String {
        key.labels.map { label in
            let value = label.value.map { character in
                switch character {
                case "\\": "\\\\"
                case "\"": "\\\""
                case "\n": "\\n"
                default: String(character)
                }
            }.joined()
            return "\(name(label.name))=\"\(value)\""
        }.joined(separator: ",")
    }
}

extension Measurements.Series {
    /// The metric type in Prometheus text format.
    var kind: String {
        switch self {
        case .count: "counter"
        case .level: "gauge"
        case .spread: "histogram"
        }
    }

    func lines(_ name: String, _ labels: String) -> String {
        let braces = labels.isEmpty ? "" : "{\(labels)}"
        switch self {
        case .count(let count): return "\(name)\(braces) \(count.value)\n"
        case .level(let level): return "\(name)\(braces) \(level.value)\n"
        case .spread(let spread): return spread.lines(name, labels)
        }
    }
}
