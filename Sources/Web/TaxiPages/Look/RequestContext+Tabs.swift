import Identity
import Localization
package import Markup
package import WebCore

extension RequestContext {
    /// The tabs of the person, by role; none for visitors, whose header has the sign-in link.
    package var tabs: [Tab] {
        guard let session, session.person != nil else { return [] }
        let places =
            isOfStaff
            ? staffPlaces : session.roles.contains(.driver) ? driverPlaces : passengerPlaces
        // The current tab is the one whose pages contain this page most closely.
        let current = places.indices.max {
            places[$0].closeness(to: path) < places[$1].closeness(to: path)
        }
        return places.enumerated().map { index, place in
            Tab(
                place.icon,
                place.label,
                place.address,
                isCurrent: index == current && place.closeness(to: path) > 0
            )
        }
    }

    /// The views of the tab of trips: the planner and the rides taken.
    ///
    /// - Parameter isPlanner: whether the planner is shown.
    /// - Returns: nil for people who have no such tab.
    package func tripViews(isPlanner: Bool) -> HTML? {
        guard let session, session.person != nil, !isOfStaff, !session.roles.contains(.driver)
        else { return nil }
        return Segments(
            label: TabsTexts.trips,
            [
                (TabsTexts.planner, Address("/plan"), isPlanner),
                (TabsTexts.rides, Address("/account/rides"), !isPlanner),
            ]
        ).html(self)
    }

    private var passengerPlaces: [TabPlace] {
        [
            TabPlace(.taxi, TabsTexts.taxi, "/", ["/taxi", "/ride", "/reservations"]),
            TabPlace(
                .route,
                TabsTexts.trips,
                "/plan",
                ["/account/rides", "/receipt", "/stops", "/lines", "/reach"]
            ),
            TabPlace(.calendar, TabsTexts.calendar, "/calendar", []),
            TabPlace(.person, TabsTexts.account, "/account", ["/dashboard"]),
        ]
    }

    private var driverPlaces: [TabPlace] {
        var rides = TabPlace(.history, TabsTexts.rides, "/account/rides", [])
        rides.address = Address("/account/rides", query: ["as": "driver"])
        return [
            TabPlace(.taxi, TabsTexts.drive, "/drive", []), rides,
            TabPlace(.person, TabsTexts.account, "/account", ["/dashboard"]),
        ]
    }

    private var staffPlaces: [TabPlace] {
        [
            TabPlace(.map, TabsTexts.live, "/console/operations", []),
            TabPlace(.taxi, TabsTexts.drivers, "/console/drivers", ["/console/driver"]),
            TabPlace(.chart, TabsTexts.statistics, "/console/statistics", []),
            isOfAdministration
                ? TabPlace(.area, TabsTexts.zones, "/console/zones", [])
                : TabPlace(.star, TabsTexts.feedback, "/console/feedback", []),
            TabPlace(.list, TabsTexts.all, "/console", ["/dashboard"]),
        ]
    }
}

/// A tab and the pages that belong to it.
private struct TabPlace {
    let icon: Icon
    let label: Text
    var address: Address
    let starts: [String]

    init(_ icon: Icon, _ label: Text, _ start: StaticString, _ others: [String]) {
        self.icon = icon
        self.label = label
        address = Address(start)
        starts = [start.description] + others
    }

    /// The length of the start that a page has in common with this place; 0 if it is elsewhere.
    func closeness(to path: String) -> Int {
        starts.filter { path == $0 || path.hasPrefix($0 + "/") }.map(\.utf8.count).max() ?? 0
    }
}
