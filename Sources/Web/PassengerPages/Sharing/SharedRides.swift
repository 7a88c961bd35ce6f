import Chronology
import Dispatching
import Fares
import HTTPTypes
import Identity
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

/// Sharing a taxi (R83 to R92): who allows it is shown rides that he could join, and joins one or
/// has a taxi of his own, which others may join.
extension PassengerPages {
    var sharingRoutes: [Route] {
        [
            .get("/taxi/shared", for: .person, showProposals),
            .post("/taxi/join", for: .person, join).findingEarlierSending,
        ]
    }

    /// The question whether others may ride along; nil where the city or the visitor cannot.
    func shareField(_ draft: OrderDraft, _ policy: Policy, _ visit: Visit) -> Field? {
        guard policy.sharing, visit.session?.person != nil else { return nil }
        return Field(
            name: "share",
            label: ShareWords.title,
            kind: .several([("share", ShareWords.allow)]),
            hint: ShareWords.hint,
            value: draft.isShared ? "share" : "",
            isRequired: false
        )
    }

    /// Whether the visitor allows others to ride along.
    func readShare(_ visit: Visit, _ policy: Policy) -> Bool {
        policy.sharing && visit.session?.person != nil
            && visit.form.all("share").contains("share")
    }

    /// The rides that an order could join; none where nobody is asked about them.
    func proposals(_ draft: OrderDraft, _ order: RideOrder) async throws -> [RideProposal] {
        // A reservation is joined by others once it has its taxi; it joins nobody itself.
        guard draft.isShared, draft.due == nil, !order.isGuest else { return [] }
        do {
            return try await taxi.proposals(for: order)
        } catch let failure as TaxiService.Failure where failure != .notServing {
            // What is wrong with the places is told on the page that checks them.
            return []
        }
    }

    // MARK: Joining

    private func showProposals(_ visit: Visit) async throws -> Reply {
        let now = try await callingNow(visit)
        if let live = now.live { return .redirect(to: Self.ride(live, "already")) }
        // Before anything is read: what changes from here on is told to this page.
        if let person = visit.session?.person { live.lookers.look(.person(person), at: visit.now) }
        let own = Address("/taxi/check", query: ["own": "1"])
        guard let draft = draft(visit), let order = order(draft, visit, now.policy) else {
            return .redirect(to: Address("/taxi"))
        }
        let rides = try await proposals(draft, order)
        guard !rides.isEmpty else { return .redirect(to: own) }
        let seal = orders.seal(draft, at: visit.now) ?? ""
        let items = rides.enumerated().map { place, ride in
            proposal(ride, seal, isFirst: place == 0, visit)
        }
        var page = Page(
            ShareWords.found(rides.count),
            body: """
                \(announced(ShareWords.found(rides.count), as: "shared-said", visit))
                <div id="shared-rides" data-live="ride">
                <h1>\(visit.say(ShareWords.found(rides.count)))</h1>
                <p class="lead">\(visit.say(ShareWords.foundLead))</p>
                \(items)</div>
                <h2>\(visit.say(ShareWords.none))</h2>
                <p>\(visit.say(ShareWords.noneLead))</p>
                <p class="actions"><a class="button" href=\(own)>\
                \(visit.say(ShareWords.refuse))</a></p>
                """
        )
        page.isLive = true
        return reply(page, to: visit)
    }

    private func proposal(
        _ ride: RideProposal,
        _ seal: String,
        isFirst: Bool,
        _ visit: Visit
    ) -> HTML {
        let facts: [(Text, HTML)] = [
            (CheckTexts.meeting, "\(ride.meeting.text)"),
            (ShareWords.thereAt, clock(ride.at)),
            (ShareWords.walk, "\(visit.say(CheckTexts.about(wholeMinutes(ride.walkSeconds))))"),
            (ShareWords.riding, "\(visit.say(ShareWords.people(ride.people)))"),
            (EndTexts.fare, "\(visit.say(partWords(ride.split, visit)))"),
        ]
        let rows = facts.map { label, value -> HTML in
            "<div><dt>\(visit.say(label))</dt><dd>\(value)</dd></div>"
        }
        return """
            <form method="post" action="/taxi/join">
            \(visit.formToken)
            <dl class="summary facts">\(rows)</dl>
            <input type="hidden" name="order" value="\(seal)">
            <p class="actions"><button id="join-\("\(ride.ride.rawValue)")"\
            \(HTML.when(isFirst, " class=\"primary\"")) name="ride" \
            value="\("\(ride.ride.rawValue)")" data-busy="\(visit.say(OrderTexts.busy))">\
            \(visit.say(ShareWords.join))</button></p>
            </form>
            """
    }

    /// What who has not joined is told of the price: what the whole ride costs says how far others
    /// go (I27).
    private func partWords(_ split: ShareEstimate?, _ visit: Visit) -> Text {
        guard let split else { return CheckTexts.unknown }
        return ShareWords.part(money(split.share, visit), alone: money(split.alone, visit))
    }

    private func splitWords(_ split: ShareEstimate?, _ visit: Visit) -> Text {
        guard let split else { return CheckTexts.unknown }
        return ShareWords.split(
            money(split.share, visit),
            of: money(split.total, visit),
            alone: money(split.alone, visit)
        )
    }

