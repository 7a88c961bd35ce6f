import Dispatching
import Notify
package import Taxi

extension LiveDesk {
    /// Updates the pages of the drivers to whom an operator's notice is addressed.
    ///
    /// If the recipients cannot be determined now, nothing is sent. Their pages show the notice on
    /// the next load anyway.
    ///
    /// - Parameters:
    ///   - audience: the recipients of the notice.
    ///   - taxi: the taxi service, which knows where the taxis are.
    package func tellDrivers(of audience: DriverNotice.Audience, _ taxi: TaxiService) async {
        let taxis: [TaxiNumber]?
        do {
            taxis = try await taxi.taxis(of: audience)
        } catch {
            return
        }
        guard let taxis else { return publish(.drive, on: .service) }
        let people = Set(taxis.flatMap { seats.seated($0) })
        for person in people { publish(.drive, on: .driver(person), within: people.count) }
    }
}
