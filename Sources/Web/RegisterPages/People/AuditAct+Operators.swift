import Identity
import Localization
import TaxiPages

extension AuditAct {
    /// A description of an operator's action.
    var operatorLabel: Text {
        switch self {
        case .assignTaxi: StaffPagesTexts.assignedARequestToA
        case .holdRequest: StaffPagesTexts.setARequestAside
        case .releaseRequest: StaffPagesTexts.tookARequestUpAgain
        case .replaceTaxi:
            StaffPagesTexts.sentAnotherTaxiForA
        case .cancelRequest: StaffPagesTexts.cancelledARequest
        case .endRide: StaffPagesTexts.endedARide
        case .restoreTurn: StaffPagesTexts.gaveADriverHisTurn
        case .takeOffDuty: StaffPagesTexts.tookADriverOffDuty
        case .callTaxi: StaffPagesTexts.calledATaxiForA
        case .notifyDrivers: StaffPagesTexts.toldDriversSomething
        case .withdrawNotice: StaffPagesTexts.tookANoticeBack
        default: Text(same: rawValue)
        }
    }
}
