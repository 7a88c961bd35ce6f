import Localization
import Markup
import TaxiPages
import WebCore

enum HomeWords {
    static let name = Text("Taxis and journeys", "Taxi e viaggi")
    static let title = Text(
        "A taxi when you need one, and your day on time",
        "Un taxi quando serve, e la giornata in orario"
    )
    static let lead = Text(
        "Your city's own taxis. The one that has waited longest comes first, for everybody.",
        "I taxi della tua città. Arriva per primo quello che aspetta da più tempo, per tutti."
    )
    static let forEverybody = Text("Also for you", "Anche per te")
    static let everybody: [(Address, Text, Text)] = [
        (
            Address("/register/driver"), Text("You drive a taxi", "Guidi un taxi"),
            Text(
                "See your place in the queue and how many are ahead. A refusal never costs more "
                    + "than your turn.",
                "Vedi il tuo posto in coda e quanti hai davanti. Un rifiuto non costa mai più del "
                    + "tuo turno."
            )
        ),
        (
            Address("/accessibility"), Text("You read otherwise", "Leggi in un altro modo"),
            Text(
                "Screen reader, keyboard, large text, text browser, old telephone: every page "
                    + "works.",
                "Lettore di schermo, tastiera, testo grande, browser testuale, vecchio telefono: "
                    + "ogni pagina funziona."
            )
        ),
        (
            Address("/privacy"), Text("You want to know", "Vuoi sapere"),
            Text(
                "What is kept, for how long, and which cookies there are: all on one page.",
                "Cosa si conserva, per quanto, e quali cookie ci sono: tutto in una pagina."
            )
        ),
    ]
    static let how = Text("How it works", "Come funziona")
    static let points: [(Icon, Text, Text)] = [
        (
            .taxi, Text("Call or reserve", "Chiama o prenota"),
            Text(
                "Say where you are and we ask the first taxi of your zone, then the next, until "
                    + "one accepts. Or reserve for later, and share the ride if you like.",
                "Di' dove sei e chiediamo al primo taxi della tua zona, poi al successivo, finché "
                    + "uno accetta. Oppure prenota per dopo e, se vuoi, condividi la corsa."
            )
        ),
        (
            .list, Text("Fair, and you can check it", "Equo, e si può verificare"),
            Text(
                "Every taxi keeps its place in a queue. Each decision is written down with the "
                    + "rule behind it, so nobody is passed over without a reason.",
                "Ogni taxi tiene il suo posto in coda. Ogni decisione è registrata con la regola "
                    + "che la spiega: nessuno viene scavalcato senza motivo."
            )
        ),
        (
            .lock, Text("Yours stays yours", "I tuoi dati restano tuoi"),
            Text(
                "Your places and plans are seen only by whoever drives you. You can take all your "
                    + "data with you, or have it destroyed.",
                "I tuoi luoghi e i tuoi programmi li vede solo chi ti porta. Puoi scaricare tutti "
                    + "i tuoi dati, o farli distruggere."
            )
        ),
    ]
}

