import Encoding
import HTTPTypes
import Identity
import Markup
import Notify
import TaxiPages
import WebCore

/// Notifications on this device: the browsers that a person has subscribed to Web
/// Push (R102, ui.md 1).
///
/// The browser asks for permission only when the button is pressed. Without scripts, a person can
/// view the list and remove a device.
extension AccountPages {
    /// The store of push subscriptions.
    var devices: PushSubscriptions { accounts.browsers(in: database) }

    /// The section of the preferences about this device and the person's other devices.
    func deviceSection(_ context: RequestContext, _ person: PersonNumber) async throws -> HTML {
        let entries = try await devices.entries(of: "\(person.rawValue)")
        let isHere = entries.contains { $0.session == context.session?.number }
        let list = try await deviceList(entries, context, person)
        return """
            <h2 id="devices">\(context.say(DeviceTexts.title))</h2>
            <p>\(context.say(isHere ? DeviceTexts.isOn : DeviceTexts.lead))</p>
            \(isHere ? .empty : deviceForm(context))
            \(entries.isEmpty ? "<p>\(context.say(DeviceTexts.none))</p>" : list)
            """
    }

    private func deviceForm(_ context: RequestContext) -> HTML {
        let names = ["endpoint", "p256dh", "auth"].map { name -> HTML in
            "<input type=\"hidden\" name=\"\(name)\">"
        }
        return """
            <noscript><p>\(context.say(DeviceTexts.needsScripts))</p></noscript>
            <form method="post" action="/account/device" id="push-form" hidden \
            data-key="\(pushKey)" data-cannot="\(context.say(DeviceTexts.cannot))" \
            data-denied="\(context.say(DeviceTexts.denied))" \
            data-slow="\(context.say(DeviceTexts.slow))" \
            data-busy="\(context.say(DeviceTexts.busy))">\
            \(context.formToken)\(names)
            <p><button type="button" id="push-button">\(context.say(DeviceTexts.button))</button>\
            </p>
            </form>
            <p id="push-said" role="status"></p>
            <script src=\(assets.pushScript.address) defer></script>
            """
    }

    private func deviceList(
        _ entries: [PushSubscriptions.Entry],
        _ context: RequestContext,
        _ person: PersonNumber
    ) async throws -> HTML {
        let sessions = try await accounts.sessions(of: person, at: context.now)
        let rows = entries.map { entry -> Row in
            // Once the session has ended, the push service is all that is known about the device.
            let words = sessions.first { $0.number == entry.session }?.device ?? ""
            let name = words.isEmpty ? entry.service : words
            let isThis = entry.session == context.session?.number
            return Row(
                .bell,
                "\(name)\(HTML.when(isThis, " (\(context.say(DeviceTexts.this)))"))",
                detail: "\(context.say(DeviceTexts.since)) \(time(entry.subscribed, context))",
                value: """
                    <form method="post" action="/account/device/remove">\(context.formToken)\
                    <button name="device" value="\(entry.id)">\(context.say(DeviceTexts.remove))\
                    <span class="hidden"> \(name)</span></button></form>
                    """
            )
        }
        return "<h3 class=\"hidden\">\(context.say(DeviceTexts.caption))</h3>\(Rows(rows).html)"
    }

    /// Subscribes the browser that sends this request, with the fields of the W3C Push API.
    func addDevice(_ context: RequestContext) async throws -> Response {
        guard let session = context.session, let person = session.person else {
            throw Failure.notSignedIn
        }
        guard let subscription = subscription(in: context.form, of: person) else {
            var page = message(DeviceTexts.title, DeviceTexts.refused, context)
            page.status = .unprocessableContent
            return response(page, to: context)
        }
        // A new subscription replaces the previous one of the same browser.
        try await devices.add(subscription, session: session.number, at: context.now)
        var preferences = try await profile(context).preferences
        if preferences.channels.insert(.push).inserted {
            var change = ProfileChange()
            change.preferences = preferences
            try await accounts.change(change, of: person, at: context.now)
        }
        return .redirect(to: Address("/account/preferences", query: ["notice": "device"]))
    }

    /// The key and token that the service worker needs to renew a subscription while no page is
    /// open (`service-worker.js`).
    func deviceKey(_ context: RequestContext) async throws -> Response {
        let token = context.secret?.formToken() ?? ""
        return Response(
            type: "application/json",
            bytes: Array(JSONString.object(["key": pushKey, "token": token]).utf8),
            headers: [.cacheControl: "private, no-store"]
        )
    }

    /// Updates the endpoint of a browser after its push service has changed it (Push API, 10.4).
    ///
    /// A browser that its owner has removed stays removed, and preferences do not change, because
    /// the person has not requested anything.
    func renewDevice(_ context: RequestContext) async throws -> Response {
        guard let session = context.session, let person = session.person else {
            throw Failure.notSignedIn
        }
        guard let subscription = subscription(in: context.form, of: person) else {
            throw Failure.badRequest
        }
        try await devices.renew(
            subscription,
            from: context.form["old"],
            session: session.number,
            at: context.now
        )
        return Response(.noContent)
    }

    /// The push subscription in a form; nil if it is invalid or its push service is not allowed.
    private func subscription(in form: Form, of person: PersonNumber) -> PushSubscription? {
        let subscription = PushSubscription(
            person: "\(person.rawValue)",
            endpoint: form["endpoint"] ?? "",
            key: form["p256dh"] ?? "",
            secret: form["auth"] ?? ""
        )
        guard let subscription, pushesToLoopback || subscription.isPlausible else {
            return nil
        }
        return subscription
    }

    /// Removes one of the person's browsers.
    func removeDevice(_ context: RequestContext, _ signedIn: SignedIn) async throws -> Response {
        try await devices.remove(context.form["device"] ?? "", of: "\(signedIn.person.rawValue)")
        return .redirect(to: Address("/account/preferences", query: ["notice": "device-gone"]))
    }

    /// Moves the browser's subscription to the session that replaces the current one.
    func keepDevice(_ grant: SessionGrant, _ context: RequestContext) async throws {
        guard let old = context.session?.number, let person = grant.session.person else { return }
        let name = "\(person.rawValue)"
        try await devices.move(fromSession: old, to: grant.session.number, of: name)
    }

    /// Removes all of the person's browsers except this one, as all other sessions have ended.
    func keepOnlyDevice(_ grant: SessionGrant, _ context: RequestContext) async throws {
        guard let person = grant.session.person else { return }
        let name = "\(person.rawValue)"
        try await devices.removeAll(of: name, butOfSession: grant.session.number)
    }
}

extension AccountPages {
    /// The fields of a push subscription, as the browser makes them (W3C Push API).
    static let subscriptionFields: [InputField] = [
        .set("endpoint", .text(2_048), "The address that takes messages to the browser.").explained,
        .set("p256dh", .text(200), "The public key of the browser.").explained,
        .set("auth", .secret(100), "The secret that authenticates messages.").explained,
    ]
}
