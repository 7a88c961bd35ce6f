package import Dispatching
package import Localization
package import Markup
package import WebCore

extension TaxiPageModule {
    /// A button that uses the device's position as the pickup point (R42, R43, R45).
    ///
    /// The script creates the button, so browsers without scripts do not show it. The form sends
    /// the measured position, and the server decides whether it is accurate enough. An address that
    /// the passenger types takes precedence.
    package func locatingButton(_ policy: Policy, _ visit: Visit) -> HTML {
        let allowed = policy[.gpsAccuracy]
        let words = LocatingWords.forScript(allowed).map { name, text -> HTML in
            " data-\(name)=\"\(visit.say(text))\""
        }
        return """
            <p id="locating"></p>
            <script src=\(assets.placeScript.address) defer id="place-script" \
            data-allowed="\(allowed)"\(words)></script>
            """
    }
}

package enum LocatingWords {
    /// The texts for the script, by the names of the attributes that carry them.
    ///
    /// The script replaces `%` with a number of metres.
    package static func forScript(_ allowed: Int64) -> [(String, Text)] {
        [
            ("use", Text("Use my location", "Usa la mia posizione")),
            ("busy", Text("Looking for your location…", "Cerco la tua posizione…")),
            (
                "found",
                Text(
                    "We start from your location (to % m). You confirm it on the next page.",
                    "Partiamo dalla tua posizione (a % m). La confermi nella pagina seguente."
                )
            ),
            (
                "vague",
                Text(
                    "Your location is known to % m only, and \(allowed) m is allowed. Write the "
                        + "address, or choose a point on the map.",
                    "La tua posizione è nota solo a % m e ne sono ammessi \(allowed). Scrivi "
                        + "l'indirizzo, o scegli un punto sulla mappa."
                )
            ),
            (
                "denied",
                Text(
                    "Your location is not allowed in this browser. Write the address.",
                    "In questo browser la posizione non è permessa. Scrivi l'indirizzo."
                )
            ),
            (
                "none",
                Text(
                    "Your location cannot be found just now. Write the address.",
                    "Ora non è possibile trovare la tua posizione. Scrivi l'indirizzo."
                )
            ),
        ]
    }
}
