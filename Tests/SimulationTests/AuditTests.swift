import Audit
import Chronology
import Dispatching
import Testing

/// A log written by hand, command by command, and read by the audit.
private struct HandWritten {
    var dispatcher = Dispatcher()
    var audit = Audit()

    /// A zone with one taxi, which is not on duty yet.
    init(_ policy: Policy) throws {
        let start = Moment(milliseconds: 1_778_630_400_000)
        _ = dispatcher.log(advanceTo: start)
        try give(.adopt(policy))
        try give(.drawZones(ZoneDrawing(names: ["a"], hash: 1)))
        try give(.register(TaxiForm(code: "T1")))
        try give(.completeSetup)
        try give(.regainContact(taxi, .zone(ZoneNumber(rawValue: 0))))
    }

    let taxi = TaxiNumber(rawValue: 0)

    mutating func give(_ command: Command) throws {
        if let entry = try dispatcher.log(command) { audit.add(entry) }
    }

    mutating func wait(_ seconds: Int64) {
        let moment = dispatcher.now.adding(seconds: seconds)
        while let due = dispatcher.nextDeadline(), due <= moment {
            if let entry = dispatcher.log(advanceTo: due) { audit.add(entry) }
        }
        if let entry = dispatcher.log(advanceTo: moment) { audit.add(entry) }
    }

    static func form(_ passenger: UInt64) -> RequestForm {
        RequestForm(
            passenger: PassengerNumber(rawValue: passenger),
            zone: ZoneNumber(rawValue: 0),
            hasDestination: true
        )
    }
}

@Suite("The audit of a log")
struct AuditTests {
    @Test("a reservation between its tries is overtaken by a rule with a name (G12, R79)")
    func betweenTries() throws {
        var log = try HandWritten(.viavai)
        let due = log.dispatcher.now.adding(seconds: 7_200)
        try log.give(.reserve(HandWritten.form(1), due: due))
        // The first attempt, ten minutes before, finds nobody; the next is two minutes later.
        log.wait(6_630)
        try log.give(.goOnDuty(log.taxi))
        try log.give(.request(HandWritten.form(2)))
        #expect(log.dispatcher.request(RequestNumber(rawValue: 2))?.offer != nil)
        #expect(log.audit.findings.overtakingsByRule == [.betweenTries: 1])
        #expect(log.audit.findings.overtakings == 0)
        #expect(log.audit.findings.violations == 0, "\(log.audit.findings.examples)")
    }

    @Test("so is a request that a dispatcher set aside")
    func setAside() throws {
        var log = try HandWritten(.viavai)
        try log.give(.goOnDuty(log.taxi))
        try log.give(.request(HandWritten.form(1)))
        try log.give(.park(RequestNumber(rawValue: 1), reason: "he calls back"))
        try log.give(.request(HandWritten.form(2)))
        #expect(log.audit.findings.overtakingsByRule == [.setAside: 1])
        #expect(log.audit.findings.violations == 0, "\(log.audit.findings.examples)")
    }

    @Test("a held request that a newer one overtakes is found, and so is no rule for it (G11)")
    func heldOvertaken() throws {
        var log = try HandWritten(.viavai)
        try log.give(.goOnDuty(log.taxi))
        for passenger: UInt64 in 1...3 { try log.give(.request(HandWritten.form(passenger))) }
        // The first request gets an offer, the others are held; then the third is served before the
        // second.
        let now = log.dispatcher.now
        let deadline = now.adding(seconds: 60)
        let first = RequestNumber(rawValue: 1)
        let third = RequestNumber(rawValue: 3)
        log.audit.add(
            Entry(
                at: now,
                policy: 0,
                input: .time,
                events: [
                    .offer(.offerClosed(first, .refused)),
                    .taxi(
                        .enqueued(
                            log.taxi,
                            ZoneNumber(rawValue: 0),
                            Rank(sequence: log.dispatcher.sequence + 1),
                            .refused
                        )
                    ),
                    .request(.heldTried(third)),
                    .offer(.offered(third, log.taxi, deadline: deadline, .heldRequest)),
                ]
            )
        )
        #expect(log.audit.findings.violations == 1)
        #expect(log.audit.findings.overtakings == 1)
        #expect(log.audit.findings.examples.first?.hasPrefix("I10") ?? false)
    }
}
