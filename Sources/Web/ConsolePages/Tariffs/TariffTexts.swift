import Chronology
import Fares
import Localization
import TaxiPages

extension TariffFailure {
    /// What is wrong with a tariff file, and on which line.
    var text: Text {
        switch self {
        case .badValue(let key, let value, let allowed, let line):
            FileFaultTexts.badValue(FileFaultTexts.line(line), key, value, Self.allowed(allowed))
        case .unknownKey(let key, let line): FileFaultTexts.unknownKey(line, key)
        case .repeatedKey(let key, let line): FileFaultTexts.repeatedKey(line, key)
        case .badLine(let text, let line): FileFaultTexts.badLine(line, text)
        case .missingKey(let key, let line): FileFaultTexts.missingKey(line, key)
        case .unknownPlace(let place, let key, let line):
            FileFaultTexts.unknownPlace(line, key, place)
        case .repeatedDate(let date, let line):
            FileFaultTexts.repeatedDate(Self.place(line), date.iso8601)
        case .otherCurrency(let code, let line):
            FileFaultTexts.otherCurrency(Self.place(line), code)
        case .empty: FileFaultTexts.empty
        }
    }

    private static func place<Line: BinaryInteger>(_ line: Line?) -> Text {
        line.map { FileFaultTexts.line($0) } ?? Text(same: "")
    }

    /// What a key takes: the English of the reader, with the parts that are texts of the catalogue.
    private static func allowed(_ english: String) -> Text {
        for phrase in phrases {
            if let found = english.firstRange(of: phrase.in(.english)) {
                return Text(joining: [
                    allowed(String(english[..<found.lowerBound])), phrase,
                    allowed(String(english[found.upperBound...])),
                ])
            }
        }
        return Text(same: english)
    }

    /// What the reader of tariff files says of values, part by part; longer parts come first.
    private static let phrases = [
        FileFaultTexts.dates, FileFaultTexts.corners, FileFaultTexts.code,
        FileFaultTexts.otherTime, FileFaultTexts.time, FileFaultTexts.date, FileFaultTexts.speed,
        FileFaultTexts.decimals, FileFaultTexts.positive, FileFaultTexts.amount,
        FileFaultTexts.decimalsText, FileFaultTexts.wholeAmount, FileFaultTexts.trueOrFalse,
        FileFaultTexts.rounding, FileFaultTexts.repeating, FileFaultTexts.area,
    ]
}
