package import Chronology
import CityData
import HTTPTypes
import LiveFeeds
import Localization
package import Markup
import OpenData
import TaxiPages
package import TripPlanning
package import WebCore

/// The shared vehicles near a place (V81, V83).
extension TravelPages {
    var rentalRoutes: [Route] {
        [
            .get("/rentals/near/{place}", as: "rentals.near", for: .everybody) { context in
                let page = rentalPage(try sealedPlace(context), context)
                return unlisted(response(page, to: context))
            }
            .taking([.sealedPlace]),
            .get("/rentals/near/{place}/map.svg", as: "rentals.near.map.svg", for: .everybody) {
                context in
                let place = try sealedPlace(context)
                return try picture(of: rentalScene(place, choices(place), context), context)
            }
            .taking([.sealedPlace])
            .answering(.picture),
        ]
    }

    /// The greatest distance of what is shown, in metres, and how much of it.
    private static let rentalsAround: (metres: Double, count: Int) = (1_000, 12)

    /// Whether there is any system of shared vehicles.
    package var hasRentals: Bool { !feeds.world.systems.isEmpty }

    /// The version of what plans with shared vehicles depend on: the ten minutes for which the
    /// state of a system is believed, and which systems answer.
    package func rentalVersion(at now: Instant) -> String {
        let fresh = feeds.world.systems.filter { $0.isFresh(now) }.map(\.feed)
        return "\(now.seconds / LiveSystem.freshSeconds) \(fresh.joined(separator: " "))"
    }

    /// The link to the shared vehicles near the place of a page about stops.
    func rentalsLink(_ context: RequestContext) -> HTML? {
        guard hasRentals, let sealed = context.parameters["place"] else { return nil }
        let address = Address("/rentals/near", sealed)
        return Chips([Chip(RentalsTexts.title, icon: .bicycle, .link(address))]).html(context)
    }

    private func choices(_ place: ResolvedPlace) -> [RentalChoice] {
        guard let centre = place.coordinate else { return [] }
        return RentalChoice.near(
            centre,
            in: feeds.world.systems,
            withinMetres: Self.rentalsAround.metres,
            count: Self.rentalsAround.count
        )
    }

    private func rentalPage(_ place: ResolvedPlace, _ context: RequestContext) -> Page {
        let name = shortPlace(place.name)
        let heading = RentalsTexts.titleNear(name)
        let choices = choices(place)
        let none = EmptyState(
            .bicycle,
            RentalsTexts.none,
            RentalsTexts.noneLead(CommonTexts.distance(Int64(Self.rentalsAround.metres)))
        )
        let sealed = context.parameters["place"] ?? ""
        let back = Button.Target.link(Address("/stops/near", sealed))
        let nearest = choices.first.map { choice -> HTML in
            let distance = CommonTexts.distance(Int64(choice.metres))
            let text = RentalsTexts.nearest(title(choice, context), distance)
            return "<p class=\"lead\">\(context.say(text))</p>"
        }
        var page = Page(
            heading,
            body: """
                \(Button(StopsTexts.title, back, look: .plain, icon: .back).html(context))
                <h1>\(context.say(heading))</h1>
                \(nearest)
                \(silences(context))
                \(HTML.when(choices.isEmpty, none.html(context)))
                \(HTML.when(!choices.isEmpty, Rows(choices.map { row($0, context) }).html))
                """
        )
        let still = Address("/rentals/near", sealed, "map.svg")
        page.map = tripMap(rentalScene(place, choices, context), still: still, context)
        page.layout = .mapSheet
        return page
    }

    /// What is said about systems that do not answer.
    private func silences(_ context: RequestContext) -> HTML {
        let now = Instant(context.now)
        let notices = feeds.world.systems.filter { !$0.isFresh(now) }.map { live -> HTML in
            let name = name(live, context)
            let words = [silence(of: name, since: live.knownSince), RentalsTexts.whatToDo(name)]
            return Notice(
                .warning,
                "\(words.map(context.say).joined(separator: " "))"
            )
            .html(context)
        }
        return .joined(notices)
    }

    /// That a system cannot be reached, and when it was last heard of.
    private func silence(of name: String, since: Instant?) -> Text {
        since.map { RentalsTexts.silentSince(name, LocalTime($0, in: web.settings.zoneTable)) }
            ?? RentalsTexts.neverAnswered(name)
    }

