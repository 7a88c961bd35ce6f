package import TaxiPages
import WebCore

/// The pages that drivers use at work.
package struct DriverPages: TaxiPageModule {
    /// The services shared with other taxi pages.
    package let environment: TaxiEnvironment

    /// Creates the driver pages of a site.
    package init(
        _ environment: TaxiEnvironment
    ) {
        self.environment = environment
    }
}
