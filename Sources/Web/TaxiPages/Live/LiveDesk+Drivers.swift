import Dispatching
import Notify
package import Taxi

extension LiveDesk {
    /// Tells the drivers whom a notice of the operator's concerns that their pages show something
    /// else now.
    ///
    /// Whoever looks later sees it anyway: where nobody can be asked, nobody is told.
    ///
    /// - Parameters:
    ///   - audience: whom it concerns.
    ///   - taxi: who knows where taxis are.
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
