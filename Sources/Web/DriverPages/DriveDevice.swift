import Dispatching
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

extension DriverPages {
    /// Adds what the script needs to a driver's page that stays open at work: it reloads the page
    /// on events, shows the state of the device, and sends positions (`drive.js`).
    ///
    /// - Parameters:
    ///   - page: the queue, the offer or the ride.
    ///   - seat: the driver and taxi that the page is for.
    ///   - visit: the current HTTP request.
    /// - Returns: the extended page, which works unchanged without scripts.
    func atWork(_ page: Page, _ seat: Seat, _ visit: Visit) -> Page {
        let policy = seat.view.policy
        let isAtWork = seat.view.taxi.isOnDuty || seat.view.taxi.work != .none
        let words = DeviceStateWords.forScript.map { name, text -> HTML in
            " data-\(name)=\"\(visit.say(text))\""
        }
        // The device is not measuring positions, so the page repeats the stated place as often as
        // it would without scripts.
        let repeated: HTML? = drivers.statedPlace(by: seat, at: visit.now).map { _ in
            " data-repeat=\"\(refreshSeconds(seat.view))\""
        }
        var page = page
        page.isLive = true
        page.isKept = true
        page.body = """
            <div class="device" id="device"><span id="device-gps"></span>\
            <span id="device-line"></span></div>
            <p class="hidden" role="status" id="device-said"></p>
            <p class="notice bad" role="alert" id="device-refused"></p>
            <p class="hidden" role="status" id="drive-said" data-live="drive">\
            \(visit.say(DriveStanding(seat.view).said))</p>
            <div id="drive" data-live="drive" data-duty="\(isAtWork ? "on" : "off")"\(repeated)>\
            \(page.body)</div>
            <div class="field short" id="device-alert"></div>
            <script src=\(assets.driveScript.address) defer id="drive-script" \
            \(measuring(policy))\(words)></script>
            """
        return page
    }

    /// The attributes that the script needs to measure and send positions.
    func measuring(_ policy: Policy) -> HTML {
        """
        data-most="\(PositionIntake.batchLimit)" data-moving="\(policy[.movingInterval])" \
        data-standing="\(policy[.standingInterval])"
        """
    }
}

/// UI texts for the state of a driver's device; the script replaces `%` with a number.
enum DeviceStateWords {
    /// The texts that the script uses, by the names of the attributes that carry them.
    static let forScript: [(String, Text)] = [
        ("locate", Text("Use my location", "Usa la mia posizione")),
        // How the device alerts the driver to an offer (R50), which is stored on the device.
        ("alert", Text("On this device a new ride calls by", "Qui una nuova corsa ti avvisa con")),
        ("try", Text("Try it", "Prova")),
        ("both", Text("sound and vibration", "suono e vibrazione")),
        ("sound", Text("sound", "suono")),
        ("vibration", Text("vibration", "vibrazione")),
        ("screen", Text("the screen only", "solo lo schermo")),
        ("on", Text("Location to % m.", "Posizione a % m.")),
        ("off", Text("Location is not used.", "La posizione non è in uso.")),
        ("seeking", Text("Looking for your location…", "Cerco la tua posizione…")),
        ("silent", Text("No location for % s.", "Nessuna posizione da % s.")),
        (
            "denied",
            Text(
                "Location is off. Allow it for this page in the browser's settings, or say where "
                    + "you are.",
                "La posizione è disattivata. Permettila per questa pagina nelle impostazioni del "
                    + "browser, o indica dove sei."
            )
        ),
        (
            "none",
            Text(
                "This browser knows no location: say where you are.",
                "Questo browser non conosce la posizione: indica dove sei."
            )
        ),
        ("online", Text("Connected.", "Connesso.")),
        (
            "offline",
            Text(
                "No connection: % positions wait to be sent.",
                "Connessione assente: % posizioni in attesa di invio."
            )
        ),
        (
            "refused",
            Text(
                "Not sent: you are offline. Your status is unchanged.",
                "Non inviato: sei offline. Il tuo stato non è cambiato."
            )
        ),
        (
            "unclear",
            Text(
                "We do not know yet whether it arrived. Wait for the connection and look again, "
                    + "or press once more: it is done once.",
                "Non sappiamo ancora se è arrivato. Attendi la connessione e controlla, oppure "
                    + "premi di nuovo: viene fatto una volta sola."
            )
        ),
        ("left", OfferWords.left("%")),
        (
            "over",
            Text(
                "The time for this offer is over.",
                "Il tempo per questa offerta è scaduto."
            )
        ),
    ]
}
