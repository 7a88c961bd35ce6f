import Identity
import Localization
import TaxiPages

extension AuditAct {
    /// A description of an operator's action.
    var operatorLabel: Text {
        switch self {
        case .assignTaxi: Text("Assigned a request to a taxi", "Richiesta assegnata a un taxi")
        case .holdRequest: Text("Set a request aside", "Richiesta messa da parte")
        case .releaseRequest: Text("Took a request up again", "Richiesta ripresa")
        case .replaceTaxi:
            Text("Sent another taxi for a request", "Altro taxi mandato per una richiesta")
        case .cancelRequest: Text("Cancelled a request", "Richiesta annullata")
        case .endRide: Text("Ended a ride", "Corsa conclusa")
        case .restoreTurn: Text("Gave a driver his turn back", "Turno restituito a un tassista")
        case .takeOffDuty: Text("Took a driver off duty", "Tassista messo fuori servizio")
        case .callTaxi: Text("Called a taxi for a caller", "Taxi chiamato per chi telefona")
        case .notifyDrivers: Text("Told drivers something", "Avviso dato ai tassisti")
        case .withdrawNotice: Text("Took a notice back", "Avviso ritirato")
        default: Text(same: rawValue)
        }
    }
}
