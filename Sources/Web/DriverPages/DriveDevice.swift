import Dispatching
import Identity
import Localization
package import Markup
import Taxi
import TaxiPages
package import WebCore

extension DriverPages {
    /// Adds what the script needs to a driver's page that stays open at work: it reloads the page
    /// on events, shows the state of the device, and sends positions (`drive.js`).
    ///
    /// - Parameters:
    ///   - page: the queue, the offer or the ride.
    ///   - driver: the driver and taxi that the page is for.
    ///   - context: the current HTTP request.
    /// - Returns: the extended page, which works unchanged without scripts.
    func atWork(_ page: Page, _ driver: WorkingDriver, _ context: RequestContext) -> Page {
        let policy = driver.view.policy
        let isAtWork = driver.view.taxi.isOnDuty || driver.view.taxi.work != .none
        let words = DeviceStateTexts.forScript.map { name, text -> HTML in
            " data-\(name)=\"\(context.say(text))\""
        }
        // The device is not measuring positions, so the page repeats the stated place as often as
        // it would without scripts.
        let repeated: HTML? = drivers.statedPlace(by: driver, at: context.now).map { _ in
            " data-repeat=\"\(refreshSeconds(driver.view))\""
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
            \(context.say(DriveStanding(driver.view).said))</p>
            <div id="drive" data-live="drive" data-duty="\(isAtWork ? "on" : "off")"\(repeated)>\
            \(page.body)</div>
            <script src=\(assets.driveScript.address) defer id="drive-script" \
            data-navigation=\(assets.navigationScript.address) \
            \(measuring(policy, context))\(words)></script>
            """
        return page
    }

    /// The style sheet of the driver's pages; nil for all others.
    package func driveHead(_ context: RequestContext) -> HTML? {
        guard !context.isRefresh, context.path == "/drive" || context.path.hasPrefix("/drive/")
        else { return nil }
        return "<link rel=\"stylesheet\" href=\(assets.driveStyle.address)>"
    }

    /// The attributes that the script needs to measure and send positions.
    func measuring(_ policy: Policy, _ context: RequestContext) -> HTML {
        let isDriven =
            context.session?.person.flatMap { environment.demonstration?.isDriven($0) } == true
        let driven: HTML? =
            isDriven ? " data-driven=\"\(context.say(DeviceStateTexts.carDrivesItself))\"" : nil
        return """
            data-most="\(PositionIntake.batchLimit)" data-moving="\(policy[.movingInterval])" \
            data-standing="\(policy[.standingInterval])"\(driven)
            """
    }
}

/// UI texts for the state of a driver's device; the script replaces `%` with a number.
extension DeviceStateTexts {
    /// The texts that the script uses, by the names of the attributes that carry them.
    static let forScript: [(String, Text)] = [
        ("locate", DeviceStateTexts.useMyLocation),
        // How the device alerts the driver to an offer (R50), which is stored on the device.
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
            DeviceStateTexts.locationIsOff
        ),
        (
            "none",
            DeviceStateTexts.thisBrowserKnowsNoLocation
        ),
        ("online", DeviceStateTexts.connected),
        (
            "offline",
            DeviceStateTexts.positionsWaitToBeSent
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
