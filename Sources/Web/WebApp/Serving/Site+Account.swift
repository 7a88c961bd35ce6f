import AccountPages
import Agenda
import Backups
import CalendarPages
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
        _ installation: Installation
    ) -> AccountSlots {
        var slots = AccountSlots()
        let backups = installation.backups
        slots.exported = { [agenda = installation.agenda] in try await agenda.sections(of: $0) }
        slots.notifications = TaxiNotificationKind.choices + CalendarNotificationKind.choices
        slots.notice = { try await passengers.serviceState($0) }
        slots.groups = { context in
            let roles = context.session?.roles ?? []
            let travelling = Group(
                CommonTexts.travelling,
                [
                    Tile(.taxi, Address("/"), CommonTexts.order, CommonTexts.orderTile),
                    Tile(.route, Address("/plan"), CommonTexts.planTrip, CommonTexts.planTile),
                    Tile(
                        .calendar,
                        Address("/calendar"),
                        TabsTexts.calendar,
                        CommonTexts.calendarTile
                    ),
                    Tile(.book, Address("/reservations"), ReserveTexts.list, ReserveTexts.tile),
                    Tile(
                        .history,
                        Address("/account/rides"),
                        CommonTexts.rides,
                        CommonTexts.ridesTile
                    ),
                ]
            )
            let driving = roles.contains(.driver) ? [Self.driving] : []
            return staffGroup(console, context) + driving + [travelling]
        }
        slots.links = { profile in
            let papers = [Tile(.licence, Address("/account/papers"), CommonTexts.papers)]
            return (profile.roles.contains(.driver) ? papers : []) + [
                Tile(.history, Address("/account/rides"), CommonTexts.rides),
                Tile(.book, Address("/reservations"), ReserveTexts.list),
                Tile(.star, Address("/account/places"), CommonTexts.savedPlaces),
                Tile(.shield, Address("/reliability"), CommonTexts.reliability),
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
    private typealias Group = AccountSlots.Group

    private static let driving = Group(
        CommonTexts.driving,
        [
            Tile(.taxi, Address("/drive"), CommonTexts.drive, CommonTexts.driveTile),
            Tile(.licence, Address("/account/papers"), CommonTexts.papers, CommonTexts.papersTile),
        ]
    )

    private static func staffGroup(
        _ console: ConsolePages,
        _ context: RequestContext
    ) -> [Group] {
        guard context.isOfStaff else { return [] }
        let home = Tile(.check, Address("/console"), CommonTexts.console, CommonTexts.consoleTile)
        let sections = console.consoleSections(context).map {
            Tile($0.icon, Address($0.path), $0.title, $0.text)
        }
        return [Group(CommonTexts.city, [home] + sections)]
    }
}
