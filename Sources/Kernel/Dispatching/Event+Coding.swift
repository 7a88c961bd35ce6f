extension Event: ByteCoded {
    /// Appends the number of the case, then its associated values.
    ///
    /// The numbers are part of the log: a new case gets the next number, and no number is reused.
    public func write(to writer: inout ByteWriter) {
        switch self {
        case .policyAdopted, .zonesDrawn, .taxiRegistered, .taxiChanged, .taxiRemoved,
            .setupCompleted, .suspended, .resumed, .restarted:
            writeCity(to: &writer)
        case .wentOnDuty, .wentOffDuty, .placed, .contactLost, .contactRegained, .enqueued,
            .dequeued, .turnRestored, .turnKept:
            writeTaxi(to: &writer)
        case .requested, .reserved, .joined, .reservationTried, .reservationPostponed, .held,
            .heldTried, .parked, .unparked, .assigned, .ended, .ownerChanged:
            writeRequest(to: &writer)
        case .offered, .offerRenewed, .offerDelivered, .offerClosed, .accepted,
            .meetingPointReached, .codeRejected, .boarded, .destinationReached, .arrivalStated,
            .givenBack:
            writeOffer(to: &writer)
        }
    }

    private func writeCity(to writer: inout ByteWriter) {
        switch self {
        case .policyAdopted(let policy):
            writer.number(1)
            writer.put(policy)
        case .zonesDrawn(let drawing):
            writer.number(2)
            writer.put(drawing)
        case .taxiRegistered(let taxi, let form):
            writer.number(3)
            writer.put(taxi)
            writer.put(form)
        case .taxiChanged(let taxi, let form):
            writer.number(4)
            writer.put(taxi)
            writer.put(form)
        case .taxiRemoved(let taxi):
            writer.number(5)
            writer.put(taxi)
        case .setupCompleted:
            writer.number(6)
        case .suspended(let reason):
            writer.number(7)
            writer.put(reason)
        case .resumed:
            writer.number(8)
        case .restarted:
            writer.number(9)
        default: break
        }
    }

    private func writeTaxi(to writer: inout ByteWriter) {
        switch self {
        case .wentOnDuty(let taxi):
            writer.number(10)
            writer.put(taxi)
        case .wentOffDuty(let taxi, let cause, let reason):
            writer.number(11)
            writer.put(taxi)
            writer.put(case: cause)
            writer.put(reason)
        case .placed(let taxi, let place):
            writer.number(12)
            writer.put(taxi)
            writer.put(place)
        case .contactLost(let taxi, let keptUntil):
            writer.number(13)
            writer.put(taxi)
            writer.put(keptUntil)
        case .contactRegained(let taxi):
            writer.number(14)
            writer.put(taxi)
        case .enqueued(let taxi, let zone, let rank, let cause):
            writer.number(15)
            writer.put(taxi)
            writer.put(zone)
            writer.put(rank)
            writer.put(case: cause)
        case .dequeued(let taxi, let cause):
            writer.number(16)
            writer.put(taxi)
            writer.put(case: cause)
        case .turnRestored(let taxi, let reason):
            writer.number(17)
            writer.put(taxi)
            writer.put(reason)
        case .turnKept(let taxi, let zone, let rank):
            writer.number(39)
            writer.put(taxi)
            writer.put(zone)
            writer.put(rank)
        default: break
        }
    }

    private func writeRequest(to writer: inout ByteWriter) {
        switch self {
        case .requested(let request, let form):
            writer.number(18)
            writer.put(request)
            writer.put(form)
        case .reserved(let request, let form, let due, let firstTry):
            writer.number(19)
            writer.put(request)
            writer.put(form)
            writer.put(due)
            writer.put(firstTry)
        case .joined(let request, let form, let owner):
            writer.number(20)
            writer.put(request)
            writer.put(form)
            writer.put(owner)
        case .reservationTried(let request):
            writer.number(21)
            writer.put(request)
        case .reservationPostponed(let request, let cause, let nextTry):
            writer.number(22)
            writer.put(request)
            writer.put(case: cause)
            writer.put(nextTry)
        case .held(let request, let nextTry):
            writer.number(23)
            writer.put(request)
            writer.put(nextTry)
        case .heldTried(let request):
            writer.number(24)
            writer.put(request)
        case .parked(let request, let reason):
            writer.number(25)
            writer.put(request)
            writer.put(reason)
        case .unparked(let request):
            writer.number(26)
            writer.put(request)
        case .assigned(let request, let taxi, let reason):
            writer.number(27)
            writer.put(request)
            writer.put(taxi)
            writer.put(reason)
        case .ended(let request, let outcome, let reason):
            writer.number(28)
            writer.put(request)
            writer.put(case: outcome)
            writer.put(reason)
        case .ownerChanged(let old, let new):
            writer.number(29)
            writer.put(old)
            writer.put(new)
        default: break
        }
    }

    private func writeOffer(to writer: inout ByteWriter) {
        switch self {
        case .offered(let request, let taxi, let deadline, let rule):
            writer.number(30)
            writer.put(request)
            writer.put(taxi)
            writer.put(deadline)
            writer.put(case: rule)
        case .offerRenewed(let request, let deadline):
            writer.number(31)
            writer.put(request)
            writer.put(deadline)
        case .offerDelivered(let request):
            writer.number(32)
            writer.put(request)
        case .offerClosed(let request, let outcome):
            writer.number(33)
            writer.put(request)
            writer.put(case: outcome)
        case .accepted(let request):
            writer.number(34)
            writer.put(request)
        case .meetingPointReached(let request):
            writer.number(35)
            writer.put(request)
        case .codeRejected(let request):
            writer.number(36)
            writer.put(request)
        case .boarded(let request, let aboard):
            writer.number(37)
            writer.put(request)
            writer.put(aboard)
        case .destinationReached(let request):
            writer.number(38)
            writer.put(request)
        case .arrivalStated(let request):
            writer.number(40)
            writer.put(request)
        case .givenBack(let request, let cause, let reason):
            writer.number(41)
            writer.put(request)
            writer.put(case: cause)
            writer.put(reason)
        default: break
        }
    }

    /// Decodes the number of the case, then its associated values.
    public init(from reader: inout ByteReader) throws(CodingFailure) {
        let start = reader.position
        let tag = try reader.number()
        switch tag {
        case 1...9: self = try Self.readCity(tag, from: &reader)
        case 10...17, 39: self = try Self.readTaxi(tag, from: &reader)
        case 18...29: self = try Self.readRequest(tag, from: &reader)
        case 30...38, 40, 41: self = try Self.readOffer(tag, from: &reader)
        default: throw .unknown(tag: tag, at: start)
        }
    }
}
