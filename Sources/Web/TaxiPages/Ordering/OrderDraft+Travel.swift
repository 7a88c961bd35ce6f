extension OrderDraft {
    /// What somebody asks the trip planner, beside the two ends.
    package struct Travel: Codable, Hashable, Sendable {
        /// What the date and the time are for.
        package enum When: String, CaseIterable, Codable, Sendable {
            case now
            case leave
            case arrive
        }

        /// A means of travel that people may leave out.
        package enum Means: String, CaseIterable, Codable, Sendable {
            case transit
            case walk
            case bicycle
            case car
            case taxi
        }

        /// What the date and the time are for.
        package var when = When.now
        /// The date as entered.
        package var day = ""
        /// The time as entered.
        package var time = ""
        /// The means to choose from.
        package var means = Set(Means.allCases)
        /// How many metres to walk at the most; nil without a limit.
        package var walkMetres: UInt32?
        /// How many times to change at the most; nil without a limit.
        package var changes: Int?
        /// How many minutes to travel, where it is asked how far one gets; nil for the usual.
        package var minutes: Int32?
        /// Whether to walk only, where it is asked how far one gets; nil until it was asked.
        package var onlyWalks: Bool?

        /// Creates a question about leaving now, by any means.
        package init() {}
    }
}
