import Dispatching
import Fares
import HTTPTypes
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

/// Ordering a past ride once more (issue 30).
extension PassengerPages {
    var againRoutes: [Route] {
        [
            .post("/taxi/again", as: "taxi.again", for: .everybody, orderAgain)
                .taking([
                    .set("ride", .identifier, "The ride whose places the order takes over.")
                ])
                .failing(.notFound)
                .repeated(because: Self.setsCookie)
        ]
    }

    /// The button of a form that is sent to `/taxi/again`.
    func againButton(
        _ request: RequestNumber,
        look: Button.Look,
        _ label: Text,
        _ context: RequestContext
    ) -> HTML {
        var button = Button(
            label,
            .submit(name: "ride", value: "\(request.rawValue)"),
            look: look,
            icon: .refresh
        )
        button.busy = OrderTexts.busy
        return button.html(context)
    }

    /// Begins an order with the places of a past ride, and shows it for confirmation.
    private func orderAgain(_ context: RequestContext) async throws -> Response {
        guard let number = context.form["ride"].flatMap(UInt64.init) else { throw Failure.notFound }
        let request = RequestNumber(rawValue: number)
        // A double press may come after the next ride has begun.
        if try await rideView(request, context) != nil { return .redirect(to: Self.ride(request)) }
        guard let places = try await endedRide(request, context).places else {
            return .redirect(to: Address("/taxi"))
        }
        let order = orderCookie(OrderDraft(again: places), context)
        return Response.redirect(to: Address("/taxi/check")).setting(order)
    }
}

extension OrderDraft {
    /// The same ride once more: from the passenger's own origin, which is not the meeting point of
    /// a shared ride that the passenger joined.
    fileprivate init(again places: RidePlaces) {
        self.init()
        func wish(_ place: ChosenPlace) -> Wish {
            Wish(typed: String(place.called.text.prefix(Wish.limit)), place: place)
        }
        let isMet = places.origin == places.meeting
        self[.from] = wish(
            ChosenPlace(places.origin, words: isMet ? places.meetingDescription : nil)
        )
        if let destination = places.destination {
            self[.to] = wish(ChosenPlace(destination, words: places.destinationDescription))
        }
    }
}
