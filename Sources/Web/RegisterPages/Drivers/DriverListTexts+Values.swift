import Drivers
import Identity
import Localization
import Markup
import TaxiPages

extension DriverListTexts {
    static let notices: [String: Text] = [
        "removed": DriverListTexts.theDriverIsRemoved
    ]
}

extension DriverFilter {
    /// What the filter is called.
    var label: Text {
        switch self {
        case .all: DriversTexts.allDrivers
        case .awaiting: DriversTexts.waitingToBeVerified
        case .verified: DriversTexts.verified
        case .refused: DriversTexts.notAccepted
        case .suspended: DriversTexts.suspended
        case .expiring: DriversTexts.licenceExpiresSoon
        case .expired: DriversTexts.licenceExpired
        }
    }
}
