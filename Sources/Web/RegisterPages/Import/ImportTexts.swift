package import Identity
package import Localization
import TaxiPages
import WebCore

extension ImportTexts {
    static func found(_ report: ImportOutcome) -> Text {
        let wrong = report.rejected.count
        return ImportTexts.checkedLines(report.good, wrong)
    }
}

extension BadTable {
    /// Why the table cannot be read.
    package var text: Text {
        switch self {
        case .tooLarge(let most):
            ImportingTexts.fileTooLarge(most >> 20)
        case .tooManyRows(let most):
            ImportingTexts.thereAreMoreThanLines(most)
        case .noColumns:
            ImportingTexts.theFirstLineMustName
        case .missingColumns(let names):
            ImportingTexts.theseColumnsAreMissing(Self.list(names))
        case .unknownColumns(let names):
            ImportingTexts.unknownColumns(Self.list(names))
        }
    }

    /// Names from a file, which may be of any length.
    private static func list(_ names: [String]) -> String {
        names.prefix(10).map { String($0.prefix(40)) }.joined(separator: ", ")
    }
}
