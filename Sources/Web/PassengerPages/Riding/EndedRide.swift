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
    func endedPage(_ number: RequestNumber, _ visit: Visit) async throws -> Page {
        let ended: EndedRequest
        do {
            let passenger = try knownPassenger(visit).passenger
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
                <h1>\(visit.say(outcome.title))</h1>
                \(HTML.when(isDone, steps(nil, visit)))
                <p class="lead">\(visit.say(outcome.advice))</p>
                <dl class="summary facts">\(facts(ended, visit))</dl>
                \(actions(number, isDone: isDone, visit))
                \(HTML.when(ended.record.taxi != nil, feedbackLink(number, visit)))
                \(ended.record.taxi.flatMap { _ in staffPhone(visit) })
                """
        )
    }

    private func facts(_ ended: EndedRequest, _ visit: Visit) -> [HTML] {
        let record = ended.record
        var facts: [(Text, HTML)] = [(EndTexts.asked, time(record.asked, visit))]
        if let boarded = record.boarded { facts.append((EndTexts.boarded, time(boarded, visit))) }
        if let end = record.ended { facts.append((EndTexts.ended, time(end, visit))) }
        if let meeting = ended.meeting { facts.append((CheckTexts.meeting, "\(meeting.text)")) }
        if let destination = ended.destination {
            facts.append((CheckTexts.destination, "\(destination.text)"))
        }
        if let fare = ended.fare {
            facts.append((EndTexts.fare, "\(money(fare.share, visit))"))
            if fare.share != fare.fare.total {
                facts.append((ShareTexts.whole, "\(money(fare.fare.total, visit))"))
            }
        } else if record.outcome == .completed {
            facts.append((EndTexts.fare, "\(visit.say(EndTexts.noFare))"))
        }
        return facts.map { label, value in
            "<div><dt>\(visit.say(label))</dt><dd>\(value)</dd></div>"
        }
    }

    private func actions(_ number: RequestNumber, isDone: Bool, _ visit: Visit) -> HTML {
        let all: HTML = """
            <a href="/account/rides">\(visit.say(CommonTexts.rides))</a>
            """
        guard isDone else {
            return """
                <p class="actions"><a class="button primary" href="/taxi">\
                \(visit.say(EndTexts.again))</a></p>
                """
        }
        return """
            <p class="actions"><a class="button primary" \
            href=\(Address("/receipt", "\(number.rawValue)"))>\
            \(visit.say(EndTexts.receipt))</a>
            <a class="button" href="/taxi">\(visit.say(EndTexts.another))</a>
            \(HTML.when(visit.session?.person != nil, all))</p>
            """
    }

    // MARK: The receipt

    func showReceipt(_ visit: Visit) async throws -> Reply {
        let number = try requestNumber(visit)
        let passenger = try knownPassenger(visit).passenger
        do {
            // This call waits until the tables include a ride that has just ended.
            guard let ended = try await taxi.ended(number, for: passenger) else {
                throw Failure.notFound
            }
            let (receipt, signature) = try await taxi.receipt(of: number, for: passenger)
            return reply(receiptPage(receipt, signature, ended, visit), to: visit)
        } catch let failure as TaxiService.Failure where failure != .notServing {
            throw Failure.notFound
        }
    }

    private func receiptPage(
        _ receipt: RideReceipt,
        _ signature: [UInt8],
        _ ended: EndedRequest,
        _ visit: Visit
    ) -> Page {
        let number = "\(receipt.ride.rawValue)"
        let total = receipt.fare.map { money($0.share, visit) }
        return Page(
            EndTexts.receiptTitle(number),
            body: """
                <h1>\(visit.say(EndTexts.receiptTitle(number)))</h1>
                <p class="lead">\(total ?? visit.say(EndTexts.noFare))</p>
                <dl class="summary facts">\(facts(ended, visit))\(parts(receipt, visit))</dl>
                <h2>\(visit.say(EndTexts.proof))</h2>
                <p>\(visit.say(EndTexts.proofLead))</p>
                <pre>\(receipt.text)</pre>
                <dl class="summary facts">
                <div><dt>\(visit.say(EndTexts.signature))</dt>\
                <dd><code>\(signature.hex)</code></dd></div>
                <div><dt>\(visit.say(EndTexts.key))</dt>\
                <dd><code>\(taxi.receipts.publicKey.hex)</code></dd></div>
                </dl>
                <p class="actions"><a class="button" href=\(Address("/ride", number))>\
                \(visit.say(EndTexts.back))</a></p>
                """
        )
    }

    private func parts(_ receipt: RideReceipt, _ visit: Visit) -> [HTML] {
        guard let fare = receipt.fare else { return [] }
        let kilometres = Double(fare.decimetres / 1_000) / 10
        let minutes = wholeMinutes(fare.milliseconds / 1_000)
        return [
            (EndTexts.people, "\(receipt.aboard)"),
            (EndTexts.driven, visit.say(EndTexts.way(kilometres, minutes))),
        ].map { label, value -> HTML in
            "<div><dt>\(visit.say(label))</dt><dd>\(value)</dd></div>"
        }
    }
}
