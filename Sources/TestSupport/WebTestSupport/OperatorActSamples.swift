package import Identity
import TaxiPages

/// The acts of operators.
package enum OperatorActSamples {
    /// What each POST of the live console writes down.
    package static let acts: [String: AuditAct] = [
        "/console/operations/requests/{request}/assign": .assignTaxi,
        "/console/operations/requests/{request}/hold": .holdRequest,
        "/console/operations/requests/{request}/release": .releaseRequest,
        "/console/operations/requests/{request}/replace": .replaceTaxi,
        "/console/operations/requests/{request}/cancel": .cancelRequest,
        "/console/operations/requests/{request}/end": .endRide,
        "/console/operations/call/request": .callTaxi,
        "/console/operations/notices": .notifyDrivers,
        "/console/operations/notices/{notice}/end": .withdrawNotice,
        "/console/operations/streets": .restrictStreet,
        "/console/operations/streets/{restriction}/end": .reopenStreet,
        "/console/operations/taxis/{taxi}/turn": .restoreTurn,
        "/console/operations/taxis/{taxi}/off": .takeOffDuty,
    ]
}
