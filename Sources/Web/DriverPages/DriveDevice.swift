import Dispatching
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

extension DriverPages {
    /// The driver's page as it stays open at work: it is fetched anew when something happens, says
    /// what the device knows, and sends where he is (`drive.js`).
    ///
    /// - Parameters:
    ///   - page: the queue, the offer or the ride.
    ///   - seat: whose it is.
    ///   - visit: who sees it.
    /// - Returns: the same page; without scripts it is as it was.
    func atWork(_ page: Page, _ seat: Seat, _ visit: Visit) -> Page {
        let policy = seat.view.policy
        let isAtWork = seat.view.taxi.isOnDuty || seat.view.taxi.work != .none
        let words = DeviceStateTexts.forScript.map { name, text -> HTML in
            " data-\(name)=\"\(visit.say(text))\""
        }
        // Nobody measures where he is: the page says it again as often as it would without scripts.
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

    /// What the script must know to measure where he is and to send it.
    func measuring(_ policy: Policy) -> HTML {
        """
        data-most="\(PositionIntake.batchLimit)" data-moving="\(policy[.movingInterval])" \
        data-standing="\(policy[.standingInterval])"
        """
    }
}

/// What a driver's device says of itself; the script puts figures in the place of `%`.
extension DeviceStateTexts {
    /// The words of the script, by the names of the attributes that carry them.
    static let forScript: [(String, Text)] = [
        ("locate", DeviceStateTexts.useMyLocation),
        // How an offer calls (R50): the device that rings remembers it.
        ("alert", DeviceStateTexts.onThisDeviceANew),
        ("try", DeviceStateTexts.tryIt),
        ("both", DeviceStateTexts.soundAndVibration),
        ("sound", DeviceStateTexts.sound),
        ("vibration", DeviceStateTexts.vibration),
        ("screen", DeviceStateTexts.theScreenOnly),
        ("on", DeviceStateTexts.locationToM),
        ("off", DeviceStateTexts.locationIsNotUsed),
        ("seeking", DeviceStateTexts.lookingForYourLocation),
        ("silent", DeviceStateTexts.noLocationForS),
        (
            "denied",
            DeviceStateTexts.locationIsOffAllowIt
        ),
        (
            "none",
            DeviceStateTexts.thisBrowserKnowsNoLocation
        ),
        ("online", DeviceStateTexts.connected),
        (
            "offline",
            DeviceStateTexts.noConnectionPositionsWaitTo
        ),
        (
            "refused",
            DeviceStateTexts.notSentYouAreOffline
        ),
        (
            "unclear",
            DeviceStateTexts.weDoNotKnowYet
        ),
        ("left", OfferTexts.left("%")),
        (
            "over",
            DeviceStateTexts.theTimeForThisOffer
        ),
    ]
}
