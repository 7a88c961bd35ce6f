package import Localization
package import Markup
package import WebCore

extension TaxiPageModule {
    /// The hidden fields that the script fills in with the position of the device.
    package static var locatingFields: HTML {
        """
        <input type="hidden" name="latitude" value="">\
        <input type="hidden" name="longitude" value="">\
        <input type="hidden" name="accuracy" value="">
        """
    }

    /// The hidden fields for the position of the device as the destination (R74).
    ///
    /// Where a form has them, the script adds a second button beside the field of the destination.
    package static var destinationFields: HTML {
        """
        <input type="hidden" name="to-latitude" value="">\
        <input type="hidden" name="to-longitude" value="">\
        <input type="hidden" name="to-accuracy" value="">
        """
    }

    /// The script of the button that takes the device's position as the pickup (R42, R43, R45), and
    /// of the one that takes it as the destination (R74).
    ///
    /// It creates the button in the element `locating`, so browsers without scripts do not show it,
    /// and says in the element `located` what became of it. The form sends
    /// the measured position, and the server decides whether it is accurate enough. An address that
    /// the passenger types takes precedence.
    package func locatingScript(
        allowedMetres allowed: Int64,
        _ context: RequestContext
    ) -> HTML {
        let words = LocatingTexts.forScript(allowed).map { name, text -> HTML in
            " data-\(name)=\"\(context.say(text))\""
        }
        return """
            <script src=\(assets.placeScript.address) defer id="place-script" \
            data-allowed="\(allowed)"\(words)></script>
            """
    }
}

extension LocatingTexts {
    /// The texts for the script, by the names of the attributes that carry them.
    ///
    /// The script replaces `%` with a number of metres.
    package static func forScript(_ allowed: Int64) -> [(String, Text)] {
        [
            ("use", LocatingTexts.useMyLocation),
            ("use-to", LocatingTexts.goToMyLocation),
            ("found-to", LocatingTexts.yourDestinationIsYourLocation),
            ("busy", LocatingTexts.lookingForYourLocation),
            (
                "found",
                LocatingTexts.weStartFromYourLocation
            ),
            (
                "vague",
                LocatingTexts.locationTooVague(allowed)
            ),
            (
                "denied",
                LocatingTexts.yourLocationIsNotAllowed
            ),
            (
                "none",
                LocatingTexts.yourLocationCannotBeFound
            ),
        ]
    }
}
