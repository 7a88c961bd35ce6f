import Foundation
import HTTPTypes
import Identity
package import Markup
import Notify
package import WebCore

/// The stream of live events, and the parts of every page that depend on it.
package struct LivePages: TaxiPageModule {
    /// The services and settings that all taxi pages share.
    package let environment: TaxiEnvironment

    /// Creates the pages for live events.
    package init(_ environment: TaxiEnvironment) {
        self.environment = environment
    }

    /// The route of the event stream.
    package var routes: [Route] {
        [
            .get("/events", as: "events", for: .everybody, listen)
                .taking([
                    .query("session", .text(80), "The session for which the page was made."),
                    .query("after", .text(200), "The last event that the page has seen."),
                ])
                .answering(.events, .nothing).believingSession
        ]
    }

    private func listen(_ context: RequestContext) throws -> Response {
        // A client that expects a page would wait forever for the end of the stream.
        guard (context.headers[.accept] ?? "").contains("text/event-stream") else {
            throw Failure.badRequest
        }
        // A browser without a cookie has nothing to follow. This response tells it not to
        // reconnect.
        guard !context.isNewSecret else { return Response(.noContent) }
        // The page belongs to an expired session, in a browser that now has another session or
        // none.
        guard context.query["session"] ?? context.sessionText == context.sessionText else {
            return Response(.noContent)
        }
        let stream = live.hub.stream(
            for: context.caller,
            from: EventHub.Client(
                network: ClientAddress(context.address).group,
                standing: context.standing
            ),
            topics: context.topics,
            after: context.headers[.lastEventID] ?? context.query["after"],
            at: context.now,
            whenSlow: context.hangUp
        )
        guard let stream else { throw Failure.busy(retryAfter: 10) }
        return Response(
            .ok,
            type: "text/event-stream",
            stream: stream,
            headers: [.cacheControl: "no-store, no-transform", .accelBuffering: "no"]
        )
    }

    /// The head elements of a page that follows live events.
    ///
    /// - Parameters:
    ///   - page: the page.
    ///   - context: the visitor's request.
    /// - Returns: nil for a page that follows no events.
    package func liveHead(_ page: Page, _ context: RequestContext) -> HTML? {
        let seconds = page.refresh ?? (page.isLive ? 20 : nil)
        guard context.session?.person != nil || seconds != nil else { return nil }
        let names = LiveEvent.allCases.map(\.rawValue).joined(separator: " ")
        // Without scripts the whole page refreshes, but not merely for the notices that all pages
        // have.
        let refresh: HTML? = seconds.map {
            "<noscript><meta http-equiv=\"refresh\" content=\"\($0)\"></noscript>"
        }
        let every: HTML? = page.isPolled ? seconds.map { " data-every=\"\($0)\"" } : nil
        return """
            <script src=\(assets.liveScript.address) defer id="live-script"\(every) \
            data-session="\(context.sessionText)" data-after="\(context.newestEvent)" \
            data-names="\(names)" data-zone="\(web.settings.timeZone.identifier)" \
            data-lost="\(context.say(LiveTexts.lost))" \
            data-stays="\(context.say(LiveTexts.stays))"></script>
            \(refresh)
            """
    }

    /// The notice on every page of a signed-in visitor that the service is suspended (R12).
    package func serviceNotice(_ context: RequestContext) -> HTML? {
        guard context.session?.person != nil else { return nil }
        let notice = live.suspension.map { line -> HTML in
            let notice = SuspensionNotice(line: line)
            return """
                <div class="notice warn"><p><b>\(context.say(SuspensionNotice.title))</b><br>\
                \(context.say(SuspensionTexts.because)) \(notice.html(in: context.language))</p>\
                \(until(notice, context))</div>
                """
        }
        return """
            <div class="wide" id="service-state" role="status" data-live="service">\(notice)</div>
            """
    }
}

extension RequestContext {
    /// How well the visitor is known, which determines the share of the streams that they may use.
    fileprivate var standing: EventHub.Standing {
        session?.person != nil ? .person : guest != nil ? .guest : .visitor
    }

    /// Distinguishes the pages of different sessions; empty without a session.
    fileprivate var sessionText: String { session.map { "\($0.number)" } ?? "" }
}
