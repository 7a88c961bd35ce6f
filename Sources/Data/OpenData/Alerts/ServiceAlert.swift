package import Chronology

/// What a transit agency tells riders about a part of its service (GTFS Realtime `Alert`).
package struct ServiceAlert: Hashable, Sendable {
    /// The identifier of the entity in its feed.
    package let id: String
    /// When it is shown and holds; empty for as long as it is in the feed.
    package let periods: [SharingSystem.Span]
    /// The parts of the service that it is about; empty for all of it.
    package let entities: [Entity]
    /// The cause; ``Cause/unknown`` if the feed does not state it.
    package let cause: Cause
    /// What becomes of the service.
    package let effect: Effect
    /// The severity; ``Severity/unknown`` if the feed does not state it.
    package let severity: Severity
    /// What to read first.
    package let header: LocalizedText
    /// The full description, by language (`description_text`).
    package let details: LocalizedText
    /// The address of a page with more, by language.
    package let url: LocalizedText

    /// A part of the service: everything that all stated members select.
    package struct Entity: Hashable, Sendable {
        /// The `agency_id`; nil for any agency.
        package var agencyID: String?
        /// The `route_id`; nil for any route.
        package var routeID: String?
        /// The mode of routes, by the numbers of GTFS.
        package var routeType: Int32?
        /// The `trip_id`; nil for any trip.
        package var tripID: String?
        /// The day of the trip, as `20261010`.
        package var tripDate: String?
        /// The `stop_id`; nil for any stop.
        package var stopID: String?
        /// The direction of a route, 0 or 1.
        package var direction: UInt32?
    }

    /// The causes, by the numbers of the format.
    package enum Cause: UInt64, Hashable, Sendable {
        /// The feed does not say why.
        case unknown = 1
        /// A cause that the format has no number for.
        case other
        /// A technical problem.
        case technicalProblem
        /// The staff is on strike.
        case strike
        /// People demonstrate in the streets.
        case demonstration
        /// An accident has happened.
        case accident
        /// It is a public holiday.
        case holiday
        /// The weather, such as snow or a storm.
        case weather
        /// Tracks, stops or vehicles are maintained.
        case maintenance
        /// Something is being built.
        case construction
        /// The police is at work.
        case police
        /// A medical emergency.
        case medicalEmergency
    }

    /// The effects, by the numbers of the format.
    package enum Effect: UInt64, Hashable, Sendable {
        /// Nothing runs at all.
        case noService = 1
        /// Fewer trips run than the timetable says.
        case reducedService
        /// Delays that matter.
        case significantDelays
        /// Vehicles take another way and may pass stops by.
        case detour
        /// More trips run than the timetable says.
        case additionalService
        /// Another timetable.
        case modifiedService
        /// An effect that the format has no number for.
        case other
        /// The feed does not say what.
        case unknown
        /// A stop has moved.
        case stopMoved
        /// The service runs as usual.
        case none
        /// Not accessible, such as a lift that is out of order.
        case accessibilityIssue
    }

    /// How bad an alert is, by the numbers of the format.
    package enum Severity: UInt64, Hashable, Sendable {
        /// The feed does not say.
        case unknown = 1
        /// Riders need not do anything about it.
        case info
        /// Riders should take it into account.
        case warning
        /// Journeys are likely to fail.
        case severe
    }

    /// Whether it holds at a moment.
    package func isActive(_ moment: Instant) -> Bool {
        periods.isEmpty || periods.contains { $0.contains(moment) }
    }
}
