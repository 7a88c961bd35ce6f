import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

extension DriverPages {
    /// The notices from operators on the driver's page.
    func operatorNotices(_ visit: Visit, _ seat: Seat) async throws -> HTML? {
        let notices = try await taxi.notices(for: seat.number, in: seat.view.zone, at: visit.now)
        guard !notices.isEmpty else { return nil }
        let items = notices.map { notice -> HTML in
            """
            <p>\(clock(notice.made)) \(notice.html(in: visit.language)) \
            (\(visit.say(CommonTexts.until)) \(time(notice.until, visit)))</p>
            """
        }
        return """
            <div class="notice warn" role="status">\
            <h2>\(visit.say(DriveTexts.fromOperator))</h2>\(items)</div>
            """
    }
}
