import Chronology
import DayPlanning
import Localization
import Markup
import TaxiPages
import TravelPages
import TripPlanning
import WebCore

extension CalendarPages {
    /// The shared vehicle of a journey: where it stands and is returned, and where to rent it (V81,
    /// V83); nothing for other journeys, and for what is over.
    func rentalLine(_ trip: TripOption, _ context: RequestContext) -> HTML? {
        let now = Instant(context.now)
        guard trip.arrival > now,
            let number = trip.steps.firstIndex(where: { $0.rental != nil }),
            let rental = trip.steps[number].rental
        else { return nil }
        let ride = trip.steps[number]
        let place = shortPlace(ride.fromName)
        let walked = trip.steps[..<number].reduce(Int64(0)) { $0 + Int64($1.metres) }
        let text = DayRentalTexts.vehicle(
            ride.kind.text,
            rental.system,
            place,
            CommonTexts.distance(walked),
            shortPlace(ride.toName)
        )
        // During the ride, no other vehicle is offered for rent.
        let link = trip.departure > now ? travel.renting(rental, place, context) : nil
        return "<p>\(context.say(text))</p>\(link)"
    }
}
