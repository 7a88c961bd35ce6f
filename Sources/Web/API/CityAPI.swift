package import Agenda
package import TaxiPages
package import WebCore
package import Webhooks

/// All that other programs can do, with the document and the page that describe it.
package struct CityAPI: TaxiPageModule {
    /// The services and settings that all taxi pages share.
    package let environment: TaxiEnvironment
    /// What drivers do at work.
    let driving: any DriverWork
    /// The calendars of people.
    let agenda: Agenda
    /// Which entries of a calendar may be at the same time.
    let rules: ConflictRules
    /// The plans of people's days.
    let planning: any CalendarWork
    /// The figures that everybody may read.
    let openStatistics = OpenStatistics()
    /// Counts the keys of the sandbox.
    let desk = SandboxDesk()

    /// The addresses to which applications are told what happens.
    let webhooks: WebhookRegister

    /// Creates the interface for programs.
    package init(
        _ environment: TaxiEnvironment,
        driving: any DriverWork,
        agenda: Agenda,
        rules: ConflictRules = .usual,
        planning: any CalendarWork,
        webhooks: WebhookRegister
    ) {
        self.environment = environment
        self.driving = driving
        self.agenda = agenda
        self.rules = rules
        self.planning = planning
        self.webhooks = webhooks
        // What concerns a taxi's passenger, and what everybody may see, an application may also do
        // on behalf of a person; it then sees nobody else's.
        let ofPassengers =
            zoneOperations + cityOperations + estimateOperations + rideOperations
            + rideFurtherOperations + reservationOperations
        let ofTravellers = placeOperations + tripOperations + stopOperations + lineOperations
        let all =
            applicationOperations + webhookOperations + personOperations
            + calendarOperations.map { $0.acting([.person]) }
            + ofPassengers.map { $0.acting([.application, .person]) }
            + sharingOperations + driverOperations + fleetOperations + statisticsOperations
            + mobilityOperations
            + ofTravellers.map { $0.acting([.application, .person]) }
        operations = all.map(\.sparse)
    }

    /// All operations, in the order in which they are presented.
    package private(set) var operations: [Operation] = []

    /// The routes of all operations, of their document and of the page about them.
    package var routes: [Route] {
        operations.map(\.route) + [documentRoute, statusRoute] + openDataRoutes + developerRoutes
            + sandboxRoutes
    }
}
