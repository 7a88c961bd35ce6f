package import Dispatching
package import Localization
package import Markup
package import WebCore

extension TaxiPageModule {
    /// A button that takes the place of the device, for whoever wants to be met where he is (R42,
    /// R43, R45); the script makes it, so that there is none without.
    ///
    /// What is measured goes with the form and is judged by the server; an address that is written
    /// counts in its place.
    package func locatingButton(_ policy: Policy, _ visit: Visit) -> HTML {
        let allowed = policy[.gpsAccuracy]
        let words = LocatingTexts.forScript(allowed).map { name, text -> HTML in
            " data-\(name)=\"\(visit.say(text))\""
        }
        return """
            <p id="locating"></p>
            <script src=\(assets.placeScript.address) defer id="place-script" \
            data-allowed="\(allowed)"\(words)></script>
            """
    }
}

extension LocatingTexts {
    /// The words of the script, by the names of the attributes that carry them; it puts metres in
    /// the place of `%`.
    package static func forScript(_ allowed: Int64) -> [(String, Text)] {
        [
            ("use", LocatingTexts.useMyLocation),
            ("busy", LocatingTexts.lookingForYourLocation),
            (
                "found",
                LocatingTexts.weStartFromYourLocation
            ),
            (
                "vague",
                LocatingTexts.yourLocationIsKnownTo(allowed)
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
