import Dispatching
import Drivers
import Encoding
import Fares
import HTTPTypes
import Identity
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

/// The outcome of a request (R54, R55, R64, I23).
extension PassengerPages {
    /// Returns the visitor's ended request.
    ///
    /// - Throws: `Failure.notFound` if there is none, or if it is somebody else's (I27, R130).
    func endedRide(
        _ number: RequestNumber,
        _ context: RequestContext
    ) async throws -> EndedRequest {
        do {
            let passenger = try knownPassenger(context).passenger
            // This call waits until the tables include a ride that has just ended.
            guard let found = try await taxi.ended(number, for: passenger) else {
                throw Failure.notFound
            }
            return found
        } catch TaxiService.Failure.notYours {
            throw Failure.notFound
        }
    }

    func endedPage(_ number: RequestNumber, _ context: RequestContext) async throws -> Page {
        let ended = try await endedRide(number, context)
        let outcome = ended.record.outcome ?? .withdrawn
        let isDone = outcome == .completed
        var page = Page(
            outcome.title,
            body: """
                <div class="calm \(isDone ? "good" : "over")">\
                \(isDone ? Icon.check.html : Icon.information.html)<div>\
                <h1>\(context.say(outcome.title))</h1>\
                <p class="lead">\(context.say(outcome.advice))</p></div></div>
                \(HTML.when(isDone, paid(ended, context)))
                \(journey(ended, context))
                <dl class="summary facts">\(facts(ended, context))</dl>
                \(links(ended, isDone: isDone, context))
                \(isDone ? receiptDock(number, context) : againDock(ended, context))
                """
        )
        page.layout = .mapSheet
        page.map = sceneMap(
            await scene(ended),
            still: Address("/receipt", "\(number.rawValue)", "map.svg"),
            topic: nil,
            context
        )
        if page.map == nil { page.layout = .document }
        page.hasForm = !isDone
        return page
    }

    /// What the passenger pays, as the figure of the page.
    private func paid(_ ended: EndedRequest, _ context: RequestContext) -> HTML {
        let amount = ended.fare.map { "\(money($0.share, context))" as HTML }
        return HeroNumber(
            amount ?? "<small>\(context.say(EndTexts.noFare))</small>",
            label: "\(context.say(EndTexts.fare))"
        ).html
    }

    func journey(_ ended: EndedRequest, _ context: RequestContext) -> HTML? {
        let ends: [(Text, PlaceDescription?)] = [
            (CheckTexts.meeting, ended.meeting), (CheckTexts.destination, ended.destination),
        ]
        return Journey(ends.compactMap { end in end.1.map { (end.0, shortPlace($0)) } }).html(
            context
        )
    }

    /// When what happened, and the fare of a shared ride.
    func facts(_ ended: EndedRequest, _ context: RequestContext) -> [HTML] {
        let record = ended.record
        var facts: [(Text, HTML)] = [(EndTexts.asked, time(record.asked, context))]
        if let boarded = record.boarded { facts.append((EndTexts.boarded, time(boarded, context))) }
        if let end = record.ended { facts.append((EndTexts.ended, time(end, context))) }
        if let fare = ended.fare, fare.share != fare.fare.total {
            facts.append((ShareTexts.whole, "\(money(fare.fare.total, context))"))
        }
        return facts.map { label, value in
            "<div><dt>\(context.say(label))</dt><dd>\(value)</dd></div>"
        }
    }

    private func links(
        _ ended: EndedRequest,
        isDone: Bool,
        _ context: RequestContext
    ) -> HTML? {
        let number = ended.record.request
        var rows: [Row] = []
        if ended.record.taxi != nil {
            rows.append(
                Row(
                    .star,
                    "\(context.say(FeedbackTexts.title))",
                    address: Address("/ride", "\(number.rawValue)", "feedback")
                )
            )
            if let contact = contactRow(context) { rows.append(contact) }
        }
        if context.session?.person != nil {
            rows.append(
                Row(
                    .history,
                    "\(context.say(CommonTexts.rides))",
                    address: Address("/account/rides")
                )
            )
        }
        return rows.isEmpty ? nil : Rows(rows).html
    }

    private func receiptDock(_ number: RequestNumber, _ context: RequestContext) -> HTML {
        let receipt = Button(
            EndTexts.receipt,
            .link(Address("/receipt", "\(number.rawValue)")),
            look: .primary,
            icon: .receipt
        )
        let another = Button(EndTexts.another, .link(Address("/taxi")), look: .plain)
        return Dock("\(receipt.html(context)) \(another.html(context))").html
    }

    /// Orders the same ride again in one press, or another one.
    private func againDock(_ ended: EndedRequest, _ context: RequestContext) -> HTML {
        let other = Button(EndTexts.change, .link(Address("/taxi")), look: .plain)
        return """
            <form class="dock" method="post" action="/taxi/again">\(context.formToken)\
            \(againButton(ended.record.request, look: .primary, EndTexts.again, context)) \
            \(other.html(context))</form>
            """
    }
}

