package import TaxiPages
package import WebCore

/// What passengers see: the first page, ordering, reservations, shared rides, the ride and what follows it.
package struct PassengerPages: TaxiPageModule {
    /// What it shares with the other pages about taxis.
    package let environment: TaxiEnvironment

    /// The pages of a site.
    package init(
        _ environment: TaxiEnvironment
    ) {
        self.environment = environment
    }

    /// Its pages and actions.
    package var routes: [Route] {
        homeRoutes + orderRoutes + guestRoutes + rideRoutes + reservationRoutes + sharingRoutes
            + tripRoutes + feedbackRoutes + reliabilityRoutes + savedPlaceRoutes + ridePageRoutes
    }
}
