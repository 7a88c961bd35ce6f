import Foundation
import HTTPTypes
import Identity
package import Markup
import Notify
package import WebCore

/// The stream of live events, and what every page shows of it.
package struct LivePages: TaxiPageModule {
    /// What it shares with the other pages about taxis.
    package let environment: TaxiEnvironment

    /// The pages of a site.
    package init(_ environment: TaxiEnvironment) {
        self.environment = environment
    }

    /// Its pages and actions.
    package var routes: [Route] {
        [.get("/events", listen).believingSession]
    }

    private func listen(_ visit: Visit) throws -> Reply {
        // Whoever asks for a page would wait for its end for ever.
        guard (visit.headers[.accept] ?? "").contains("text/event-stream") else {
            throw Failure.badRequest
        }
        // Who has no cookie has nothing to follow; this answer tells browsers not to come again.
        guard !visit.isNewSecret else { return Reply(.noContent) }
        // A page of a session that is over, in a browser that somebody else uses by now, or nobody.
        guard visit.query["session"] ?? visit.sessionText == visit.sessionText else {
            return Reply(.noContent)
        }
        let stream = live.hub.stream(
            for: visit.caller,
            from: EventHub.Client(
                network: ClientAddress(visit.address).group,
                standing: visit.standing
            ),
            topics: visit.topics,
            after: visit.headers[.lastEventID] ?? visit.query["after"],
            at: visit.now,
            whenSlow: visit.hangUp
        )
        guard let stream else { throw Failure.busy(retryAfter: 10) }
        return Reply(
            .ok,
            type: "text/event-stream",
            stream: stream,
            headers: [.cacheControl: "no-store, no-transform", .accelBuffering: "no"]
        )
    }

    /// What the head of a page has that is told of events.
    ///
    /// - Parameters:
    ///   - page: the page.
    ///   - visit: who sees it.
    /// - Returns: nil for a page that has nothing to follow.
    package func liveHead(_ page: Page, _ visit: Visit) -> HTML? {
        let seconds = page.refresh ?? (page.isLive ? 20 : nil)
        guard visit.session?.person != nil || seconds != nil else { return nil }
        let names = LiveEvent.allCases.map(\.rawValue).joined(separator: " ")
        // Without scripts the whole page comes again; not for the notices that all pages have.
        let refresh: HTML? = seconds.map {
            "<noscript><meta http-equiv=\"refresh\" content=\"\($0)\"></noscript>"
        }
        let every: HTML? = page.isPolled ? seconds.map { " data-every=\"\($0)\"" } : nil
        return """
            <script src=\(assets.liveScript.address) defer id="live-script"\(every) \
            data-session="\(visit.sessionText)" data-after="\(visit.newestEvent)" \
            data-names="\(names)" data-zone="\(web.settings.timeZone.identifier)" \
            data-lost="\(visit.say(LiveTexts.lost))" \
            data-stays="\(visit.say(LiveTexts.stays))"></script>
            \(refresh)
            """
    }

    /// That the service is suspended, on every page of who is signed in, as soon as it is (R12).
    package func serviceNotice(_ visit: Visit) -> HTML? {
        guard visit.session?.person != nil else { return nil }
        let notice = live.suspension.map { line -> HTML in
            let notice = SuspensionNotice(line: line)
            return """
                <div class="notice warn"><p><b>\(visit.say(SuspensionNotice.title))</b><br>\
                \(visit.say(SuspensionTexts.because)) \(notice.html(in: visit.language))</p>\
                \(until(notice, visit))</div>
                """
        }
        return """
            <div class="wide" id="service-state" role="status" data-live="service">\(notice)</div>
            """
    }
}

extension Visit {
    /// How many streams others may have open before this visitor gets none.
    fileprivate var standing: EventHub.Standing {
        session?.person != nil ? .person : guest != nil ? .guest : .visitor
    }

    /// What tells the pages of one session from those of another; empty without one.
    fileprivate var sessionText: String { session.map { "\($0.number)" } ?? "" }
}