enum PrivacyWords {
    static let title = Text("Privacy and cookies", "Privacy e cookie")
    static let paragraphs = [
        Text(
            "This service is run by the city. It keeps what it needs to bring you a taxi and "
                + "nothing else. It is not sold, not given to advertisers, and not analysed by "
                + "other companies: the pages load nothing from anywhere else.",
            "Questo servizio è gestito dalla città. Conserva solo ciò che serve per mandarti un "
                + "taxi. I dati non sono venduti, né ceduti a inserzionisti, né analizzati da "
                + "altre aziende: le pagine non caricano nulla da altri siti."
        ),
        Text(
            "Where you are and where you go, and your first name, is shown to the driver who "
                + "accepts your ride; the places also to people with whom you choose to share it.",
            "Dove ti trovi e dove vai, e il tuo nome di battesimo, li vede il tassista che accetta "
                + "la tua corsa; i luoghi anche le persone con cui scegli di condividerla."
        ),
        Text(
            "So that you can read it without a connection, your browser keeps the page of a ride "
                + "that runs. It is removed when the ride is over and when you sign in or "
                + "out, and shown for a day at most.",
            "Perché tu possa leggerla senza connessione, il tuo browser conserva la pagina della "
                + "corsa in corso. Viene tolta a fine corsa e quando entri o esci "
                + "dall'account, ed è mostrata al massimo per un giorno."
        ),
        Text(
            "Who calls a taxi without an account proves a telephone number or an e-mail address. "
                + "Both are sealed, and destroyed with the places two days after the last request.",
            "Chi chiama un taxi senza account dimostra un numero di telefono o un indirizzo "
                + "e-mail. Sono sigillati, e distrutti insieme ai luoghi due giorni dopo "
                + "l'ultima richiesta."
        ),
        Text(
            "Attempts to sign in are kept with their network address for 30 days, so that misuse "
                + "can be found.",
            "I tentativi di accesso sono conservati con l'indirizzo di rete per 30 giorni, per "
                + "poter scoprire gli abusi."
        ),
        Text(
            "You can see, change, download and delete all that is kept about you, at any time, on "
                + "your account's page.",
            "In ogni momento puoi vedere, modificare, scaricare e cancellare tutto ciò che ti "
                + "riguarda, dalla pagina del tuo account."
        ),
    ]
    static let cookiesTitle = Text("Cookies", "Cookie")
    static let cookiesLead = Text(
        "We set only cookies that the service needs to work. None follows you to other sites.",
        "Usiamo solo i cookie necessari al servizio. Nessuno ti segue su altri siti."
    )
    static let cookie = Text("Cookie", "Cookie")
    static let purpose = Text("What it is for", "A cosa serve")
    static let kept = Text("How long", "Per quanto")
    static let cookies: [(String, Text, Text)] = [
        (
            "session",
            Text(
                "Keeps you signed in, and protects forms from being sent by others.",
                "Ti mantiene connesso e protegge i moduli da invii di altri."
            ),
            Text(
                "Until you sign out; 30 days without use, 180 at most. Without signing in: until "
                    + "you close the browser",
                "Finché esci; 30 giorni senza uso, 180 al massimo. Senza accesso: finché chiudi "
                    + "il browser"
            )
        ),
        (
            "order",
            Text(
                "Remembers where you want to go until you confirm it; only our server reads it.",
                "Ricorda dove vuoi andare finché confermi; lo legge solo il nostro server."
            ),
            Text("One hour", "Un'ora")
        ),
        (
            "language",
            Text("Remembers the language you chose.", "Ricorda la lingua che hai scelto."),
            Text("One year", "Un anno")
        ),
    ]
}

enum AccessibilityWords {
    static let title = Text("Accessibility", "Accessibilità")
    static let paragraphs = [
        Text(
            "Everybody should be able to call a taxi here: with a screen reader, with the keyboard "
                + "alone, with large text, without colours, without scripts, in a text browser, on "
                + "an old telephone. We build and test these pages for WCAG 2.2, level AA.",
            "Qui tutti devono poter chiamare un taxi: con un lettore di schermo, con la sola "
                + "tastiera, con testo grande, senza colori, senza script, in un browser testuale, "
                + "su un vecchio telefono. Queste pagine sono fatte e provate per WCAG 2.2, "
                + "livello AA."
        ),
        Text(
            "Every map has the same information in words before it. Nothing is said by colour or "
                + "sound alone. Nothing moves but taxis on a map.",
            "Ogni mappa è preceduta dalle stesse informazioni in parole. Nulla è indicato solo con "
                + "il colore o il suono. Si muovono solo i taxi su una mappa."
        ),
        Text(
            "If something keeps you from using the service, tell the city: it is a fault, and it "
                + "will be mended.",
            "Se qualcosa ti impedisce di usare il servizio, segnalalo alla città: è un difetto e "
                + "sarà corretto."
        ),
    ]
}