    private func join(_ visit: Visit) async throws -> Reply {
        if let made = try await requestMadeBefore(visit) {
            return .redirect(to: Self.ride(made, "joined"))
        }
        let now = try await callingNow(visit)
        guard now.policy.sharing else {
            return notRequested(Refusal.sharingDisabled.words, visit)
        }
        guard let draft = visit.form["order"].flatMap({ orders.open($0, at: visit.now) }),
            let order = order(draft, visit, now.policy), !order.isGuest, draft.later == nil,
            let ride = visit.form["ride"].flatMap({ UInt64($0) })
        else { return .redirect(to: Address("/taxi")) }
        if let limited = try await unreliable(visit) { return limited }
        do {
            let ride = RequestNumber(rawValue: ride)
            let joined = try await taxi.join(order, to: ride, key: Self.orderKey(visit))
            return Reply.redirect(to: Self.ride(joined.request, "joined"))
                .setting(orderCookie(nil, visit))
        } catch Refusal.liveRequest(let live) {
            return .redirect(to: Self.ride(live, "already"))
        } catch Refusal.noSuchRequest {
            return notRequested(Refusal.notShared.words, visit)
        } catch let refusal as Refusal where refusal.failure == nil {
            return notRequested(refusal.words, visit)
        } catch let failure as TaxiService.Failure where failure != .notServing {
            return notRequested(failure.words, visit)
        }
    }

    // MARK: The ride

    /// What a passenger of a shared ride is told of it: that others share it, and what he pays;
    /// neither who they are nor where they go (I27).
    func sharingPart(_ view: RideView, _ visit: Visit) async throws -> HTML? {
        guard view.isShared else { return nil }
        let passenger = try knownPassenger(visit).passenger
        let split = try await taxi.shareEstimate(of: view.request, for: passenger)
        let isOpen = !RideState(view).hasTaxi || RideState(view).step == 1
        var lines = [view.parties > 1 ? ShareWords.parties(view.parties) : ShareWords.alone]
        if view.ride != view.request { lines.append(ShareWords.noWait) }
        if isOpen { lines.append(ShareWords.open) }
        if split != nil { lines.append(splitWords(split, visit)) }
        return """
            <h2>\(visit.say(ShareWords.title))</h2>
            \(lines.map { "<p>\(visit.say($0))</p>" as HTML })
            """
    }
}

/// The words of shared rides.
enum ShareWords {
    static let title = Text("Sharing", "Condivisione")
    static let allow = Text("Others may ride along", "Altri possono viaggiare con me")
    static let hint = Text(
        "You pay a part, never more than alone. Others who can walk to it see your meeting point "
            + "and the time; never your name or where you go.",
        "Paghi una parte, mai più che da solo. Altri che possono raggiungerlo a piedi vedono il "
            + "punto d'incontro e l'ora; mai il tuo nome né dove vai."
    )
    static let noDestination = Text(
        "Say where you are going: a shared ride needs it.",
        "Di' dove vuoi andare: per una corsa condivisa serve."
    )
    static let shareOne = Text("Share a taxi with others", "Condividi un taxi con altri")

    static func found(_ count: Int) -> Text {
        count == 1
            ? Text("1 shared ride goes your way", "1 corsa condivisa fa la tua strada")
            : Text(
                "\(count) shared rides go your way",
                "\(count) corse condivise fanno la tua strada"
            )
    }
    static let foundLead = Text(
        "Join one, or have a taxi of your own that others may join. The taxi does not wait for who "
            + "joins.",
        "Unisciti a una, o prendi un taxi tuo a cui altri possono unirsi. Il taxi non aspetta chi "
            + "si unisce."
    )
    static let thereAt = Text("The taxi is there at about", "Il taxi è lì circa alle")
    static let walk = Text("Your walk to it", "A piedi ci metti")
    static let riding = Text("Who rides so far", "Chi viaggia finora")
    static func people(_ count: Int) -> Text {
        count == 1
            ? Text("1 person", "1 persona") : Text("\(count) people", "\(count) persone")
    }
    static func part(_ share: String, alone: String) -> Text {
        Text(
            "about \(share); alone it would be about \(alone)",
            "circa \(share); da solo sarebbero circa \(alone)"
        )
    }
    static func split(_ share: String, of total: String, alone: String) -> Text {
        Text(
            "about \(share) of about \(total); alone it would be about \(alone)",
            "circa \(share) di circa \(total); da solo sarebbero circa \(alone)"
        )
    }
    static let join = Text("Join this ride", "Unisciti a questa corsa")
    static let none = Text("None of these?", "Nessuna di queste?")
    static let noneLead = Text(
        "Then you own a ride that others may join until the taxi is there.",
        "Allora la corsa è tua e altri possono unirsi finché il taxi non è lì."
    )
    static let refuse = Text("A taxi of my own", "Un taxi per me")
    static let joined = Text(
        "Done: you ride along. Be at the meeting point in time.",
        "Fatto: viaggi con altri. Sii in tempo al punto d'incontro."
    )

    static func parties(_ count: Int) -> Text {
        Text(
            "\(count) parties share this taxi. You see neither names nor destinations of the "
                + "others, nor they yours.",
            "In \(count) dividete questo taxi. Non vedi nomi né destinazioni degli altri, né loro "
                + "i tuoi."
        )
    }
    static let alone = Text("Nobody shares it so far.", "Finora non la condivide nessuno.")
    static let open = Text(
        "Until the taxi is at the meeting point others may still join.",
        "Finché il taxi non è al punto d'incontro altri possono unirsi."
    )
    static let noWait = Text(
        "The taxi does not wait for you: be there before it.",
        "Il taxi non ti aspetta: arriva prima."
    )
    static let leaving = Text(
        "The others ride on without you, and are told by what their page says; the driver too. To "
            + "have a taxi later you ask anew.",
        "Gli altri viaggiano senza di te e lo vedono sulla loro pagina; anche il tassista. Se più "
            + "tardi vuoi un taxi devi chiedere di nuovo."
    )
    static let whole = Text("The whole ride", "Tutta la corsa")
}
