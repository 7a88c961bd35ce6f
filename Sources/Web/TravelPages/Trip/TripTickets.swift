import Localization
import Markup
import TaxiPages
import TripPlanning
import WebCore

/// What a trip costs by public transport, and where its tickets are bought (V81).
extension TravelPages {
    /// The section about tickets; nothing for a trip without public transport.
    func tickets(
        _ option: TripOption,
        _ question: TripQuestion,
        _ context: RequestContext
    ) -> HTML {
        guard option.kind == .transit, let place = try? context.cities.place(question) else {
            return .empty
        }
        let rows = TicketSeller.all(of: option, in: place.city.city).map { seller -> HTML in
            Row(.ticket, "\(seller.name)", value: link(to: seller, context)).html
        }
        guard !rows.isEmpty else { return .empty }
        let note = costNote(question, leavesOut: false, context).map {
            "<p class=\"hint\">\($0)</p>" as HTML
        }
        let price = context.say(price(option, context))
        return """
            <h2>\(context.say(TripPageTexts.tickets))</h2>
            <p>\(context.say(TripPageTexts.ticketsCost(price)))</p>
            \(note)
            <div class="rows">\(rows)</div>
            """
    }

    /// The page of an agency, or that it names none.
    private func link(to seller: TicketSeller, _ context: RequestContext) -> HTML {
        guard let page = seller.page else {
            return "<small>\(context.say(TripPageTexts.noSellerPage))</small>"
        }
        let text = seller.sellsThere ? TripPageTexts.buyTicket : TripPageTexts.sellerPage
        return """
            <a href="\(page)" rel="noopener noreferrer">\(context.say(text))\
            <span class="hidden"> \(seller.name)</span></a>
            """
    }
}
