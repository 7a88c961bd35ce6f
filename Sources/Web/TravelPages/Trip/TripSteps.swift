import Chronology
import CityData
import Localization
import Markup
import TaxiPages
import TripPlanning
import WebCore

extension TravelPages {
    /// The shortest wait that is mentioned, in seconds.
    private static let shortestWait: Int64 = 120

    /// The steps of a trip as a timeline.
    func steps(
        _ option: TripOption,
        _ question: TripQuestion,
        _ context: RequestContext
    ) -> HTML {
        let guide = (try? context.cities.place(question))?.city.guide
        var before: Instant?
        // A walk of no length between two rides at a stop is not a step.
        let legs = option.steps.enumerated().filter { _, step in
            step.seconds > 0 || step.metres > 0 || step.ride != nil || option.steps.count == 1
        }
        var items = legs.map { number, step -> HTML in
            defer { before = step.arrival }
            let order = option.changesToTaxi && step.kind == .taxi
            return item(
                step,
                number,
                arrived: before,
                order: order ? orderButton(step, question, context) : nil,
                guide,
                context
            )
        }
        let last = option.steps.last?.to
        let end = place(last, last?.name ?? question.to.name, guide)
        items.append(
            """
            <li><time>\(clockTime(option.arrival, roundsUp: true))</time> \
            <span class="stop"></span>\
            <span class="place">\(end)</span></li>
            """
        )
        return "<ol class=\"steps\">\(items)</ol>"
    }

    /// The place where a leg begins, and the leg.
    private func item(
        _ step: TripStep,
        _ number: Int,
        arrived: Instant?,
        order: HTML?,
        _ guide: TransitGuide?,
        _ context: RequestContext
    ) -> HTML {
        let platform = step.ride == nil ? nil : step.from?.platform
        let wait = arrived.map { step.departure.seconds - $0.seconds } ?? 0
        let waiting: HTML? =
            wait < Self.shortestWait
            ? nil
            : arrived.map { arrived in
                let text = TripPageTexts.wait(clockTime(arrived), PlanTexts.duration(wait))
                return "<p class=\"hint\">\(context.say(text))</p>"
            }
        let code = platform.map { code -> HTML in
            " <small>\(context.say(TripPageTexts.platform(code)))</small>"
        }
        return """
            <li><time>\(clockTime(step.departure))</time> <span class="stop"></span>\
            <span class="place">\(place(step.from, step.fromName, guide))\(code)</span>\
            <span class="track \(step.style)" aria-hidden="true">\(step.tint)</span>
            <div class="how">\(waiting)\
            \(step.ride.map { ride($0, step, number, context) } ?? streets(step, context))\
            \(order)</div></li>
            """
    }

    /// The button that leads to the order of a taxi for a part of a journey.
    private func orderButton(
        _ step: TripStep,
        _ question: TripQuestion,
        _ context: RequestContext
    ) -> HTML? {
        guard let from = end(step.from, question.from), let to = end(step.to, question.to) else {
            return nil
        }
        var part = TripQuestion(
            from: from,
            to: to,
            time: step.departure,
            modes: TripModes(walk: false, taxi: true, transit: 0)
        )
        part.wheelchair = question.wheelchair
        part.party = question.party
        return """
            <form method="post" action=\(Address("/plan", seal.seal(part), "order"))>\
            \(context.formToken)\(Button(TripsTexts.orderTaxi).html(context))</form>
            """
    }

    /// A place where a taxi picks people up or sets them down: a stop, or an end of the trip.
    private func end(_ stop: TripStop?, _ place: ResolvedPlace) -> ResolvedPlace? {
        guard let stop else { return place.coordinate == nil ? nil : place }
        return stop.coordinate.map { at in
            ResolvedPlace(name: stop.name, kind: .coordinate, coordinate: at)
        }
    }

    /// The name of a place; a stop leads to its departures.
    private func place(_ stop: TripStop?, _ name: String, _ guide: TransitGuide?) -> HTML {
        let short = shortPlace(name)
        guard let key = stop.flatMap({ guide?.key(of: $0.index) }) else {
            return "\(short)"
        }
        return "<a href=\(Address("/stops", key))>\(short)</a>"
    }

