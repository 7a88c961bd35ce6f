package import Identity
package import Localization
package import Markup
import TaxiPages
package import WebCore

/// What other features add to the pages of an account.
package struct AccountSlots: Sendable {
    /// A function that the dashboard leads to.
    package struct Tile: Sendable {
        /// The picture beside the title.
        package var icon: Icon
        /// The function's first page.
        package var address: Address
        /// What the function is called.
        package var title: Text
        /// What can be done there.
        package var text: Text

        /// A tile.
        package init(_ icon: Icon, _ address: Address, _ title: Text, _ text: Text) {
            self.icon = icon
            self.address = address
            self.title = title
            self.text = text
        }
    }

    /// What the dashboard says above its tiles.
    package var notice: @Sendable (Visit) async throws -> HTML? = { _ in nil }
    /// The first tiles of the dashboard.
    package var firstTiles: @Sendable (Visit) -> [Tile] = { _ in [] }
    /// The last tiles of the dashboard.
    package var lastTiles: @Sendable (Visit) -> [Tile] = { _ in [] }
    /// The first links of the account's page.
    package var links: @Sendable (Profile) -> [(Address, Text)] = { _ in [] }
    /// Called after an account was deleted: what other features keep of the person goes too.
    package var deleted: @Sendable (Visit) async -> Void = { _ in }

    /// Slots that add nothing.
    package init() {}
}
