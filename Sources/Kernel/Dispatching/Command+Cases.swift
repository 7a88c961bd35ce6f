public import Chronology

// The cases of all groups under their own names, so that a command can be written as
// `.goOnDuty(taxi)`.
extension Command {
    /// See ``City/adopt(_:)``.
    public static func adopt(_ policy: Policy) -> Command { .city(.adopt(policy)) }
    /// See ``City/drawZones(_:)``.
    public static func drawZones(_ drawing: ZoneDrawing) -> Command { .city(.drawZones(drawing)) }
    /// See ``City/register(_:)``.
    public static func register(_ form: TaxiForm) -> Command { .city(.register(form)) }
    /// See ``City/change(_:_:)``.
    public static func change(_ taxi: TaxiNumber, _ form: TaxiForm) -> Command {
        .city(.change(taxi, form))
    }
    /// See ``City/remove(_:)``.
    public static func remove(_ taxi: TaxiNumber) -> Command { .city(.remove(taxi)) }
    /// See ``City/completeSetup``.
    public static var completeSetup: Command { .city(.completeSetup) }
    /// See ``Driver/goOnDuty(_:)``.
    public static func goOnDuty(_ taxi: TaxiNumber) -> Command { .driver(.goOnDuty(taxi)) }
    /// See ``Driver/goOffDuty(_:)``.
    public static func goOffDuty(_ taxi: TaxiNumber) -> Command { .driver(.goOffDuty(taxi)) }
    /// See ``Driver/locate(_:_:)``.
    public static func locate(_ taxi: TaxiNumber, _ place: Place) -> Command {
        .driver(.locate(taxi, place))
    }
    /// See ``Driver/loseContact(_:)``.
    public static func loseContact(_ taxi: TaxiNumber) -> Command { .driver(.loseContact(taxi)) }
    /// See ``Driver/regainContact(_:_:)``.
    public static func regainContact(_ taxi: TaxiNumber, _ place: Place) -> Command {
        .driver(.regainContact(taxi, place))
    }
    /// See ``Offer/confirmDelivery(_:_:epoch:)``.
    public static func confirmDelivery(
        _ request: RequestNumber,
        _ taxi: TaxiNumber,
        epoch: Int64
    ) -> Command {
        .offer(.confirmDelivery(request, taxi, epoch: epoch))
    }
    /// See ``Offer/reportUndeliverable(_:_:epoch:)``.
    public static func reportUndeliverable(
        _ request: RequestNumber,
        _ taxi: TaxiNumber,
        epoch: Int64
    ) -> Command {
        .offer(.reportUndeliverable(request, taxi, epoch: epoch))
    }
    /// See ``Offer/accept(_:_:epoch:)``.
    public static func accept(_ request: RequestNumber, _ taxi: TaxiNumber, epoch: Int64) -> Command
    {
        .offer(.accept(request, taxi, epoch: epoch))
    }
    /// See ``Offer/refuse(_:_:epoch:)``.
    public static func refuse(_ request: RequestNumber, _ taxi: TaxiNumber, epoch: Int64) -> Command
    {
        .offer(.refuse(request, taxi, epoch: epoch))
    }
    /// See ``Ride/reachMeetingPoint(_:)``.
    public static func reachMeetingPoint(_ taxi: TaxiNumber) -> Command {
        .ride(.reachMeetingPoint(taxi))
    }
    /// See ``Ride/board(_:aboard:code:)``.
    public static func board(_ taxi: TaxiNumber, aboard: UInt8, code: CodeCheck) -> Command {
        .ride(.board(taxi, aboard: aboard, code: code))
    }
    /// See ``Ride/reportNoShow(_:)``.
    public static func reportNoShow(_ taxi: TaxiNumber) -> Command { .ride(.reportNoShow(taxi)) }
    /// See ``Ride/leaveBehind(_:_:)``.
    public static func leaveBehind(_ taxi: TaxiNumber, _ request: RequestNumber) -> Command {
        .ride(.leaveBehind(taxi, request))
    }
    /// See ``Ride/giveBack(_:_:)``.
    public static func giveBack(_ taxi: TaxiNumber, _ cause: GiveBackCause) -> Command {
        .ride(.giveBack(taxi, cause))
    }
    /// See ``Ride/reachDestination(_:)``.
    public static func reachDestination(_ taxi: TaxiNumber) -> Command {
        .ride(.reachDestination(taxi))
    }
    /// See ``Ride/stateArrival(_:isDestination:)``.
    public static func stateArrival(_ taxi: TaxiNumber, isDestination: Bool) -> Command {
        .ride(.stateArrival(taxi, isDestination: isDestination))
    }
    /// See ``Ride/endRide(_:reason:)``.
    public static func endRide(_ taxi: TaxiNumber, reason: String?) -> Command {
        .ride(.endRide(taxi, reason: reason))
    }
    /// See ``Passenger/request(_:)``.
    public static func request(_ form: RequestForm) -> Command { .passenger(.request(form)) }
    /// See ``Passenger/reserve(_:due:)``.
    public static func reserve(_ form: RequestForm, due: Moment) -> Command {
        .passenger(.reserve(form, due: due))
    }
    /// See ``Passenger/cancel(_:)``.
    public static func cancel(_ request: RequestNumber) -> Command { .passenger(.cancel(request)) }
    /// See ``Passenger/join(_:_:_:)``.
    public static func join(
        _ form: RequestForm,
        _ owner: RequestNumber,
        _ estimate: SharingEstimate
    ) -> Command {
        .passenger(.join(form, owner, estimate))
    }
    /// See ``Console/suspend(reason:)``.
    public static func suspend(reason: String) -> Command { .console(.suspend(reason: reason)) }
    /// See ``Console/resume``.
    public static var resume: Command { .console(.resume) }
    /// See ``Console/assign(_:_:reason:)``.
    public static func assign(
        _ request: RequestNumber,
        _ taxi: TaxiNumber,
        reason: String
    ) -> Command {
        .console(.assign(request, taxi, reason: reason))
    }
    /// See ``Console/park(_:reason:)``.
    public static func park(_ request: RequestNumber, reason: String) -> Command {
        .console(.park(request, reason: reason))
    }
    /// See ``Console/unpark(_:)``.
    public static func unpark(_ request: RequestNumber) -> Command { .console(.unpark(request)) }
    /// See ``Console/restoreTurn(_:reason:)``.
    public static func restoreTurn(_ taxi: TaxiNumber, reason: String) -> Command {
        .console(.restoreTurn(taxi, reason: reason))
    }
    /// See ``Console/takeOffDuty(_:reason:)``.
    public static func takeOffDuty(_ taxi: TaxiNumber, reason: String) -> Command {
        .console(.takeOffDuty(taxi, reason: reason))
    }
    /// See ``Console/withdraw(_:reason:)``.
    public static func withdraw(_ request: RequestNumber, reason: String) -> Command {
        .console(.withdraw(request, reason: reason))
    }
    /// See ``Console/closeRide(_:reason:)``.
    public static func closeRide(_ taxi: TaxiNumber, reason: String) -> Command {
        .console(.closeRide(taxi, reason: reason))
    }
    /// See ``Console/replace(_:_:reason:)``.
    public static func replace(
        _ request: RequestNumber,
        _ taxi: TaxiNumber,
        reason: String
    ) -> Command {
        .console(.replace(request, taxi, reason: reason))
    }
}
