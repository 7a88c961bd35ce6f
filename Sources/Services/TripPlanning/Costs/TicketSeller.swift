import Columns
package import Journeys
import Transit

/// An agency on whose page tickets of a trip are bought (V81).
package struct TicketSeller: Sendable, Equatable {
    /// The name of the agency.
    package var name: String
    /// The page; nil if the feed names none that a browser may open.
    package var page: String?
    /// Whether the page is the one for tickets, rather than the agency's first page.
    package var sellsThere: Bool

    /// The agencies of the rides of a trip, in the order of travel, each once.
    package static func all(of option: TripOption, in city: City) -> [TicketSeller] {
        let timetable = city.timetable
        // Files of earlier versions have no such column.
        let farePages: Column<UInt32> = city.file.column("transit.agency.fareurl")
        var sellers: [TicketSeller] = []
        for ride in option.steps.compactMap(\.ride) {
            let agency = timetable.routes.agency[ride.route]
            guard agency.row < timetable.agencies.count else { continue }
            let farePage =
                agency.row < farePages.count
                ? WebPage.address(timetable.texts[Int(farePages[agency.row])]) : nil
            let seller = TicketSeller(
                name: timetable.texts[Int(timetable.agencies.name[agency])],
                page: farePage
                    ?? WebPage.address(timetable.texts[Int(timetable.agencies.url[agency])]),
                sellsThere: farePage != nil
            )
            if !sellers.contains(seller) { sellers.append(seller) }
        }
        return sellers
    }
}