extension PassengerPages {
    /// The map of a past ride: its ends and the way between them.
    private func scene(_ ended: EndedRequest) async -> MapScene {
        guard let places = ended.places else { return MapScene() }
        var scene = MapScene([MapScene.Mark(.meeting, at: places.meeting, CheckTexts.meeting)])
        guard let destination = places.destination else { return scene }
        scene.marks.append(MapScene.Mark(.destination, at: destination, CheckTexts.destination))
        if let way = await taxi.way(from: places.meeting, to: destination) {
            scene.lines.append(MapScene.Line(.route, way))
        }
        return scene
    }

    // MARK: The receipt

    var receiptRoutes: [Route] {
        [
            .get("/receipt/{request}", as: "receipt.show", for: .everybody, showReceipt)
                .open(to: [.followRides])
                .taking([.request]),
            .get("/receipt/{request}/map.svg", as: "receipt.map.svg", for: .everybody, wayPicture)
                .taking([.request])
                .answering(.picture),
        ]
    }

    /// The still map of an ended ride.
    private func wayPicture(_ context: RequestContext) async throws -> Response {
        let ended = try await endedRide(try requestNumber(context), context)
        // A receipt is narrow: in a larger picture its names would be too small to read.
        return try picture(of: await scene(ended), pixelsWide: 400, context)
    }

    private func showReceipt(_ context: RequestContext) async throws -> Response {
        let number = try requestNumber(context)
        let ended = try await endedRide(number, context)
        do {
            let passenger = try knownPassenger(context).passenger
            let (receipt, signature) = try await taxi.receipt(of: number, for: passenger)
            return response(try await receiptPage(receipt, signature, ended, context), to: context)
        } catch let failure as TaxiService.Failure where failure != .notServing {
            throw Failure.notFound
        }
    }

    private func receiptPage(
        _ receipt: RideReceipt,
        _ signature: [UInt8],
        _ ended: EndedRequest,
        _ context: RequestContext
    ) async throws -> Page {
        let number = "\(receipt.ride.rawValue)"
        let still = stillPicture(
            at: Address("/receipt", number, "map.svg"),
            await scene(ended),
            context
        )
        // What the taxi was recognised by, of which a deleted taxi has nothing.
        let car = PersonNumber(dispatcherCode: receipt.taxi)
        let names = try await accounts.drivers.taxiNames(of: [car].compactMap(\.self))
        let signs = car.flatMap { names[$0] }.map { names in
            self.signs(names.code, plate: names.plate, look: names.look, context)
        }
        let card = ReceiptCard(
            title: "\(web.settings.name)",
            detail: time(ended.record.ended ?? ended.record.asked, context),
            ride: "\(signs)\(journey(ended, context))\(still)",
            lines: lines(receipt, context),
            total: (
                EndTexts.fare,
                receipt.fare.map { money($0.share, context) } ?? context.say(EndTexts.noFare)
            ),
            proof: proof(receipt, signature, context)
        )
        return Page(
            EndTexts.receiptTitle(number),
            body: """
                <h1>\(context.say(EndTexts.receiptTitle(number)))</h1>
                \(card.html(context))
                <dl class="summary facts">\(facts(ended, context))\(parts(receipt, context))</dl>
                <p class="actions"><button type="button" class="primary" data-print hidden>\
                \(Icon.printer.html) <span>\(context.say(EndTexts.print))</span></button>
                <a class="button" href=\(Address("/ride", number))>\
                \(context.say(EndTexts.back))</a></p>
                """
        )
    }

    /// The parts of the fare.
    private func lines(
        _ receipt: RideReceipt,
        _ context: RequestContext
    ) -> [(label: Text, amount: String)] {
        guard let fare = receipt.fare?.fare else { return [] }
        return fare.lines.map { ($0.kind.label, money(Money($0.amount, fare.currency), context)) }
    }

    private func proof(
        _ receipt: RideReceipt,
        _ signature: [UInt8],
        _ context: RequestContext
    ) -> HTML {
        """
        <p>\(context.say(EndTexts.proofLead))</p>
        <pre>\(receipt.text)</pre>
        <p><b>\(context.say(EndTexts.signature))</b><br><code>\(signature.hex)</code></p>
        <p><b>\(context.say(EndTexts.key))</b><br>\
        <code>\(taxi.receipts.publicKey.hex)</code></p>
        """
    }

    private func parts(_ receipt: RideReceipt, _ context: RequestContext) -> [HTML] {
        guard let fare = receipt.fare else { return [] }
        let kilometres = Double(fare.decimetres / 1_000) / 10
        let minutes = wholeMinutes(fare.milliseconds / 1_000)
        return [
            (EndTexts.people, "\(receipt.aboard)"),
            (EndTexts.driven, context.say(EndTexts.way(kilometres, minutes))),
        ].map { label, value -> HTML in
            "<div><dt>\(context.say(label))</dt><dd>\(value)</dd></div>"
        }
    }
}

extension Fare.Line.Kind {
    /// The description of a part of the fare.
    fileprivate var label: Text {
        switch self {
        case .initialDay: FarePartTexts.initialCharge
        case .initialNight: FarePartTexts.initialChargeAtNight
        case .initialHoliday: FarePartTexts.initialChargeOnHolidays
        case .travelled: FarePartTexts.timeAndDistance
        case .minimum: FarePartTexts.upToTheMinimum
        case .surcharge(let name, let count): Text(same: "\(name) × \(count)")
        case .fixed(let from, let to): FarePartTexts.fixedFare(from, to)
        }
    }
}
