// The cases of an event, read group by group.
extension Event {
    static func readCity(
        _ tag: UInt64,
        from reader: inout ByteReader
    ) throws(CodingFailure) -> Self {
        switch tag {
        case 1:
            return .policyAdopted(
                try reader.get()
            )
        case 2:
            return .zonesDrawn(
                try reader.get()
            )
        case 3:
            return .taxiRegistered(
                try reader.get(),
                try reader.get()
            )
        case 4:
            return .taxiChanged(
                try reader.get(),
                try reader.get()
            )
        case 5:
            return .taxiRemoved(
                try reader.get()
            )
        case 6: return .setupCompleted
        case 7:
            return .suspended(
                reason: try reader.get()
            )
        case 8: return .resumed
        default: return .restarted
        }
    }

    static func readTaxi(
        _ tag: UInt64,
        from reader: inout ByteReader
    ) throws(CodingFailure) -> Self {
        switch tag {
        case 10:
            return .wentOnDuty(
                try reader.get()
            )
        case 11:
            return .wentOffDuty(
                try reader.get(),
                try reader.getCase(),
                reason: try reader.get()
            )
        case 12:
            return .placed(
                try reader.get(),
                try reader.get()
            )
        case 13:
            return .contactLost(
                try reader.get(),
                keptUntil: try reader.get()
            )
        case 14:
            return .contactRegained(
                try reader.get()
            )
        case 15:
            return .enqueued(
                try reader.get(),
                try reader.get(),
                try reader.get(),
                try reader.getCase()
            )
        case 16:
            return .dequeued(
                try reader.get(),
                try reader.getCase()
            )
        case 17:
            return .turnRestored(
                try reader.get(),
                reason: try reader.get()
            )
        default:
            return .turnKept(
                try reader.get(),
                try reader.get(),
                try reader.get()
            )
        }
    }

    static func readRequest(
        _ tag: UInt64,
        from reader: inout ByteReader
    ) throws(CodingFailure) -> Self {
        switch tag {
        case 18:
            return .requested(
                try reader.get(),
                try reader.get()
            )
        case 19:
            return .reserved(
                try reader.get(),
                try reader.get(),
                due: try reader.get(),
                firstTry: try reader.get()
            )
        case 20:
            return .joined(
                try reader.get(),
                try reader.get(),
                try reader.get()
            )
        case 21:
            return .reservationTried(
                try reader.get()
            )
        case 22:
            return .reservationPostponed(
                try reader.get(),
                try reader.getCase(),
                nextTry: try reader.get()
            )
        case 23:
            return .held(
                try reader.get(),
                nextTry: try reader.get()
            )
        case 24:
            return .heldTried(
                try reader.get()
            )
        case 25:
            return .parked(
                try reader.get(),
                reason: try reader.get()
            )
        case 26:
            return .unparked(
                try reader.get()
            )
        case 27:
            return .assigned(
                try reader.get(),
                try reader.get(),
                reason: try reader.get()
            )
        case 28:
            return .ended(
                try reader.get(),
                try reader.getCase(),
                reason: try reader.get()
            )
        default:
            return .ownerChanged(
                from: try reader.get(),
                to: try reader.get()
            )
        }
    }

    static func readOffer(
        _ tag: UInt64,
        from reader: inout ByteReader
    ) throws(CodingFailure) -> Self {
        switch tag {
        case 30:
            return .offered(
                try reader.get(),
                try reader.get(),
                deadline: try reader.get(),
                try reader.getCase()
            )
        case 31:
            return .offerRenewed(
                try reader.get(),
                deadline: try reader.get()
            )
        case 32:
            return .offerDelivered(
                try reader.get()
            )
        case 33:
            return .offerClosed(
                try reader.get(),
                try reader.getCase()
            )
        case 34:
            return .accepted(
                try reader.get()
            )
        case 35:
            return .meetingPointReached(
                try reader.get()
            )
        case 36:
            return .codeRejected(
                try reader.get()
            )
        case 37:
            return .boarded(
                try reader.get(),
                aboard: try reader.get()
            )
        case 38:
            return .destinationReached(
                try reader.get()
            )
        case 40:
            return .arrivalStated(
                try reader.get()
            )
        default:
            return .givenBack(
                try reader.get(),
                try reader.getCase(),
                reason: try reader.get()
            )
        }
    }
}
