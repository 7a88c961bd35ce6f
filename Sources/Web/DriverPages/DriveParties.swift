import Dispatching
import Identity
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

extension DriverPages {
    /// What those who ride are called: first names alone, and only for the driver who has accepted
    /// (1.12); who has no account, or gave no name, is missing.
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

    /// Who somebody is, and how many: "Anna · 2 people".
    func partyWords(_ party: RidingParty, _ names: [RequestNumber: String]) -> Text {
        let needs = DriveTexts.needs(party.needs)
        guard let name = names[party.request] else { return needs }
        return Text(joining: [Text(same: "\(name) · "), needs])
    }

    /// Who is to be picked up: by name where one party rides alone, else how many in all.
    func passengerFact(
        _ shown: RideShown,
        _ names: [RequestNumber: String],
        _ visit: Visit
    ) -> HTML {
        var words = DriveTexts.needs(shown.needs)
        if shown.parties.count == 1, let alone = shown.parties.first {
            words = partyWords(alone, names)
        }
        return driveFact(DriveTexts.passengers, "\(visit.say(words))", visit)
    }

    /// Who shares the ride, each with the way to leave without him where the taxi is there (R87);
    /// nothing where one party rides alone.
    func partyList(
        _ shown: RideShown,
        _ names: [RequestNumber: String],
        _ visit: Visit
    ) -> HTML? {
        guard shown.parties.count > 1 else { return nil }
        let mayLeave = shown.ride.stage == .atMeetingPoint
        let items = shown.parties.map { party -> HTML in
            let words = visit.say(partyWords(party, names))
            let address = Address(
                "/drive/ride/absent",
                query: ["party": "\(party.request.rawValue)"]
            )
            let link: HTML = """
                 <a class="button low" href=\(address)>\(visit.say(NoShowTexts.absent))\
                <span class="hidden">: \(words)</span></a>
                """
            return "<li>\(words)\(HTML.when(mayLeave, link))</li>"
        }
        return """
            <h2>\(visit.say(CommonTexts.passenger))</h2>
            <ul>\(items)</ul>
            """
    }
}
