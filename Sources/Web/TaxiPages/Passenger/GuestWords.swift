package import Identity
package import Localization

package enum GuestWords {
    package static let needsAccount = Text("You need an account", "Serve un account")
    package static let unreachable = Text(
        "Without an account you would get a code by message, and this server cannot send any at "
            + "present. Sign in, or create an account.",
        "Senza account riceveresti un codice per messaggio, e questo server ora non può inviarne. "
            + "Accedi, o crea un account."
    )
    package static let title = Text("How do we reach you?", "Come ti raggiungiamo?")
    package static let lead = Text(
        "We send you a code, so that nobody calls taxis in your name.",
        "Ti mandiamo un codice, così nessuno chiama taxi a tuo nome."
    )
    package static func label(_ ways: Set<GuestProof>) -> Text {
        if ways.count > 1 {
            return Text("Mobile number or e-mail", "Numero di cellulare o e-mail")
        }
        return ways.contains(.phone)
            ? Text("Mobile number", "Numero di cellulare") : Text("E-mail", "E-mail")
    }
    package static func hint(_ ways: Set<GuestProof>) -> Text? {
        guard ways.contains(.phone) else { return nil }
        return Text("Such as +39 333 1234567", "Per esempio +39 333 1234567")
    }
    package static func bad(_ ways: Set<GuestProof>) -> Text {
        if ways.count > 1 {
            return Text(
                "Write a mobile number such as +39 333 1234567, or an e-mail address.",
                "Scrivi un numero come +39 333 1234567, o un indirizzo e-mail."
            )
        }
        return ways.contains(.phone)
            ? Text(
                "Write a mobile number such as +39 333 1234567.",
                "Scrivi un numero come +39 333 1234567."
            )
            : Text(
                "Write an e-mail address such as ana@example.org.",
                "Scrivi un indirizzo e-mail come ana@example.org."
            )
    }
    package static let send = Text("Send me the code", "Inviami il codice")
    package static let tooMany = Text(
        "Too many codes were asked for from your network. Try again in an hour, or sign in.",
        "Dalla tua rete sono stati chiesti troppi codici. Riprova tra un'ora, o accedi."
    )
    package static func kept(days: Int64) -> Text {
        Text(
            "We use it for this ride only, keep it sealed, and destroy it \(days) days after your "
                + "last request, with your places.",
            "Lo usiamo solo per questa corsa, lo conserviamo sigillato e lo distruggiamo "
                + "\(days) giorni dopo l'ultima richiesta, insieme ai tuoi luoghi."
        )
    }
    package static let account = Text("I have an account", "Ho un account")
    package static let sent = Text("Enter the code", "Inserisci il codice")
    package static func sentLead(_ proof: GuestProof) -> Text {
        switch proof {
        case .phone:
            Text(
                "We have sent an SMS with a code. One number gets three codes an hour at most.",
                "Abbiamo inviato un SMS con un codice. Un numero riceve al massimo tre codici "
                    + "all'ora."
            )
        case .email:
            Text(
                "We have sent a mail with a code. One address gets three codes an hour at most.",
                "Abbiamo inviato un'e-mail con un codice. Un indirizzo riceve al massimo tre "
                    + "codici all'ora."
            )
        }
    }
    package static let code = Text("Code", "Codice")
    package static let codeHint = Text("Eight digits", "Otto cifre")
    package static let wrong = Text(
        "This is not the code that we sent last.",
        "Non è l'ultimo codice che abbiamo inviato."
    )
    package static let again = Text("Another number or address, or a new code", "Cambia recapito o codice")
}
