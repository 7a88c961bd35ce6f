import Dispatching
import Encoding
import Fares
import HTTPTypes
import Identity
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

/// The outcome of a request, and its receipt (R54, R55, R64, I23).
extension PassengerPages {
    func endedPage(_ number: RequestNumber, _ context: RequestContext) async throws -> Page {
        let ended: EndedRequest
        do {
            let passenger = try knownPassenger(context).passenger
            guard let found = try await taxi.ended(number, for: passenger) else {
                throw Failure.notFound
            }
            ended = found
        } catch TaxiService.Failure.notYours {
            throw Failure.notFound
        }
        let outcome = ended.record.outcome ?? .withdrawn
        let isDone = outcome == .completed
        return Page(
            outcome.title,
            body: """
                <h1>\(context.say(outcome.title))</h1>
                \(HTML.when(isDone, steps(nil, context)))
                <p class="lead">\(context.say(outcome.advice))</p>
                <dl class="summary facts">\(facts(ended, context))</dl>
                \(actions(number, isDone: isDone, context))
                \(HTML.when(ended.record.taxi != nil, feedbackLink(number, context)))
                \(ended.record.taxi.flatMap { _ in staffPhone(context) })
                """
        )
    }

    private func facts(_ ended: EndedRequest, _ context: RequestContext) -> [HTML] {
        let record = ended.record
        var facts: [(Text, HTML)] = [(EndTexts.asked, time(record.asked, context))]
        if let boarded = record.boarded { facts.append((EndTexts.boarded, time(boarded, context))) }
        if let end = record.ended { facts.append((EndTexts.ended, time(end, context))) }
        if let meeting = ended.meeting { facts.append((CheckTexts.meeting, "\(meeting.text)")) }
        if let destination = ended.destination {
            facts.append((CheckTexts.destination, "\(destination.text)"))
        }
        if let fare = ended.fare {
            facts.append((EndTexts.fare, "\(money(fare.share, context))"))
            if fare.share != fare.fare.total {
                facts.append((ShareTexts.whole, "\(money(fare.fare.total, context))"))
            }
        } else if record.outcome == .completed {
            facts.append((EndTexts.fare, "\(context.say(EndTexts.noFare))"))
        }
        return facts.map { label, value in
            "<div><dt>\(context.say(label))</dt><dd>\(value)</dd></div>"
        }
    }

    private func actions(_ number: RequestNumber, isDone: Bool, _ context: RequestContext) -> HTML {
        let all: HTML = """
            <a href="/account/rides">\(context.say(CommonTexts.rides))</a>
            """
        guard isDone else {
            return """
                <p class="actions"><a class="button primary" href="/taxi">\
                \(context.say(EndTexts.again))</a></p>
                """
        }
        return """
            <p class="actions"><a class="button primary" \
            href=\(Address("/receipt", "\(number.rawValue)"))>\
            \(context.say(EndTexts.receipt))</a>
            <a class="button" href="/taxi">\(context.say(EndTexts.another))</a>
            \(HTML.when(context.session?.person != nil, all))</p>
            """
    }

    // MARK: The receipt

    func showReceipt(_ context: RequestContext) async throws -> Response {
        let number = try requestNumber(context)
        let passenger = try knownPassenger(context).passenger
        do {
            // This call waits until the tables include a ride that has just ended.
            guard let ended = try await taxi.ended(number, for: passenger) else {
                throw Failure.notFound
            }
            let (receipt, signature) = try await taxi.receipt(of: number, for: passenger)
            return response(receiptPage(receipt, signature, ended, context), to: context)
        } catch let failure as TaxiService.Failure where failure != .notServing {
            throw Failure.notFound
        }
    }

    private func receiptPage(
        _ receipt: RideReceipt,
        _ signature: [UInt8],
        _ ended: EndedRequest,
        _ context: RequestContext
    ) -> Page {
        let number = "\(receipt.ride.rawValue)"
        let total = receipt.fare.map { money($0.share, context) }
        return Page(
            EndTexts.receiptTitle(number),
            body: """
                <h1>\(context.say(EndTexts.receiptTitle(number)))</h1>
                <p class="lead">\(total ?? context.say(EndTexts.noFare))</p>
                <dl class="summary facts">\(facts(ended, context))\(parts(receipt, context))</dl>
                <h2>\(context.say(EndTexts.proof))</h2>
                <p>\(context.say(EndTexts.proofLead))</p>
                <pre>\(receipt.text)</pre>
                <dl class="summary facts">
                <div><dt>\(context.say(EndTexts.signature))</dt>\
                <dd><code>\(signature.hex)</code></dd></div>
                <div><dt>\(context.say(EndTexts.key))</dt>\
                <dd><code>\(taxi.receipts.publicKey.hex)</code></dd></div>
                </dl>
                <p class="actions"><a class="button" href=\(Address("/ride", number))>\
                \(context.say(EndTexts.back))</a></p>
                """
        )
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