    /// A leg on streets: its distance and duration, and its streets.
    private func streets(_ step: TripStep, _ context: RequestContext) -> HTML {
        let time = PlanTexts.duration(step.seconds)
        let length = CommonTexts.distance(Int64(step.metres))
        let words =
            switch step.kind {
            case .walk, .transit: TripPageTexts.walk(time, length)
            case .bicycle: TripPageTexts.cycle(time, length)
            case .car: TripPageTexts.drive(time, length)
            case .taxi: TripPageTexts.taxi(time, length)
            case .bikeshare, .scooter, .carshare:
                RulesTexts.rideShared(
                    step.rental?.system ?? "",
                    step.kind.text,
                    time,
                    length
                )
            }
        let items = step.streets.map { street -> HTML in
            """
            <li><span>\(context.say(street.words))</span> \
            <small>\(context.say(CommonTexts.distance(Int64(street.metres))))</small></li>
            """
        }
        let straight = [
            step.shelteredMetres > 0
                ? TripPageTexts.sheltered(Self.distance(step.shelteredMetres)) : nil,
            step.straightStartMetres > 0
                ? TripPageTexts.straightStart(Self.distance(step.straightStartMetres)) : nil,
            step.straightEndMetres > 0
                ? TripPageTexts.straightEnd(Self.distance(step.straightEndMetres)) : nil,
        ].compactMap(\.self).map { "<p class=\"hint\">\(context.say($0))</p>" as HTML }
        let list: HTML = """
            <details><summary>\(context.say(TripPageTexts.streets))</summary>\
            <ol class="passed">\(items)</ol></details>
            """
        // Passengers do not need the streets of a taxi.
        let hasList = !items.isEmpty && step.kind != .taxi
        return """
            <p class="capsule">\(TravelLook(step).icon.html) <b>\(context.say(words))</b></p>\
            \(step.rental.map { renting($0, shortPlace(step.fromName), context) })\
            \(straight)\(HTML.when(hasList, list))
            """
    }

    private static func distance(_ metres: UInt32) -> Text {
        CommonTexts.distance(Int64(metres))
    }

    /// A leg in a vehicle: its line and direction, the stops on the way, and alternatives.
    private func ride(
        _ ride: TripRide,
        _ step: TripStep,
        _ number: Int,
        _ context: RequestContext
    ) -> HTML {
        let look = TravelLook(step)
        let head: HTML = """
            <p><span class="capsule \(step.style)">\(step.tint)\(look.icon.html) \
            <span class="hidden">\(context.say(look.word))</span> <b>\(ride.lineName)</b></span> \
            \(direction(ride.headsign, context))</p>
            """
        let parts = ride.continuations.map { next -> HTML in
            """
            <p>\(context.say(TripPageTexts.staySeated(next.lineName))) \
            \(direction(next.headsign, context))</p>
            """
        }
        let notes = [
            ride.isApproximate ? TripPageTexts.approximate : nil,
            ride.isByArrangement ? TripPageTexts.byArrangement : nil,
        ].compactMap(\.self).map { "<p class=\"hint\">\(context.say($0))</p>" as HTML }
        let address = tripAddress("legs", "\(number)", changes: changes(context), context)
        return """
            \(head)\(notes)\(stops(ride, step, context))\(parts)
            <p><a href=\(address)>\(context.say(TripPageTexts.otherDepartures))\
            <span class="hidden"> (\(ride.lineName), \(step.fromName))</span></a></p>
            """
    }

    private func direction(_ headsign: String, _ context: RequestContext) -> HTML {
        headsign.isEmpty ? .empty : "\(context.say(TripPageTexts.towards(headsign)))"
    }

    /// The stops of a ride after boarding, folded; the fold shows their number.
    private func stops(_ ride: TripRide, _ step: TripStep, _ context: RequestContext) -> HTML {
        let all = ([ride] + ride.continuations).flatMap(\.stops).dropFirst()
        let passed = all.filter { $0.index != step.from?.index }
        let items = passed.map { stop -> HTML in
            let time = stop.arrival ?? stop.departure
            return "<li>\(time.map { "<time>\(clockTime($0))</time>" as HTML }) \(stop.name)</li>"
        }
        let words = TripPageTexts.stops(passed.count, PlanTexts.duration(step.seconds))
        return """
            <details><summary>\(context.say(words))</summary>\
            <ol class="passed">\(items)</ol></details>
            """
    }
}

extension TripStreet {
    /// The turn onto the street and its name.
    var words: Text {
        let street = name.isEmpty ? TripPageTexts.unnamed : Text(same: name)
        return switch turn {
        case nil: street
        case .straight, .slightLeft, .slightRight: TripPageTexts.turnStraight(street)
        case .left, .sharpLeft: TripPageTexts.turnLeft(street)
        case .right, .sharpRight: TripPageTexts.turnRight(street)
        case .back: TripPageTexts.turnBack(street)
        }
    }
}
