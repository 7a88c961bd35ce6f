import Dispatching
import Identity
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

extension DriverPages {
    /// The first names of the passengers, shown only to the driver who has
    /// accepted the ride (1.12).
    ///
    /// Passengers without an account or a name are omitted.
    func passengerNames(_ shown: RideShown) async throws -> [RequestNumber: String] {
        let people = shown.parties.map { PersonNumber(passenger: $0.passenger) }
        let names = try await accounts.firstNames(of: people)
        return Dictionary(
            zip(shown.parties, people).compactMap { party, person in
                names[person].map { (party.request, $0) }
            },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// The name and size of a party: "Anna · 2 people".
    func partyText(_ party: RidingParty, _ names: [RequestNumber: String]) -> Text {
        let needs = DriveTexts.needs(party.needs)
        guard let name = names[party.request] else { return needs }
        return Text(joining: [Text(same: "\(name) · "), needs])
    }

    /// The passengers to pick up: by name where one party rides alone, or else the total number.
    func passengerFact(
        _ shown: RideShown,
        _ names: [RequestNumber: String],
        _ context: RequestContext
    ) -> HTML {
        var words = DriveTexts.needs(shown.needs)
        if shown.parties.count == 1, let alone = shown.parties.first {
            words = partyText(alone, names)
        }
        return driveFact(DriveTexts.passengers, "\(context.say(words))", context)
    }

    /// The parties of a shared ride, each with a link to leave without them once the taxi has
    /// arrived (R87); nil if one party rides alone.
    func partyList(
        _ shown: RideShown,
        _ names: [RequestNumber: String],
        _ context: RequestContext
    ) -> HTML? {
        guard shown.parties.count > 1 else { return nil }
        let mayLeave = shown.ride.stage == .atMeetingPoint
        let items = shown.parties.map { party -> HTML in
            let words = context.say(partyText(party, names))
            let address = Address(
                "/drive/ride/absent",
                query: ["party": "\(party.request.rawValue)"]
            )
            let link: HTML = """
                 <a class="button low" href=\(address)>\(context.say(NoShowTexts.absent))\
                <span class="hidden">: \(words)</span></a>
                """
            return "<li>\(words)\(HTML.when(mayLeave, link))</li>"
        }
        return """
            <h2>\(context.say(CommonTexts.passenger))</h2>
            <ul>\(items)</ul>
            """
    }
}
