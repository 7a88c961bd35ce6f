package import Identity
package import Localization
package import Markup
package import TaxiPages
package import WebCore

/// Content that other features add to the account pages.
package struct AccountSlots: Sendable {
    /// A row that leads to a feature.
    package struct Tile: Sendable {
        /// The icon beside the title.
        package var icon: Icon
        /// The address of the feature's first page.
        package var address: Address
        /// The name of the feature.
        package var title: Text
        /// A short description of the feature; nil if its name says enough.
        package var text: Text?

        package init(_ icon: Icon, _ address: Address, _ title: Text, _ text: Text? = nil) {
            self.icon = icon
            self.address = address
            self.title = title
            self.text = text
        }

        func row(_ context: RequestContext) -> Row {
            Row(
                icon,
                "\(context.say(title))",
                detail: text.map { "\(context.say($0))" },
                address: address
            )
        }
    }

    /// Rows of the dashboard with their heading.
    package struct Group: Sendable {
        /// Who does what these rows lead to, such as a passenger.
        package var title: Text
        /// The rows, in the order in which they are shown.
        package var tiles: [Tile]

        package init(_ title: Text, _ tiles: [Tile]) {
            self.title = title
            self.tiles = tiles
        }
    }

    /// A notice above the dashboard's rows.
    package var notice: @Sendable (RequestContext) async throws -> HTML? = { _ in nil }
    /// The rows of the dashboard, what the person does most first.
    package var groups: @Sendable (RequestContext) -> [Group] = { _ in [] }
    /// What travels with the person, on the account page: rides, places, documents.
    package var links: @Sendable (Profile) -> [Tile] = { _ in [] }
    /// The kinds of messages of the products whose channels people choose.
    package var notifications: [NotificationChoice] = []
    /// Sections that other features add to an export of a person's data.
    package var exported: @Sendable (PersonNumber) async throws -> [ExportSection] = { _ in [] }
    /// Called after an account is deleted, so that other features delete their
    /// data about the person.
    package var deleted: @Sendable (RequestContext) async -> Void = { _ in }

    /// Creates slots that add nothing.
    package init() {}
}
