package import Identity
package import Localization
package import Markup
import TaxiPages
package import WebCore

/// Content that other features add to the account pages.
package struct AccountSlots: Sendable {
    /// A dashboard tile that leads to a feature.
    package struct Tile: Sendable {
        /// The icon beside the title.
        package var icon: Icon
        /// The address of the feature's first page.
        package var address: Address
        /// The name of the feature.
        package var title: Text
        /// A short description of the feature.
        package var text: Text

        /// Creates a dashboard tile.
        package init(_ icon: Icon, _ address: Address, _ title: Text, _ text: Text) {
            self.icon = icon
            self.address = address
            self.title = title
            self.text = text
        }
    }

    /// A notice above the dashboard tiles.
    package var notice: @Sendable (RequestContext) async throws -> HTML? = { _ in nil }
    /// Tiles at the start of the dashboard.
    package var firstTiles: @Sendable (RequestContext) -> [Tile] = { _ in [] }
    /// Tiles at the end of the dashboard.
    package var lastTiles: @Sendable (RequestContext) -> [Tile] = { _ in [] }
    /// Links at the top of the account page.
    package var links: @Sendable (Profile) -> [(Address, Text)] = { _ in [] }
    /// Called after an account is deleted, so that other features delete their
    /// data about the person.
    package var deleted: @Sendable (RequestContext) async -> Void = { _ in }

    /// Creates slots that add nothing.
    package init() {}
}
