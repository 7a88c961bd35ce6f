import Chronology
import Dispatching
import Fares
import HTTPTypes
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore
import Zones

extension DriverPages {
    /// The offer, full screen: where, how far, who, until when, and two buttons far from each other
    /// (R50, G10).
    ///
    /// - Returns: nil where the offer has ended meanwhile.
    func offerPage(_ visit: Visit, _ seat: Seat) async throws -> Page? {
        guard let offer = try await taxi.offer(to: seat.number) else { return nil }
        do {
            // He has it before him from now on: a place that is lost is lost knowingly.
            let shown = Command.confirmDelivery(offer.request, seat.number, epoch: offer.epoch)
            _ = try await taxi.dispatch.give(shown)
        } catch Refusal.offerGone {
            return nil
        }
        let milliseconds = max(0, offer.deadline.milliseconds - visit.now.milliseconds)
        let left = milliseconds / 1_000
        let name = "\(offer.request.rawValue).\(offer.epoch)"
        let answer: HTML = """
            <input type="hidden" name="request" value="\(offer.request.rawValue)">\
            <input type="hidden" name="epoch" value="\(offer.epoch)">
            """
        var page = Page(
            OfferWords.title,
            body: """
                <h1>\(visit.say(OfferWords.title)): \(visit.say(OfferWords.answerBy)) \
                \(clock(offer.deadline, hasSeconds: true))</h1>
                <p class="lead"><span role="timer" aria-live="off" id="offer-left" \
                data-offer="\(name)" data-left="\(milliseconds)">\
                \(visit.say(OfferWords.left("\(left)")))</span></p>
                <progress id="offer-bar" aria-hidden="true" max="\(max(1, left))" value="\(left)">\
                </progress>
                <dl class="glance">\(offerFacts(offer, seat, visit))</dl>
                \(driveButton(
                    Address("/drive/offer/accept"),
                    OfferWords.accept,
                    visit,
                    look: "primary huge",
                    fields: answer
                ))
                <p>\(visit.say(OfferWords.rule(seat.view.policy)))</p>
                \(strikeWarning(seat.view, visit))
                \(driveButton(
                    Address("/drive/offer/refuse"),
                    OfferWords.refuse,
                    visit,
                    look: "low",
                    fields: answer
                ))
                """
        )
        page.hasForm = true
        // Once more right after the deadline: then the page says what became of it.
        page.refresh = min(refreshSeconds(seat.view), Int(left) + 1)
        return page
    }

    private func offerFacts(_ offer: OfferShown, _ seat: Seat, _ visit: Visit) -> [HTML] {
        let zones = taxi.zonesInForce?.zones ?? []
        let zone =
            offer.zone.rawValue < zones.count ? zones[Int(offer.zone.rawValue)].name : ""
        let place = offer.meeting?.words.text ?? visit.say(OfferWords.inZone(zone))
        let needs = visit.say(DriveWords.needs(offer.needs))
        let due: HTML = offer.due.map { clock($0) } ?? "\(visit.say(OfferWords.now))"
        var facts = [
            driveFact(DriveWords.pickUp, "<b>\(place)</b>", visit),
            driveFact(
                DriveWords.way,
                "\(visit.say(wayWords(offer.meeting?.drive, offer.straightMetres)))",
                visit
            ),
            driveFact(DriveWords.passengers, "\(needs)", visit),
            driveFact(OfferWords.when, due, visit),
        ]
        if let destination = offer.destination {
            facts.append(driveFact(DriveWords.destination, "\(destination.text)", visit))
        }
        return facts
    }

    /// How far it is: by the streets where they are known, else as the crow flies.
    func wayWords(_ drive: Drive?, _ straightMetres: Int64?) -> Text {
        if let drive { return DriveWords.way(drive) }
        guard let straightMetres else { return DriveWords.unknown }
        let way = CommonTexts.distance(straightMetres)
        return Text(
            "\(way.in(.english)) in a straight line",
            "\(way.in(.italian)) in linea d'aria"
        )
    }

