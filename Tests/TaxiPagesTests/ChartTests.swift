import Chronology
import HTTPTypes
import Localization
import Logging
import Markup
import Testing

@testable import WebCore

@Suite("Charts")
struct ChartTests {
    /// The markup of a line of values.
    private func chart(_ values: [Double?], upTo most: Double? = nil) -> String {
        var context = RequestContext(
            method: .get,
            path: "/",
            query: Form(),
            host: "",
            headers: [:],
            address: "",
            now: Moment(milliseconds: 0),
            logger: Logger(label: "test")
        )
        context.language = .english
        return Chart(
            Text(same: "Waits"),
            unit: Text(same: "min"),
            names: values.indices.map { "\($0)" },
            upTo: most,
            [Chart.Series(Text(same: "Median"), .before, values)]
        ).html(context).text
    }

    @Test("without values there is no axis, and a gap is no zero")
    func gaps() {
        for nothing in [chart([nil, nil]), chart([nil, nil], upTo: 100), chart([0, 0])] {
            #expect(nothing.contains("No data for these days") && !nothing.contains("<svg"))
        }
        let line = chart([1, nil, 2, 3]).firstMatch(of: /class="before" d="([^"]*)"/)?.1
        #expect(line?.filter { $0 == "M" }.count == 2)
        #expect(line?.filter { $0 == "L" }.count == 1)
    }

    @Test("a share is drawn on an axis up to 100 %, however small it is")
    func shares() {
        #expect(chart([0, 50], upTo: 100).contains(">100</text>"))
        #expect(chart([0, 0], upTo: 100).contains(">100</text>"))
        #expect(!chart([0, 50]).contains(">100</text>"))
    }
}
