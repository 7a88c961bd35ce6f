import Localization
import Taxi
import TaxiPages

/// The words of the page of statistics.
extension StatisticsTexts {
    static func gini(_ value: Double) -> Text {
        let parts = decimal(value, ".").split(separator: ".").map(String.init)
        return StatisticsTexts.number(parts[0], parts[1])
    }

    /// A number from 0 to 1 with some digits after the mark.
    static func decimal(_ value: Double, _ mark: String, digits: Int = 2) -> String {
        let unit = (0..<digits).reduce(1) { power, _ in power * 10 }
        let rounded = Int((value * Double(unit)).rounded())
        let rest = "\(rounded % unit)"
        let zeros = String(repeating: "0", count: digits - rest.count)
        return "\(rounded / unit)\(mark)\(zeros)\(rest)"
    }

    static func passed(_ rule: OfferRecord.Overtaking) -> Text {
        switch rule {
        case .tooSmall:
            StatisticsTexts.passedOverTaxiTooSmall
        case .askedBefore:
            StatisticsTexts.passedOverAskedBefore
        case .cameLater:
            StatisticsTexts.passedOverCameLater
        case .assigned:
            StatisticsTexts.passedOverAnOperatorChose
        case .noRule:
            StatisticsTexts.passedOverWithoutARule
        }
    }

    /// Seconds as minutes with a decimal.
    static func minutes(_ seconds: Double) -> Text {
        let tenths = Int64((abs(seconds) / 6).rounded())
        let sign = seconds < 0 && tenths > 0 ? "-" : ""
        return StatisticsTexts.min(sign, tenths / 10, tenths % 10)
    }

    static func percent(_ share: Double) -> Text {
        Text(same: "\(Int((share * 100).rounded()))%")
    }

    static func share(_ count: Int, of all: Int) -> Text {
        guard all > 0 else { return StatisticsTexts.nonePromised }
        let percent = percent(Double(count) / Double(all))
        return Text(joining: [Text(same: "\(count) ("), percent, Text(same: ")")])
    }
}
