import Fares
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

extension DriverPages {
    /// The drop-off stops of a shared ride, in order, each with a link to directions (R87); nil
    /// where one party rides alone.
    func stopList(
        _ shown: RideShown,
        isGuided: Bool,
        _ context: RequestContext
    ) async throws -> HTML? {
        guard !shown.stops.isEmpty else { return nil }
        var items: [HTML] = []
        for stop in shown.stops {
            let link = try await navigationLink(stop, isGuided: isGuided, context)
            items.append("<li>\(shortPlace(stop.words))\(link)</li>")
        }
        return """
            <h2>\(context.say(CommonTexts.stops))</h2>
            <ol>\(items)</ol>
            """
    }
}
