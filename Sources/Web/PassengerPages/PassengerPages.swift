package import TaxiPages
package import WebCore

/// The passenger pages: home, ordering, reservations, shared rides, the live ride and its
/// follow-up.
package struct PassengerPages: TaxiPageModule {
    /// The services and settings that all taxi pages share.
    package let environment: TaxiEnvironment

    /// Creates the passenger pages of a site.
    package init(
        _ environment: TaxiEnvironment
    ) {
        self.environment = environment
    }

    /// All routes of the passenger pages.
    package var routes: [Route] {
        homeRoutes + orderRoutes + guestRoutes + rideRoutes + reservationRoutes + sharingRoutes
            + tripRoutes + feedbackRoutes + reliabilityRoutes + savedPlaceRoutes + ridePageRoutes
            + receiptRoutes + againRoutes
    }
}
