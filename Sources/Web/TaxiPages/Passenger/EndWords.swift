import Dispatching
package import Localization

package enum EndWords {
    package static let asked = Text("Requested", "Richiesta")
    package static let boarded = Text("On board", "A bordo")
    package static let ended = Text("Ended", "Fine")
    package static let fare = Text("You pay", "Paghi")
    package static let noFare = Text("What the taximeter shows", "Quanto segna il tassametro")
    package static let again = Text("Request another taxi", "Chiedi un altro taxi")
    package static let another = Text("Another taxi", "Un altro taxi")
    package static let receipt = Text("See the receipt", "Vedi la ricevuta")
    package static let back = Text("Back to the ride", "Torna alla corsa")
    package static func receiptTitle(_ number: String) -> Text {
        Text("Receipt \(number)", "Ricevuta \(number)")
    }
    package static let proof = Text("Proof", "Prova")
    package static let proofLead = Text(
        "The city has signed this text, and its place in the log of all rides is in it. Whoever "
            + "has the text and the signature can have both checked.",
        "La città ha firmato questo testo, che contiene il suo posto nel registro di tutte le "
            + "corse. Chi ha testo e firma può farli controllare."
    )
    package static let signature = Text("Signature (Ed25519)", "Firma (Ed25519)")
    package static let key = Text("The city's public key", "Chiave pubblica della città")
    package static let people = Text("People on board", "Persone a bordo")
    package static let driven = Text("The way", "Percorso")
    package static func way(_ kilometres: Double, _ minutes: Int64) -> Text {
        let italian = "\(kilometres)".replacing(".", with: ",")
        return Text("\(kilometres) km in \(minutes) min", "\(italian) km in \(minutes) min")
    }
}

extension RequestOutcome {
    /// What a passenger is told of the end of his request, in one line.
    package var title: Text {
        switch self {
        case .completed: Text("You have arrived", "Sei arrivato")
        case .noTaxi: Text("No taxi is free near you", "Nessun taxi è libero vicino a te")
        case .allRefused: Text("No driver could take it", "Nessun tassista ha potuto accettare")
        case .heldTooLong: Text("No taxi came free in time", "Nessun taxi si è liberato in tempo")
        case .dropped: Text("No taxi was found in time", "Nessun taxi trovato in tempo")
        case .cancelled: Text("You have cancelled it", "Hai annullato")
        case .withdrawn: Text("The operator cancelled it", "L'operatore ha annullato")
        case .noShow: Text("The taxi left without you", "Il taxi è ripartito senza di te")
        case .suspended: Text("The service was suspended", "Il servizio è stato sospeso")
        case .outsideCity:
            Text("Your meeting point is outside the city", "Il punto d'incontro è fuori città")
        }
    }

    /// What it means, and what to do next.
    package var advice: Text {
        switch self {
        case .completed:
            Text("Thank you for riding with us.", "Grazie per aver viaggiato con noi.")
        case .noTaxi:
            Text(
                "No taxi that can carry you waits in your zone. Try again in some minutes.",
                "Nella tua zona non c'è un taxi libero adatto. Riprova tra qualche minuto."
            )
        case .allRefused:
            Text(
                "We asked every taxi of your zone, and none could come. You can ask again.",
                "Abbiamo chiesto a ogni taxi della tua zona e nessuno poteva venire. Puoi chiedere "
                    + "di nuovo."
            )
        case .heldTooLong:
            Text(
                "We tried as often as the city allows. You can ask again.",
                "Abbiamo provato quante volte la città consente. Puoi chiedere di nuovo."
            )
        case .dropped:
            Text(
                "We tried as often as the city allows, and gave your reservation up. We are sorry.",
                "Abbiamo provato quante volte la città consente e la prenotazione è decaduta. Ci "
                    + "dispiace."
            )
        case .cancelled: Text("No taxi comes.", "Non viene nessun taxi.")
        case .withdrawn:
            Text(
                "The city's operator has taken your request back. No taxi comes.",
                "L'operatore della città ha ritirato la richiesta. Non viene nessun taxi."
            )
        case .noShow:
            Text(
                "The driver was at the meeting point and did not find you.",
                "Il tassista era al punto d'incontro e non ti ha trovato."
            )
        case .suspended:
            Text(
                "The city has suspended it while we were looking for a taxi. No taxi comes.",
                "La città lo ha sospeso mentre cercavamo un taxi. Non viene nessun taxi."
            )
        case .outsideCity:
            Text(
                "The city has redrawn its zones, and it lies outside them now. No taxi comes.",
                "La città ha ridisegnato le zone e ora resta fuori. Non viene nessun taxi."
            )
        }
    }
}
