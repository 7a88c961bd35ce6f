import Dispatching
import Localization
import Taxi
import TaxiPages

/// The words of the driver's home.
extension HomePageTexts {
    static func outOfContact(_ time: String?) -> Text {
        let kept =
            time.map { time in
                HomePageTexts.yourPlaceIsKeptUntil(time)
            } ?? Text(same: "")
        return HomePageTexts.noUsablePosition(kept)
    }
    static func rides(_ count: Int, _ sum: String?) -> Text {
        let money = sum.map { ", \($0)" } ?? ""
        return HomePageTexts.rideCount(count, money)
    }

    /// What a driver did just now, by the name in the address.
    static let notices: [String: Text] = [
        "available": HomePageTexts.nowAvailable,
        "unavailable": HomePageTexts.nowUnavailable,
        "placed": HomePageTexts.positionNoted,
        "refused": HomePageTexts.rideDeclined,
        "finished": HomePageTexts.theRideHasEnded,
        "given-back": HomePageTexts.rideGivenBack,
        "dropped": HomePageTexts.noShowReported,
        "saved": HomePageTexts.saved,
    ]
}
