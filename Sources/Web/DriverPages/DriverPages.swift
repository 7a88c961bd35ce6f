package import TaxiPages
import WebCore

/// What drivers see at work.
package struct DriverPages: TaxiPageModule {
    /// What it shares with the other pages about taxis.
    package let environment: TaxiEnvironment

    /// The pages of a site.
    package init(
        _ environment: TaxiEnvironment
    ) {
        self.environment = environment
    }
}
