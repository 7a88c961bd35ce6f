/// What a kind of appointment asks of the journey to it, kept for further ones (V36).
///
/// An entry that is made with a template takes over what it says, and keeps its name: when the
/// template changes, its owner decides whether such entries change too.
package struct EntryTemplate: Sendable, Hashable, Codable {
    /// The longest name, in characters.
    package static let nameLimit = 40
    /// How many templates a person may have.
    package static let countLimit = 30

    /// What it is called, such as "work".
    package var name: String
    /// The means of travel that may be used; nil for those of the person's settings.
    package var means: Set<TravelMeans>?
    /// How many minutes before the start to arrive.
    package var leadMinutes: Int64 = 0
    /// What kind of entries these are.
    package var category = EntryCategory.other
    /// Whether they belong to the person's work; nil if the person does not say.
    package var isWork: Bool?

    /// A template that asks for nothing.
    package init(_ name: String) { self.name = name }
}

extension EntryCategory: Codable {}

extension EntryDetails {
    /// Takes over what a template says.
    package mutating func take(_ template: EntryTemplate) {
        self.template = template.name
        means = template.means
        leadMinutes = template.leadMinutes
        category = template.category
        isWork = template.isWork
    }
}
