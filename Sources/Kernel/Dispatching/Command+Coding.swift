extension Command: ByteCoded {
    /// Appends the number of the case, then its associated values.
    ///
    /// The numbers are part of the log: a new case gets the next number, and no number is reused.
    public func write(to writer: inout ByteWriter) {
        switch self {
        case .adopt, .drawZones, .register, .change, .remove, .completeSetup, .suspend, .resume:
            writeCity(to: &writer)
        case .goOnDuty, .goOffDuty, .locate, .loseContact, .regainContact, .confirmDelivery,
            .reportUndeliverable, .accept, .refuse:
            writeTaxi(to: &writer)
        case .reachMeetingPoint, .board, .reportNoShow, .leaveBehind, .reachDestination,
            .stateArrival, .endRide, .giveBack, .replace:
            writeRide(to: &writer)
        case .request, .reserve, .cancel, .join, .assign, .park, .unpark, .restoreTurn,
            .takeOffDuty, .withdraw, .closeRide:
            writePassenger(to: &writer)
        }
    }

    private func writeCity(to writer: inout ByteWriter) {
        switch self {
        case .adopt(let policy):
            writer.number(1)
            writer.put(policy)
        case .drawZones(let drawing):
            writer.number(2)
            writer.put(drawing)
        case .register(let form):
            writer.number(3)
            writer.put(form)
        case .change(let taxi, let form):
            writer.number(4)
            writer.put(taxi)
            writer.put(form)
        case .remove(let taxi):
            writer.number(5)
            writer.put(taxi)
        case .completeSetup:
            writer.number(6)
        case .suspend(let reason):
            writer.number(7)
            writer.put(reason)
        case .resume:
            writer.number(8)
        default: break
        }
    }

    private func writeTaxi(to writer: inout ByteWriter) {
        switch self {
        case .goOnDuty(let taxi):
            writer.number(9)
            writer.put(taxi)
        case .goOffDuty(let taxi):
            writer.number(10)
            writer.put(taxi)
        case .locate(let taxi, let place):
            writer.number(11)
            writer.put(taxi)
            writer.put(place)
        case .loseContact(let taxi):
            writer.number(12)
            writer.put(taxi)
        case .regainContact(let taxi, let place):
            writer.number(13)
            writer.put(taxi)
            writer.put(place)
        case .confirmDelivery(let request, let taxi, let epoch):
            writer.number(14)
            writer.put(request)
            writer.put(taxi)
            writer.put(epoch)
        case .reportUndeliverable(let request, let taxi, let epoch):
            writer.number(15)
            writer.put(request)
            writer.put(taxi)
            writer.put(epoch)
        case .accept(let request, let taxi, let epoch):
            writer.number(16)
            writer.put(request)
            writer.put(taxi)
            writer.put(epoch)
        case .refuse(let request, let taxi, let epoch):
            writer.number(17)
            writer.put(request)
            writer.put(taxi)
            writer.put(epoch)
        default: break
        }
    }

    private func writeRide(to writer: inout ByteWriter) {
        switch self {
        case .reachMeetingPoint(let taxi):
            writer.number(18)
            writer.put(taxi)
        case .board(let taxi, let aboard, let code):
            writer.number(19)
            writer.put(taxi)
            writer.put(aboard)
            writer.put(case: code)
        case .reportNoShow(let taxi):
            writer.number(20)
            writer.put(taxi)
        case .reachDestination(let taxi):
            writer.number(21)
            writer.put(taxi)
        case .endRide(let taxi, let reason):
            writer.number(22)
            writer.put(taxi)
            writer.put(reason)
        case .stateArrival(let taxi, let isDestination):
            writer.number(34)
            writer.put(taxi)
            writer.put(isDestination)
        case .leaveBehind(let taxi, let request):
            writer.number(35)
            writer.put(taxi)
            writer.put(request)
        case .giveBack(let taxi, let cause):
            writer.number(36)
            writer.put(taxi)
            writer.put(case: cause)
        case .replace(let request, let taxi, let reason):
            writer.number(37)
            writer.put(request)
            writer.put(taxi)
            writer.put(reason)
        default: break
        }
    }

    private func writePassenger(to writer: inout ByteWriter) {
        switch self {
        case .request(let form):
            writer.number(23)
            writer.put(form)
        case .reserve(let form, let due):
            writer.number(24)
            writer.put(form)
            writer.put(due)
        case .cancel(let request):
            writer.number(25)
            writer.put(request)
        case .join(let form, let owner, let estimate):
            writer.number(26)
            writer.put(form)
            writer.put(owner)
            writer.put(estimate)
        case .assign(let request, let taxi, let reason):
            writer.number(27)
            writer.put(request)
            writer.put(taxi)
            writer.put(reason)
        case .park(let request, let reason):
            writer.number(28)
            writer.put(request)
            writer.put(reason)
        case .unpark(let request):
            writer.number(29)
            writer.put(request)
        case .restoreTurn(let taxi, let reason):
            writer.number(30)
            writer.put(taxi)
            writer.put(reason)
        case .takeOffDuty(let taxi, let reason):
            writer.number(31)
            writer.put(taxi)
            writer.put(reason)
        case .withdraw(let request, let reason):
            writer.number(32)
            writer.put(request)
            writer.put(reason)
        case .closeRide(let taxi, let reason):
            writer.number(33)
            writer.put(taxi)
            writer.put(reason)
        default: break
        }
    }

    /// Decodes the number of the case, then its associated values.
    public init(from reader: inout ByteReader) throws(CodingFailure) {
        let start = reader.position
        let tag = try reader.number()
        switch tag {
        case 1...8: self = try Self.readCity(tag, from: &reader)
        case 9...17: self = try Self.readTaxi(tag, from: &reader)
        case 18...22, 34...37: self = try Self.readRide(tag, from: &reader)
        case 23...33: self = try Self.readPassenger(tag, from: &reader)
        default: throw .unknown(tag: tag, at: start)
        }
    }

    private static func readCity(
        _ tag: UInt64,
        from reader: inout ByteReader
    ) throws(CodingFailure) -> Self {
        switch tag {
        case 1:
            return .adopt(
                try reader.get()
            )
        case 2:
            return .drawZones(
                try reader.get()
            )
        case 3:
            return .register(
                try reader.get()
            )
        case 4:
            return .change(
                try reader.get(),
                try reader.get()
            )
        case 5:
            return .remove(
                try reader.get()
            )
        case 6: return .completeSetup
        case 7:
            return .suspend(
                reason: try reader.get()
            )
        default: return .resume
        }
    }

    private static func readTaxi(
        _ tag: UInt64,
        from reader: inout ByteReader
    ) throws(CodingFailure) -> Self {
        switch tag {
        case 9:
            return .goOnDuty(
                try reader.get()
            )
        case 10:
            return .goOffDuty(
                try reader.get()
            )
        case 11:
            return .locate(
                try reader.get(),
                try reader.get()
            )
        case 12:
            return .loseContact(
                try reader.get()
            )
        case 13:
            return .regainContact(
                try reader.get(),
                try reader.get()
            )
        case 14:
            return .confirmDelivery(
                try reader.get(),
                try reader.get(),
                epoch: try reader.get()
            )
        case 15:
            return .reportUndeliverable(
                try reader.get(),
                try reader.get(),
                epoch: try reader.get()
            )
        case 16:
            return .accept(
                try reader.get(),
                try reader.get(),
                epoch: try reader.get()
            )
        default:
            return .refuse(
                try reader.get(),
                try reader.get(),
                epoch: try reader.get()
            )
        }
    }

    private static func readRide(
        _ tag: UInt64,
        from reader: inout ByteReader
    ) throws(CodingFailure) -> Self {
        switch tag {
        case 18:
            return .reachMeetingPoint(
                try reader.get()
            )
        case 19:
            return .board(
                try reader.get(),
                aboard: try reader.get(),
                code: try reader.getCase()
            )
        case 20:
            return .reportNoShow(
                try reader.get()
            )
        case 21:
            return .reachDestination(
                try reader.get()
            )
        case 22:
            return .endRide(
                try reader.get(),
                reason: try reader.maybe()
            )
        case 34:
            return .stateArrival(
                try reader.get(),
                isDestination: try reader.get()
            )
        case 35:
            return .leaveBehind(
                try reader.get(),
                try reader.get()
            )
        case 36:
            return .giveBack(
                try reader.get(),
                try reader.getCase()
            )
        default:
            return .replace(
                try reader.get(),
                try reader.get(),
                reason: try reader.get()
            )
        }
    }

    private static func readPassenger(
        _ tag: UInt64,
        from reader: inout ByteReader
    ) throws(CodingFailure) -> Self {
        switch tag {
        case 23:
            return .request(
                try reader.get()
            )
        case 24:
            return .reserve(
                try reader.get(),
                due: try reader.get()
            )
        case 25:
            return .cancel(
                try reader.get()
            )
        case 26:
            return .join(
                try reader.get(),
                try reader.get(),
                try reader.get()
            )
        case 27:
            return .assign(
                try reader.get(),
                try reader.get(),
                reason: try reader.get()
            )
        case 28:
            return .park(
                try reader.get(),
                reason: try reader.get()
            )
        case 29:
            return .unpark(
                try reader.get()
            )
        case 30:
            return .restoreTurn(
                try reader.get(),
                reason: try reader.get()
            )
        case 31:
            return .takeOffDuty(
                try reader.get(),
                reason: try reader.get()
            )
        case 32:
            return .withdraw(
                try reader.get(),
                reason: try reader.get()
            )
        default:
            return .closeRide(
                try reader.get(),
                reason: try reader.get()
            )
        }
    }
}
