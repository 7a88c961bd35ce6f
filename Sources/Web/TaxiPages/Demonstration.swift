package import Chronology
package import Identity
package import Markup
package import Positions
import Taxi
package import WebCore

/// What makes a site the demonstration of an invented city, with accounts for everybody.
///
/// A city's server has none: no setting, address or request gives it one, only the program that
/// composes the site. And it opens no door by itself: what stands on its pages are ordinary forms
/// for signing in, with names and passwords that exist in the invented city alone.
package struct Demonstration: Sendable {
    /// What stands above each page.
    package let banner: @Sendable (Visit) -> HTML
    /// Whether somebody's car is driven for him: where his own device is does not count then.
    package let isDriven: @Sendable (PersonNumber) -> Bool

    /// A demonstration.
    ///
    /// - Parameters:
    ///   - banner: what stands above each page; it may hold forms.
    ///   - isDriven: whether somebody's car is driven for him.
    package init(
        banner: @escaping @Sendable (Visit) -> HTML,
        isDriven: @escaping @Sendable (PersonNumber) -> Bool
    ) {
        self.banner = banner
        self.isDriven = isDriven
    }
}

extension TaxiPageModule {
    /// What stands above each page of a demonstration; nil on a city's server.
    ///
    /// Pages that are the same for all have none: there nobody could send its forms.
    package func demonstrationBanner(_ visit: Visit) -> HTML? {
        visit.secret == nil ? nil : environment.demonstration?.banner(visit)
    }

    /// Takes the position of a car that is driven for its driver, as if his device had measured it.
    ///
    /// - Parameters:
    ///   - batch: the position of the driver's own taxi.
    ///   - driver: whose page shows it.
    ///   - now: when it arrived.
    /// - Throws: `TaxiService.Failure.notServing`.
    package func drive(
        _ batch: PositionBatch,
        for driver: PersonNumber,
        at now: Moment
    ) async throws {
        guard environment.demonstration?.isDriven(driver) == true else { return }
        let viewer = TaxiService.Viewer.driver(batch.taxi)
        let before = try await taxi.position(of: batch.taxi, for: viewer)
        _ = try taxi.report(batch)
        // Of what was not used the driver's page says nothing.
        guard try await taxi.position(of: batch.taxi, for: viewer)?.at != before?.at else {
            return
        }
        let accuracy = batch.reports.max { $0.at < $1.at }?.accuracyMetres
        drivers.note(
            DriverDesk.Source(driver: driver, at: now, accuracyMetres: accuracy),
            of: batch.taxi
        )
    }
}
