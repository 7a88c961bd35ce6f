import Drivers
package import Identity
package import Localization
package import WebCore

/// What is wrong with a field, in words.
extension FieldProblem.Kind {
    /// What is wrong, and what to write instead.
    package func words(for field: FormField) -> Text {
        switch self {
        case .missing:
            field == .consent
                ? Text(
                    "Without your consent we cannot register you.",
                    "Senza il tuo consenso non possiamo registrarti."
                ) : Text("Fill this in.", "Compila questo campo.")
        case .tooShort(let least):
            Text("Write at least \(least) characters.", "Scrivi almeno \(least) caratteri.")
        case .tooLong(let most):
            Text("Write at most \(most) characters.", "Scrivi al massimo \(most) caratteri.")
        case .badFormat: Self.format(of: field)
        case .noDigit: Text("Use at least one digit.", "Usa almeno una cifra.")
        case .noCapital:
            Text("Use at least one capital letter.", "Usa almeno una lettera maiuscola.")
        case .differs:
            Text("This is not the same as above.", "Non è uguale a quanto scritto sopra.")
        case .unchanged:
            Text("This is what you have already.", "È uguale a quello che hai già.")
        case .taken: Text("Somebody else has this.", "È già di qualcun altro.")
        case .repeated(let line):
            Text("The same stands in line \(line).", "Lo stesso si trova alla riga \(line).")
        case .expired: Text("This day has passed.", "Questa data è passata.")
        case .webAddress:
            Text("Leave out web addresses.", "Non inserire indirizzi web.")
        }
    }

    private static func format(of field: FormField) -> Text {
        switch field {
        case .userName:
            Text(
                "Begin with a letter, then 2 to 20 letters or digits.",
                "Inizia con una lettera, poi da 2 a 20 lettere o cifre."
            )
        case .email:
            Text(
                "Write an address such as ana@example.org.",
                "Scrivi un indirizzo come ana@example.org."
            )
        case .phone:
            Text(
                "Write a number such as +39 333 1234567.",
                "Scrivi un numero come +39 333 1234567."
            )
        case .taxiLicenceExpires, .drivingLicenceExpires:
            Text("Write a day such as 2027-01-31.", "Scrivi una data come 2027-01-31.")
        case .plate: Text("Write a plate such as AB 123 CD.", "Scrivi una targa come AB 123 CD.")
        case .seats: Text("Write a number from 1 to 9.", "Scrivi un numero da 1 a 9.")
        case .wheelchair: Text("Write yes or no.", "Scrivi yes o no.")
        case .name, .surname, .address, .reason:
            Text(
                "Leave out invisible characters and line breaks.",
                "Togli i caratteri invisibili e gli a capo."
            )
        default:
            Text("This is not in the right form.", "Il formato non è corretto.")
        }
    }
}

extension FormField {
    /// What the field is called on pages.
    package var label: Text {
        switch self {
        case .userName: Text("User name", "Nome utente")
        case .email: Text("E-mail", "E-mail")
        case .password: Text("Password", "Password")
        case .passwordAgain: Text("Password again", "Ripeti la password")
        case .oldPassword: Text("Your present password", "La tua password attuale")
        case .name: Text("Name", "Nome")
        case .surname: Text("Surname", "Cognome")
        case .address: Text("Address", "Indirizzo")
        case .phone: Text("Mobile phone", "Cellulare")
        case .language: Text("Language of our mails", "Lingua delle nostre e-mail")
        case .preferences: Text("Messages", "Messaggi")
        case .consent: Text("Consent", "Consenso")
        case .taxiCode: Text("Taxi code", "Codice del taxi")
        case .plate: Text("Plate", "Targa")
        case .taxiLicence: Text("Taxi licence", "Licenza taxi")
        case .taxiLicenceExpires: Text("Taxi licence valid until", "Licenza taxi valida fino al")
        case .drivingLicence: Text("Driving licence", "Patente")
        case .drivingLicenceExpires: Text("Driving licence valid until", "Patente valida fino al")
        case .seats: Text("Seats for passengers", "Posti per i passeggeri")
        case .wheelchair: Text("Room for a wheelchair", "Spazio per una sedia a rotelle")
        case .reason: Text("Reason", "Motivo")
        case .line: Text("Line", "Riga")
        default: Text(same: rawValue)
        }
    }
}

extension AccountFailure {
    /// What to say on the page of the form; nil where it is said at fields or on a page of its own.
    package var words: Text? {
        switch self {
        case .invalid: nil
        case .wrongCredentials:
            Text(
                "The name or the password is not right. Wait 10 seconds before you try again.",
                "Il nome o la password non sono corretti. Aspetta 10 secondi prima di riprovare."
            )
        case .wait:
            Text(
                "After a wrong password, please wait 10 seconds before the next attempt.",
                "Dopo una password errata aspetta 10 secondi prima del prossimo tentativo."
            )
        case .unconfirmed:
            Text(
                "First open the link in the mail that we sent you when you registered.",
                "Prima apri il link nell'e-mail che ti abbiamo inviato alla registrazione."
            )
        case .suspended(let reason):
            Text(
                "This account is suspended: \(reason). Ask the city's administrators.",
                "Questo account è sospeso: \(reason). Rivolgiti agli amministratori della città."
            )
        case .badToken:
            Text(
                "This link or code is not valid any more. Ask for a new one.",
                "Questo link o codice non è più valido. Chiedine uno nuovo."
            )
        case .tooManyMessages:
            Text(
                "We have just sent you a mail. Look at it, also among unwanted mail.",
                "Ti abbiamo appena inviato un'e-mail. Cercala, anche nella posta indesiderata."
            )
        case .tooManyFromNetwork:
            Text(
                "Too many messages were asked for from your network. Try again in an hour.",
                "Dalla tua rete sono stati chiesti troppi messaggi. Riprova tra un'ora."
            )
        case .lastAdministrator:
            Text(
                "You are the only administrator. Make somebody else one first.",
                "Sei l'unico amministratore. Prima nominane un altro."
            )
        case .changedMeanwhile:
            Text(
                "Somebody changed this meanwhile. Look at it again.",
                "Nel frattempo qualcuno lo ha modificato. Ricontrollalo."
            )
        case .notProceeded:
            Text(
                "Tick the box to say that you want to go on.",
                "Spunta la casella per confermare che vuoi procedere."
            )
        default: nil
        }
    }

    /// The failure of the whole request, where it is one.
    package var failure: Failure? {
        switch self {
        case .busy(let seconds): .busy(retryAfter: seconds)
        case .notAllowed: .notAllowed
        case .passwordNeeded: .askPassword
        case .noSuchPerson: .notFound
        default: nil
        }
    }
}
