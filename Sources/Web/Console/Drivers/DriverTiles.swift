import Accounts
import Markup
import Words

extension Site {
    /// What this person may do about drivers and people, for the dashboard.
    func driverTiles(_ visit: Visit) -> [(Icon, Address, Text, Text)] {
        let roles = visit.session?.roles ?? []
        var tiles: [(Icon, Address, Text, Text)] = []
        if roles.contains(.driver) {
            tiles.append((.taxi, Address("/account/papers"), PaperWords.title, PaperWords.tile))
        }
        if roles.contains(.serviceOperator) || roles.contains(.administrator) {
            tiles.append(
                (.taxi, Address("/console/drivers"), DriverListWords.title, DriverListWords.tile)
            )
        }
        if roles.contains(.administrator) {
            tiles += [
                (.person, Address("/console/people"), PeopleWords.title, PeopleWords.tile),
                (.list, Address("/console/audit"), AuditWords.title, AuditWords.tile),
                (.list, Address("/console/import"), ImportWords.title, ImportWords.tile),
            ]
        }
        return tiles
    }
}
