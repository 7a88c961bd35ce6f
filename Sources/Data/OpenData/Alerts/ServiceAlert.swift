package import Chronology

/// What a transit agency tells riders about a part of its service (GTFS Realtime `Alert`).
package struct ServiceAlert: Hashable, Sendable {
    /// The identifier of the entity in its feed.
    package let id: String
    /// When it is shown and holds; empty for as long as it is in the feed.
    package let periods: [SharingSystem.Span]
    /// The parts of the service that it is about; empty for all of it.
    package let entities: [Entity]
    /// Why.
    package let cause: Cause
    /// What becomes of the service.
    package let effect: Effect
    /// How bad it is.
    package let severity: Severity
    /// What to read first.
    package let header: LocalizedText
    /// More about it.
    package let details: LocalizedText
    /// A page about it.
    package let url: LocalizedText

    /// A part of the service: everything that all stated members select.
    package struct Entity: Hashable, Sendable {
        /// An agency.
        package var agencyID: String?
        /// A route.
        package var routeID: String?
        /// The mode of routes, by the numbers of GTFS.
        package var routeType: Int32?
        /// A trip.
        package var tripID: String?
        /// The day of the trip, as `20261010`.
        package var tripDate: String?
        /// A stop.
        package var stopID: String?
        /// The direction of a route, 0 or 1.
        package var direction: UInt32?
    }

    /// The causes, by the numbers of the format.
    package enum Cause: UInt64, Hashable, Sendable {
        /// The feed does not say why.
        case unknown = 1
        /// Another cause.
        case other
        /// A technical problem.
        case technicalProblem
        /// A strike.
        case strike
        /// A demonstration.
        case demonstration
        /// An accident.
        case accident
        /// A holiday.
        case holiday
        /// The weather.
        case weather
        /// Maintenance.
        case maintenance
        /// Construction.
        case construction
        /// The police.
        case police
        /// A medical emergency.
        case medicalEmergency
    }

    /// The effects, by the numbers of the format.
    package enum Effect: UInt64, Hashable, Sendable {
        /// No service.
        case noService = 1
        /// Fewer trips.
        case reducedService
        /// Delays that matter.
        case significantDelays
        /// Another way.
        case detour
        /// More trips.
        case additionalService
        /// Another timetable.
        case modifiedService
        /// Another effect.
        case other
        /// The feed does not say what.
        case unknown
        /// A stop has moved.
        case stopMoved
        /// None.
        case none
        /// Not accessible, such as a lift that is out of order.
        case accessibilityIssue
    }

    /// How bad an alert is, by the numbers of the format.
    package enum Severity: UInt64, Hashable, Sendable {
        /// The feed does not say.
        case unknown = 1
        /// Good to know.
        case info
        /// To be heeded.
        case warning
        /// Bad.
        case severe
    }

    /// Whether it holds at a moment.
    package func isActive(_ moment: Instant) -> Bool {
        periods.isEmpty || periods.contains { $0.contains(moment) }
    }
}
