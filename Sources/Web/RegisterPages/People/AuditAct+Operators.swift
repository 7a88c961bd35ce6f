import Identity
import Localization
import TaxiPages

extension AuditAct {
    /// A description of an operator's action.
    var operatorLabel: Text {
        switch self {
        case .assignTaxi: StaffPagesTexts.assignedARequest
        case .holdRequest: StaffPagesTexts.setARequestAside
        case .releaseRequest: StaffPagesTexts.tookARequestUpAgain
        case .replaceTaxi:
            StaffPagesTexts.sentAnotherTaxi
        case .cancelRequest: StaffPagesTexts.cancelledARequest
        case .endRide: StaffPagesTexts.endedARide
        case .restoreTurn: StaffPagesTexts.gaveATurnBack
        case .takeOffDuty: StaffPagesTexts.tookADriverOffDuty
        case .callTaxi: StaffPagesTexts.calledATaxi
        case .notifyDrivers: StaffPagesTexts.toldDriversSomething
        case .withdrawNotice: StaffPagesTexts.tookANoticeBack
        case .restrictStreet: StaffPagesTexts.restrictedAStreet
        case .reopenStreet: StaffPagesTexts.reopenedAStreet
        default: Text(same: rawValue)
        }
    }
}
