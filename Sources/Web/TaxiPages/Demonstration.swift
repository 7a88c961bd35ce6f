package import Chronology
package import Identity
package import Markup
package import Positions
import Taxi
package import WebCore

/// Makes a site the demonstration of a fictional city, with accounts for everybody.
///
/// A city's server has no such value, and no setting, address or request can create one; only the
/// program that composes the site can. It grants no access by itself: its pages contain ordinary
/// sign-in forms, with names and passwords that exist only in the fictional city.
package struct Demonstration: Sendable {
    /// The banner above each page.
    package let banner: @Sendable (RequestContext) -> HTML
    /// Whether a driver's car is simulated.
    ///
    /// The position of the driver's own device is then ignored.
    package let isDriven: @Sendable (PersonNumber) -> Bool
    /// The page with the messages that a city's server would have sent.
    package let mailbox: @Sendable (RequestContext) -> Page

    /// Creates the settings of a demonstration.
    ///
    /// - Parameters:
    ///   - banner: the banner above each page; it may contain forms.
    ///   - isDriven: whether a driver's car is simulated.
    ///   - mailbox: the page with the messages that a city's server would have sent.
    package init(
        banner: @escaping @Sendable (RequestContext) -> HTML,
        isDriven: @escaping @Sendable (PersonNumber) -> Bool,
        mailbox: @escaping @Sendable (RequestContext) -> Page
    ) {
        self.banner = banner
        self.isDriven = isDriven
        self.mailbox = mailbox
    }
}

extension TaxiPageModule {
    /// The demonstration's banner; nil on a city's server.
    ///
    /// Pages that are identical for all visitors have no banner, because its forms would not work
    /// there.
    package func demonstrationBanner(_ context: RequestContext) -> HTML? {
        context.secret == nil ? nil : environment.demonstration?.banner(context)
    }

    /// A link to the demonstration's mailbox, for pages that say that a message was sent; nil on a
    /// city's server.
    package func mailboxLink(_ context: RequestContext) -> HTML? {
        mailboxButton.map { "<p class=\"below\">\($0.html(context))</p>" }
    }

    /// The button that leads to the demonstration's mailbox; nil on a city's server.
    package var mailboxButton: Button? {
        guard environment.demonstration != nil else { return nil }
        return Button(CommonTexts.demoMailbox, .link(Address("/living/mailbox")), icon: .inbox)
    }

    /// Notes that a simulated driver looks at the page that shows offers.
    ///
    /// No message reaches simulated drivers, so that without a page they would be passed over as
    /// soon as they are asked (R53).
    package func noteLook(of driver: PersonNumber, at now: Moment) {
        taxiEvents.driverPages.noteLoad(driver, at: now)
    }

    /// Records the position of a simulated car as if the driver's device had measured it.
    ///
    /// - Parameters:
    ///   - batch: the position of the driver's own taxi.
    ///   - driver: the driver whose page shows it.
    ///   - now: the time of arrival.
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
        // The driver's page must not show a position that was rejected.
        guard try await taxi.position(of: batch.taxi, for: viewer)?.at != before?.at else {
            return
        }
        let accuracy = batch.reports.max { $0.at < $1.at }?.accuracyMetres
        drivers.note(
            DriverCache.Source(driver: driver, at: now, accuracyMetres: accuracy),
            of: batch.taxi
        )
    }
}
