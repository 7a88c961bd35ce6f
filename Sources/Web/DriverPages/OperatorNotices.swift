import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

extension DriverPages {
    /// The notices from operators on the driver's page.
    func operatorNotices(_ context: RequestContext, _ driver: WorkingDriver) async throws -> HTML? {
        let notices = try await taxi.notices(
            for: driver.number,
            in: driver.view.zone,
            at: context.now
        )
        guard !notices.isEmpty else { return nil }
        let items = notices.map { notice -> HTML in
            """
            <p>\(clock(notice.made)) \(notice.html(in: context.language)) \
            (\(context.say(CommonTexts.until)) \(time(notice.until, context)))</p>
            """
        }
        return """
            <div class="notice warn" role="status">\
            <h2>\(context.say(DriveTexts.fromOperator))</h2>\(items)</div>
            """
    }
}
