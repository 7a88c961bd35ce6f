package import Localization
import WebCore

/// Texts that pages of several features have.
extension CommonTexts {
    package static let signIn = LayoutTexts.signIn

    package static let dashboard = LayoutTexts.dashboard

    /// A distance that people read: metres in steps of ten, or kilometres with a decimal.
    package static func distance(_ metres: Int64) -> Text {
        if metres < 995 {
            let rounded = metres < 20 ? max(0, metres) : (metres + 5) / 10 * 10
            return Text(same: "\(rounded) m")
        }
        let tenths = (metres + 50) / 100
        return CommonTexts.km(tenths / 10, tenths % 10)
    }

    /// A time that passes or has passed, in its largest unit.
    package static func duration(seconds: Int64) -> Text {
        let seconds = max(0, seconds)
        if seconds < 100 { return Text(same: "\(seconds) s") }
        if seconds < 5_970 { return Text(same: "\((seconds + 30) / 60) min") }
        return Text(same: "\(seconds / 3_600) h \(seconds % 3_600 / 60) min")
    }
}
