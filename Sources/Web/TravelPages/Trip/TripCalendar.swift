import Chronology
import CityData
import Crypto
import Encoding
import HTTPTypes
import Localization
import OpenData
import TaxiPages
package import TripPlanning
package import WebCore

extension TravelPages {
    /// Responds with the trip as a file that calendars import (RFC 5545).
    func downloadEvent(_ context: RequestContext) async throws -> Response {
        let (question, option) = try await found(context)
        let changes = changes(context).map(\.text).joined(separator: " ")
        // The same trip added again replaces the earlier event.
        let name = SHA256.hash(
            data: Array("\(TripSeal.text(question))\n\(option.id)\n\(changes)".utf8)
        ).prefix(16).hex
        let event = ICalendarEvent(
            identifier: "\(name)@\(context.host)",
            written: Instant(context.now),
            start: option.departure,
            end: max(option.departure, option.arrival),
            summary: context.say(TripPageTexts.eventTitle(question.to.name)),
            location: question.from.name,
            description: lines(of: option, to: question.to.name, context).joined(separator: "\n")
        )
        let file = ICalendarWriter.file([event], product: "-//Viavai//Trips//EN")
        return unlisted(.download(file, type: "text/calendar; charset=utf-8", name: "trip.ics"))
    }

    /// The steps of a trip, one line each.
    package func lines(
        of option: TripOption,
        to destination: String,
        _ context: RequestContext
    ) -> [String] {
        let steps = option.steps.map { step -> String in
            let direction = step.ride.map(\.headsign).flatMap { $0.isEmpty ? nil : $0 }
            let words = [
                context.say(step.words),
                direction.map { context.say(TripPageTexts.towards($0)) },
            ].compactMap(\.self).joined(separator: " ")
            return "\(clockTime(step.departure)) \(step.fromName): \(words)"
        }
        return steps + ["\(clockTime(option.arrival, roundsUp: true)) \(destination)"]
    }
}
