import AccountPages
import Backups
import ConsolePages
import Dispatching
import Identity
import Localization
import Logging
import Markup
import PassengerPages
import TaxiPages
import WebCore

extension Site {
    /// The content that the city's features add to account pages.
    static func accountSlots(
        _ environment: TaxiEnvironment,
        _ passengers: PassengerPages,
        _ console: ConsolePages,
        _ backups: Backups
    ) -> AccountSlots {
        var slots = AccountSlots()
        slots.notice = { try await passengers.serviceState($0) }
        slots.firstTiles = { context in
            staffTiles(console, context) + [
                Tile(.book, Address("/reservations"), ReserveTexts.list, ReserveTexts.tile),
                Tile(.taxi, Address("/account/rides"), CommonTexts.rides, CommonTexts.ridesTile),
            ]
        }
        slots.lastTiles = { context in
            guard context.session?.roles.contains(.driver) == true else { return [] }
            return [
                Tile(.taxi, Address("/drive"), CommonTexts.drive, CommonTexts.driveTile),
                Tile(
                    .lines,
                    Address("/account/papers"),
                    CommonTexts.papers,
                    CommonTexts.papersTile
                ),
            ]
        }
        slots.links = { profile in
            let papers: [(Address, Text)] =
                profile.roles.contains(.driver)
                ? [(Address("/account/papers"), CommonTexts.papers)] : []
            return papers + [
                (Address("/account/rides"), CommonTexts.rides),
                (Address("/reservations"), ReserveTexts.list),
                (Address("/account/places"), CommonTexts.savedPlaces),
                (Address("/reliability"), CommonTexts.reliability),
            ]
        }
        slots.deleted = { context in
            await environment.tellDispatcher(context)
            do {
                try await backups.rememberErasures()
            } catch {
                // The account is deleted regardless; the next cleanup run tries again.
                context.logger.error(
                    "the list of the erased beside the backups is not up to date",
                    metadata: ["error": "\(error)"]
                )
            }
        }
        return slots
    }

    private typealias Tile = AccountSlots.Tile

    private static func staffTiles(_ console: ConsolePages, _ context: RequestContext) -> [Tile] {
        guard context.isOfStaff else { return [] }
        return [Tile(.check, Address("/console"), CommonTexts.console, CommonTexts.consoleTile)]
            + console.consoleSections(context).map {
                Tile($0.icon, Address($0.path), $0.title, $0.text)
            }
    }
}