    /// What an unanswered offer would do, to whom it would be the last one allowed.
    private func strikeWarning(_ view: DriverView, _ visit: Visit) -> HTML? {
        let most = view.policy[.maxIgnored]
        guard most > 0, Int64(view.taxi.ignoredOffers) + 1 >= most, view.taxi.ignoredOffers > 0
        else { return nil }
        return """
            <p class="notice warn">\(visit.say(OfferWords.lastStrike))</p>
            """
    }

    // MARK: Answers

    /// The offer that an answer names.
    private func offerNamed(_ visit: Visit) throws -> (request: RequestNumber, epoch: Int64) {
        guard let request = visit.form["request"].flatMap({ UInt64($0) }),
            let epoch = visit.form["epoch"].flatMap({ Int64($0) })
        else { throw Failure.badRequest }
        return (RequestNumber(rawValue: request), epoch)
    }

    /// The driver accepts: once, however often he presses, and never too late (I11, F7).
    func acceptOffer(_ visit: Visit, _ seat: Seat) async throws -> Reply {
        let (request, epoch) = try offerNamed(visit)
        do {
            _ = try await taxi.accept(request, by: seat.number, epoch: epoch)
        } catch Refusal.offerGone {
            // Who pressed twice has the ride, and is told the same again.
            guard try await self.seat(visit).view.taxi.work == .ride(request) else {
                throw try await offerGone(request, seat)
            }
        }
        return .redirect(to: Address("/drive"))
    }

    /// The driver refuses: he goes to the end of the queue of the zone he is in (R52).
    func refuseOffer(_ visit: Visit, _ seat: Seat) async throws -> Reply {
        let (request, epoch) = try offerNamed(visit)
        do {
            _ = try await taxi.dispatch.give(.refuse(request, seat.number, epoch: epoch))
        } catch Refusal.offerGone {
            throw try await offerGone(request, seat)
        }
        return driveOn("refused", visit)
    }

    /// What became of an offer that is answered too late; what became of others is not his.
    private func offerGone(_ request: RequestNumber, _ seat: Seat) async throws -> DriveTrouble {
        let number = seat.number
        let isAnothers = try await taxi.dispatch.read { state in
            guard let found = state.request(request), found.asked.contains(number) else {
                return false
            }
            return (found.offer?.taxi ?? found.ride?.taxi ?? number) != number
        }
        var trouble = DriveTrouble(Refusal.offerGone) { clockTime($0) }
        if isAnothers {
            trouble.title = OfferWords.anothers
            trouble.advice = OfferWords.tooLate
        }
        return trouble
    }
}

enum OfferWords {
    static let title = Text("New ride", "Nuova corsa")
    static let answerBy = Text("answer before", "rispondi prima delle")
    static func left(_ seconds: String) -> Text {
        Text("\(seconds) s left", "Restano \(seconds) s")
    }
    static let when = Text("When", "Quando")
    static let now = Text("now", "subito")
    static func inZone(_ zone: String) -> Text { Text("in \(zone)", "in \(zone)") }
    static let accept = Text("Accept", "Accetta")
    static let refuse = Text("Refuse: I go to the end", "Rifiuta: vado in fondo")
    static let anothers = Text(
        "This ride went to another driver",
        "Questa corsa è andata a un altro tassista"
    )
    static let tooLate = Text(
        "Your answer came after the time for it.",
        "La tua risposta è arrivata a tempo scaduto."
    )
    static let lastStrike = Text(
        "If you do not answer this one either, you become unavailable.",
        "Se non rispondi neanche a questa, non sarai più disponibile."
    )

    /// What happens to who does not answer (G4).
    static func rule(_ policy: Policy) -> Text {
        let seconds = policy[.offerTimeout]
        let most = policy[.maxIgnored]
        let last =
            most > 0
            ? Text(
                " After \(most) in a row you become unavailable.",
                " Dopo \(most) di fila non sei più disponibile."
            ) : Text(same: "")
        return Text(
            "An offer waits \(seconds) s for your answer. Without one you go to the end of the "
                + "queue, as after a refusal." + last.in(.english),
            "Un'offerta attende \(seconds) s la tua risposta. Senza risposta vai in fondo alla "
                + "coda, come dopo un rifiuto." + last.in(.italian)
        )
    }
}
