import HTTPTypes
import Identity
import Markup
import Notify
import TaxiPages
import WebCore

/// Notices on this device: browsers that a person subscribed to Web Push (R102, ui.md 1).
///
/// Permission is asked when the button is pressed, never before. What can be done without scripts
/// is to look at the list and to remove a device.
extension AccountPages {
    /// The browsers that are subscribed.
    var devices: PushSubscriptions { accounts.browsers(in: database) }

    /// The part of the preferences that is about this device and the others.
    func deviceSection(_ visit: Visit, _ person: PersonNumber) async throws -> HTML {
        let entries = try await devices.entries(of: "\(person.rawValue)")
        let isHere = entries.contains { $0.session == visit.session?.number }
        let list = try await deviceList(entries, visit, person)
        return """
            <h2 id="devices">\(visit.say(DeviceTexts.title))</h2>
            <p>\(visit.say(isHere ? DeviceTexts.isOn : DeviceTexts.lead))</p>
            \(isHere ? .empty : deviceForm(visit))
            \(entries.isEmpty ? "<p>\(visit.say(DeviceTexts.none))</p>" : list)
            """
    }

    private func deviceForm(_ visit: Visit) -> HTML {
        let names = ["endpoint", "p256dh", "auth"].map { name -> HTML in
            "<input type=\"hidden\" name=\"\(name)\">"
        }
        return """
            <noscript><p>\(visit.say(DeviceTexts.needsScripts))</p></noscript>
            <form method="post" action="/account/device" id="push-form" hidden \
            data-key="\(pushKey)" data-cannot="\(visit.say(DeviceTexts.cannot))" \
            data-denied="\(visit.say(DeviceTexts.denied))" \
            data-slow="\(visit.say(DeviceTexts.slow))" data-busy="\(visit.say(DeviceTexts.busy))">\
            \(visit.formToken)\(names)
            <p><button type="button" id="push-button">\(visit.say(DeviceTexts.button))</button></p>
            </form>
            <p id="push-said" role="status"></p>
            <script src=\(assets.pushScript.address) defer></script>
            """
    }

    private func deviceList(
        _ entries: [PushSubscriptions.Entry],
        _ visit: Visit,
        _ person: PersonNumber
    ) async throws -> HTML {
        let sessions = try await accounts.sessions(of: person, at: visit.now)
        let rows = entries.map { entry -> HTML in
            // Where the session is over, the push service is all that is known of the device.
            let words = sessions.first { $0.number == entry.session }?.device ?? ""
            let name = words.isEmpty ? entry.service : words
            let isThis = entry.session == visit.session?.number
            return """
                <tr><th scope="row">\(name)\
                \(HTML.when(isThis, " (\(visit.say(DeviceTexts.this)))"))</th>\
                <td>\(time(entry.subscribed, visit))</td>\
                <td><form method="post" action="/account/device/remove">\(visit.formToken)\
                <button name="device" value="\(entry.id)">\(visit.say(DeviceTexts.remove))\
                <span class="hidden"> \(name)</span></button></form></td></tr>
                """
        }
        return """
            <div class="scroll"><table><caption>\(visit.say(DeviceTexts.caption))</caption>
            <thead><tr><th scope="col">\(visit.say(AccountPageTexts.device))</th>\
            <th scope="col">\(visit.say(DeviceTexts.since))</th>\
            <th scope="col">\(visit.say(CommonTexts.action))</th></tr></thead>
            <tbody>\(rows)</tbody></table></div>
            """
    }

    /// Subscribes the browser that sends this, in the words of the W3C's Push API.
    func addDevice(_ visit: Visit) async throws -> Reply {
        guard let session = visit.session, let person = session.person else {
            throw Failure.notSignedIn
        }
        guard let subscription = subscription(in: visit.form, of: person) else {
            var page = message(DeviceTexts.title, DeviceTexts.refused, visit)
            page.status = .unprocessableContent
            return reply(page, to: visit)
        }
        // Another subscription of the same browser takes the place of the one it had.
        try await devices.add(subscription, session: session.number, at: visit.now)
        var preferences = try await profile(visit).preferences
        if preferences.channels.insert(.push).inserted {
            var change = ProfileChange()
            change.preferences = preferences
            try await accounts.change(change, of: person)
        }
        return .redirect(to: Address("/account/preferences", query: ["notice": "device"]))
    }

    /// What a browser needs to subscribe while no page of ours is open (`service-worker.js`).
    func deviceKey(_ visit: Visit) async throws -> Reply {
        let token = visit.secret?.formToken() ?? ""
        let json = "{\"key\":\(JSONText(pushKey)),\"token\":\(JSONText(token))}"
        return Reply(
            type: "application/json",
            bytes: Array(json.utf8),
            headers: [.cacheControl: "private, no-store"]
        )
    }

    /// Takes the new address of a browser whose push service gave it another one (Push API, 10.4).
    ///
    /// A browser that its owner has removed since stays so, and no preference is changed: nobody
    /// has pressed anything.
    func renewDevice(_ visit: Visit) async throws -> Reply {
        guard let session = visit.session, let person = session.person else {
            throw Failure.notSignedIn
        }
        guard let subscription = subscription(in: visit.form, of: person) else {
            throw Failure.badRequest
        }
        try await devices.renew(
            subscription,
            from: visit.form["old"],
            session: session.number,
            at: visit.now
        )
        return Reply(.noContent)
    }

    /// The browser that a form names; nil where it is none that notices are sent to.
    private func subscription(in form: Form, of person: PersonNumber) -> PushSubscription? {
        let subscription = PushSubscription(
            person: "\(person.rawValue)",
            endpoint: form["endpoint"] ?? "",
            key: form["p256dh"] ?? "",
            secret: form["auth"] ?? ""
        )
        guard let subscription, pushReach == .loopbackOnly || subscription.isPlausible else {
            return nil
        }
        return subscription
    }

    /// Forgets one of the person's browsers.
    func removeDevice(_ visit: Visit) async throws -> Reply {
        guard let person = visit.session?.person else { throw Failure.notSignedIn }
        try await devices.remove(visit.form["device"] ?? "", of: "\(person.rawValue)")
        return .redirect(to: Address("/account/preferences", query: ["notice": "device-gone"]))
    }

    /// Keeps the browser subscribed whose session a new one takes the place of.
    func keepDevice(_ grant: SessionGrant, _ visit: Visit) async throws {
        guard let old = visit.session?.number, let person = grant.session.person else { return }
        let name = "\(person.rawValue)"
        try await devices.move(fromSession: old, to: grant.session.number, of: name)
    }

    /// Forgets all browsers of a person but this one: all others were signed out.
    func keepOnlyDevice(_ grant: SessionGrant, _ visit: Visit) async throws {
        guard let person = grant.session.person else { return }
        let name = "\(person.rawValue)"
        try await devices.removeAll(of: name, butOfSession: grant.session.number)
    }
}
