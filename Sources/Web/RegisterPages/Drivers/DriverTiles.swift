import Identity
import Localization
import Markup
import TaxiPages
import WebCore

extension RegisterPages {
    /// What this person may do about drivers and people, for the dashboard.
    func driverTiles(_ visit: Visit) -> [(Icon, Address, Text, Text)] {
        let roles = visit.session?.roles ?? []
        var tiles: [(Icon, Address, Text, Text)] = []
        if roles.contains(.driver) {
            tiles.append((.taxi, Address("/drive"), DriveWords.title, DriveWords.tile))
            tiles.append((.lines, Address("/account/papers"), PaperWords.title, PaperWords.tile))
        }
        return tiles
    }
}
