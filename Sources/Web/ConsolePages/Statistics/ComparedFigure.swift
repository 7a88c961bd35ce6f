import Dispatching
import Localization
import Taxi
import TaxiPages
import WebCore

/// A figure of a range of days, and the same figure of the range before.
struct ComparedFigure: Sendable {
    /// What is measured, which decides how it is written.
    enum Kind: Sendable {
        case count
        case seconds
        /// A part of a whole, from 0 to 1.
        case share
        /// A coefficient from 0 to 1.
        case ratio
    }

    /// Which direction is better for people.
    enum Better: Sendable {
        case more
        case less
        case neither
    }

    var label: Text
    var kind: Kind
    var better: Better
    /// The value of the range; nil if there is none.
    var value: Double?
    /// The value of the range before; nil if there is none.
    var before: Double?

    /// How many requests or taxis a share counts, and of how many.
    var part: (count: Int, all: Int)?

    /// All figures of a range, in the order in which they are listed.
    static func all(_ now: Figures, _ before: Figures) -> [ComparedFigure] {
        func figure(
            _ label: Text,
            _ kind: Kind,
            _ better: Better,
            _ value: (Figures) -> Double?
        ) -> ComparedFigure {
            ComparedFigure(
                label: label,
                kind: kind,
                better: better,
                value: value(now),
                // Without a single request there was no service that could be compared.
                before: before.requests == 0 ? nil : value(before)
            )
        }
        func share(
            _ label: Text,
            _ better: Better,
            _ part: (Figures) -> (count: Int, all: Int)
        ) -> ComparedFigure {
            var found = figure(label, .share, better) {
                let (count, all) = part($0)
                return all == 0 ? nil : Double(count) / Double(all)
            }
            found.part = part(now)
            return found
        }
        let rules = OfferRecord.Overtaking.allCases.filter {
            (now.passed[$0] ?? 0) + (before.passed[$0] ?? 0) > 0
        }
        return [
            figure(StatisticsTexts.requests, .count, .neither) { Double($0.requests) },
            share(StatisticsTexts.unserved, .less) { ($0.unserved, $0.requests) },
            figure(StatisticsTexts.medianWait, .seconds, .less) {
                $0.wait(percent: 50).map(Double.init)
            },
            figure(StatisticsTexts.longWait, .seconds, .less) {
                $0.wait(percent: 95).map(Double.init)
            },
            figure(StatisticsTexts.acceptance, .share, .more, \.acceptance),
            share(StatisticsTexts.withinTenMinutes, .more) { ($0.within10, $0.promised) },
            share(StatisticsTexts.withinTwentyMinutes, .more) { ($0.within20, $0.promised) },
            share(StatisticsTexts.served, .more) { ($0.served, $0.requests) },
            share(StatisticsTexts.givenUp, .less) { ($0.givenUp, $0.requests) },
            figure(StatisticsTexts.meanWait, .seconds, .less, \.meanWait),
            figure(StatisticsTexts.meanError, .seconds, .less, \.meanError),
            figure(StatisticsTexts.evenly, .ratio, .less, \.gini),
        ]
            + rules.map { rule in
                figure(StatisticsTexts.passed(rule), .count, .neither) {
                    Double($0.passed[rule] ?? 0)
                }
            }
    }

    /// The number of figures at the beginning of the list that are shown as tiles.
    static let tiles = 6

    /// A value as text; a dash if there is none.
    func text(_ value: Double?) -> Text {
        guard let value else { return Text(same: "–") }
        return switch kind {
        case .count: Text(same: "\(Int(value))")
        case .seconds: StatisticsTexts.minutes(value)
        case .share: StatisticsTexts.percent(value)
        case .ratio: StatisticsTexts.gini(value)
        }
    }

    /// How the value differs from the one before, in words and with a sign.
    var change: StateChip {
        guard let value, let before else {
            return StateChip(StatisticsTexts.noComparison, icon: .minus, tone: .quiet)
        }
        let difference = rounded(value - before)
        guard difference != 0 else {
            return StateChip(StatisticsTexts.unchanged, icon: .check, tone: .quiet)
        }
        let isMore = difference > 0
        let tone: Tone =
            better == .neither ? .plain : (better == .more) == isMore ? .good : .bad
        return StateChip(words(difference, before), icon: isMore ? .up : .down, tone: tone)
    }

    /// A difference at the precision at which it is shown: counts, tenths of a minute, percent
    /// points, hundredths.
    private func rounded(_ difference: Double) -> Int64 {
        let unit: Double =
            switch kind {
            case .count: 1
            case .seconds: 1.0 / 6
            case .share, .ratio: 100
            }
        return Int64((difference * unit).rounded())
    }

    private func words(_ difference: Int64, _ before: Double) -> Text {
        let isMore = difference > 0
        let sign = isMore ? "+" : "−"
        let size = difference.magnitude
        switch kind {
        case .count:
            let percent = before == 0 ? nil : Int64((Double(size) / before * 100).rounded())
            let amount = Text(same: percent.map { "\(sign)\($0)%" } ?? "\(sign)\(size)")
            return isMore ? StatisticsTexts.more(amount) : StatisticsTexts.fewer(amount)
        case .seconds:
            let amount = StatisticsTexts.min(sign, size / 10, size % 10)
            return isMore ? StatisticsTexts.longer(amount) : StatisticsTexts.shorter(amount)
        case .share:
            let amount = "\(sign)\(size)"
            return isMore ? StatisticsTexts.higher(amount) : StatisticsTexts.lower(amount)
        case .ratio:
            let amount = StatisticsTexts.gini(Double(size) / 100)
            let signed = Text(joining: [Text(same: sign), amount])
            return isMore ? StatisticsTexts.lessEven(signed) : StatisticsTexts.moreEven(signed)
        }
    }
}

extension Figures {
    /// A count as a share of the taxis with a promised time, from 0 to 1; nil if there were none.
    func kept(_ count: Int) -> Double? {
        promised == 0 ? nil : Double(count) / Double(promised)
    }
}