    /// How to rent the vehicle of a leg: at the provider, if it can be reached, and otherwise what
    /// to do (V81, V83).
    package func renting(
        _ rental: TripRental,
        _ name: String,
        _ context: RequestContext
    ) -> HTML {
        let now = Instant(context.now)
        let system = rental.system
        let isFresh = rental.knownSince.map { now.seconds - $0.seconds <= LiveSystem.freshSeconds }
        guard isFresh ?? false else {
            let words = [
                silence(of: system, since: rental.knownSince), RentalsTexts.whatToDo(system),
            ]
            let text = words.map(context.say).joined(separator: " ")
            return Notice(.warning, "\(text)").html(context)
        }
        guard let page = rental.page, RentalChoice.isPage(page) else {
            return "<p class=\"hint\">\(context.say(RentalsTexts.noPage(system)))</p>"
        }
        return """
            <p><a href="\(page)" rel="noopener noreferrer">\
            \(context.say(RentalsTexts.rent(system)))\
            <span class="hidden"> \(name)</span></a></p>
            """
    }

    /// A station or vehicle: what is there, how far it is, and where to rent it.
    private func row(_ choice: RentalChoice, _ context: RequestContext) -> WebCore.Row {
        let distance = StopsTexts.away(CommonTexts.distance(Int64(choice.metres)))
        var details = [context.say(distance)]
        switch choice.subject {
        case .station(_, let state):
            details.append(context.say(RentalsTexts.vehicles(state.rentable)))
            if let docks = state.returnable {
                details.append(context.say(RentalsTexts.docks(docks)))
            }
        case .vehicle(let vehicle, _):
            if let range = vehicle.rangeMetres {
                let distance = CommonTexts.distance(Int64(min(range, 10_000_000)))
                details.append(context.say(RentalsTexts.range(distance)))
            }
        }
        details.append(name(choice.system, context))
        let rent = choice.system.isFresh(Instant(context.now)) ? choice.page : nil
        let link = rent.map { page -> HTML in
            let text = RentalsTexts.rent(name(choice.system, context))
            return """
                <a href="\(page)" rel="noopener noreferrer">\(context.say(text))\
                <span class="hidden"> \(title(choice, context))</span></a>
                """
        }
        if rent == nil, choice.system.isFresh(Instant(context.now)) {
            details.append(context.say(RentalsTexts.inApp))
        }
        return WebCore.Row(
            icon(choice),
            "\(title(choice, context))",
            detail: "\(details.joined(separator: " · "))",
            value: link
        )
    }

    private func name(_ live: LiveSystem, _ context: RequestContext) -> String {
        live.system.information?.name.text(in: context.language.rawValue) ?? live.feed
    }

    /// The name of a station, or what a vehicle is.
    private func title(_ choice: RentalChoice, _ context: RequestContext) -> String {
        switch choice.subject {
        case .station(let station, _):
            return shortPlace(station.name.text(in: context.language.rawValue))
        case .vehicle(_, let type):
            return type?.name?.text(in: context.language.rawValue)
                ?? context.say(Self.name(of: type?.form))
        }
    }

    private static func name(of form: SharingSystem.Form?) -> Text {
        switch form {
        case .bicycle: RentalsTexts.bicycle
        case .cargoBicycle: RentalsTexts.cargoBicycle
        case .car: RentalsTexts.car
        case .moped: RentalsTexts.moped
        case .standingScooter, .seatedScooter: RentalsTexts.scooter
        case .other, nil: RentalsTexts.vehicle
        }
    }

    private func icon(_ choice: RentalChoice) -> Icon {
        guard case .vehicle(_, let type) = choice.subject else { return .bicycle }
        return switch type?.form {
        case .car: .car
        case .moped, .standingScooter, .seatedScooter: .scooter
        default: .bicycle
        }
    }

    private func rentalScene(
        _ place: ResolvedPlace,
        _ choices: [RentalChoice],
        _ context: RequestContext
    ) -> MapScene {
        let now = Instant(context.now)
        let marks = choices.reversed().map { choice in
            MapScene.Mark(
                .stop,
                at: choice.place,
                Text(same: title(choice, context)),
                isFaint: !choice.system.isFresh(now)
            )
        }
        let centre = place.coordinate.map {
            MapScene.Mark(.meeting, at: $0, Text(same: shortPlace(place.name)))
        }
        return MapScene(marks + [centre].compactMap(\.self))
    }
}
