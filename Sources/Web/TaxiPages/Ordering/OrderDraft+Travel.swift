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
            case bikeshare
            case scooter
            case car
            case carshare
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
        /// The limit on walking, in metres; nil for none.
        package var walkMetres: UInt32?
        /// The limit on transfers; nil for none.
        package var changes: Int?
        /// The mode that is not used in some hours; nil for none.
        package var avoided: String?
        /// When these hours begin, as entered; empty for the whole day.
        package var avoidedFrom: String?
        /// When they end, as entered.
        package var avoidedTo: String?
        /// Whether nobody cycles in the rain; nil until it was sent.
        package var avoidsRain: Bool?
        /// The most minutes in the rain; nil for any.
        package var wetMinutes: Int64?
        /// The minutes of travel in the form for a reachable area; nil for the default.
        package var minutes: Int32?
        /// Whether to walk only in the form for a reachable area; nil until it was sent.
        package var onlyWalks: Bool?

        /// The number of people who travel together; nil for one.
        package var party: Int?
        /// The passes of one of them; nil for none.
        package var passes: [Pass]?
        /// What counts most: a `TripPreference`; nil for nothing in particular.
        package var preference: String?
        /// The most that the trip may cost, in minor units of the city's currency; nil for any.
        package var moneyUnits: Int64?
        /// The most that the trip may emit, in grams; nil for any.
        package var grams: Int64?
        /// What to give up first if no trip keeps to all limits: a `TripConstraint`, or `none`; nil
        /// for the usual order.
        package var relaxed: String?

        /// The limits on single means, as `ModeLimit` writes them; nil for none.
        package var modeLimits: [String]?

        /// A pass that a traveller owns.
        package struct Pass: Codable, Hashable, Sendable {
            /// The identifier of the fare product.
            package var id: String
            /// The last day on which it is valid, in days since 1970; nil if it is unknown.
            package var lastDay: Int32?

            /// A pass with its last day.
            package init(_ id: String, lastDay: Int32? = nil) {
                self.id = id
                self.lastDay = lastDay
            }
        }

        /// Creates a question about leaving now, by any means.
        package init() {}
    }
}
