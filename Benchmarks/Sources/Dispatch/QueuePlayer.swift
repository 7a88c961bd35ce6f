import Foundation
import Geo
import Zones

/// The baseline: a queue of waiting taxis in PostgreSQL, as one would write it without Viavai.
///
/// One row for each waiting taxi, with an index by zone and turn; the zone by `ST_Contains` over
/// GiST; the first that nobody else is taking by `FOR UPDATE SKIP LOCKED LIMIT 1`. Statements are
/// prepared, each step is one round trip and one transaction. The baseline has advantages: what a
/// passenger or a driver waits for is sent before reports, only the last step of a ride is stored,
/// and nothing is checked, explained or kept for notification.
///
/// Unchecked: what is not constant is only accessed under `lock`.
final class QueuePlayer: Player, @unchecked Sendable {
    private typealias Statement = (name: String, values: [String])
    private struct Job {
        var statements: [Statement]
        var done: ([String?]) -> Void
    }

    private let stage: Stage
    private let trace: Trace
    private let lock = NSCondition()
    /// The jobs that somebody waits for; reports are in another queue.
    private var urgent = Line()
    private var reports = Line()
    private var isOver = false
    private var failure: (any Error)?

    /// Jobs in the order in which they came.
    private struct Line {
        private var jobs: [Job] = []
        private var first = 0

        var count: Int { jobs.count - first }

        mutating func add(_ job: Job) { jobs.append(job) }

        mutating func next() -> Job? {
            guard first < jobs.count else { return nil }
            first += 1
            if first > 4_096 {
                jobs.removeFirst(first - 1)
                first = 1
            }
            return jobs[first - 1]
        }
    }

    /// Fills the tables and opens the connections.
    init(_ address: String, _ stage: Stage, _ trace: Trace, zones: ZoneSet, links: Int) throws {
        self.stage = stage
        self.trace = trace
        let link = try PostgresLink(address)
        try PostGISPeer.makeZones(zones, on: link)
        try link.run(Self.tables)
        try link.prepare("wait", Self.wait)
        let taxis = (0..<Trace.taxis).map { taxi in
            ("wait", ["\(taxi)"] + PostGISPeer.degrees(trace.fleet.place(taxi, after: 0)))
        }
        _ = try link.run(taxis)
        try link.run("ANALYZE")
        for number in 0..<links {
            let link = try PostgresLink(address)
            for statement in Self.statements { try link.prepare(statement.0, statement.1) }
            let thread = Thread { self.serve(link) }
            thread.name = "queue \(number)"
            thread.start()
        }
    }

    /// Closes the connections.
    ///
    /// - Throws: the first error that occurred.
    func stop() throws {
        lock.lock()
        isOver = true
        lock.broadcast()
        let failure = failure
        lock.unlock()
        if let failure { throw failure }
    }

    /// How many jobs are waiting now.
    var backlog: Int {
        lock.lock()
        defer { lock.unlock() }
        return urgent.count + reports.count
    }

    private func serve(_ link: PostgresLink) {
        while let job = next() {
            do {
                job.done(try link.run(job.statements))
            } catch {
                lock.lock()
                failure = failure ?? error
                lock.unlock()
            }
        }
    }

    private func next() -> Job? {
        lock.lock()
        defer { lock.unlock() }
        while !isOver {
            if let job = urgent.next() ?? reports.next() { return job }
            lock.wait()
        }
        return nil
    }

    private func send(
        _ statements: [Statement],
        isReport: Bool = false,
        done: @escaping ([String?]) -> Void = { _ in }
    ) {
        lock.lock()
        let job = Job(statements: statements, done: done)
        if isReport { reports.add(job) } else { urgent.add(job) }
        lock.signal()
        lock.unlock()
    }

    // MARK: Actions

    func call(_ request: Int, at place: Coordinate) {
        let degrees = PostGISPeer.degrees(place)
        send([("offer", ["\(request)"] + degrees)]) { self.offered(request, $0.last ?? nil) }
    }

    private func offered(_ request: Int, _ answer: String?) {
        if let taxi = answer.flatMap({ Int($0) }) {
            stage.asked(request, taxi, epoch: 0)
        } else {
            stage.gaveUp(request)
        }
    }

    func show(_ offer: Asked) {
        send([("show", ["\(offer.request)", "\(offer.taxi)"])])
    }

    func answer(_ offer: Asked, _ reaction: Trace.Reaction) {
        if case .accepts = reaction {
            send([("accept", ["\(offer.request)", "\(offer.taxi)"])]) { _ in
                self.stage.accepted(offer)
            }
            return
        }
        // To the tail of the zone where the taxi is now; then the next one is asked.
        let there = PostGISPeer.degrees(trace.fleet.place(offer.taxi, after: stage.now))
        let here = PostGISPeer.degrees(trace.place(of: offer.request))
        send([
            ("refuse", ["\(offer.request)", "\(offer.taxi)"]),
            ("wait", ["\(offer.taxi)"] + there), ("offer", ["\(offer.request)"] + here),
        ]) { self.offered(offer.request, $0.last ?? nil) }
    }

    func ride(_ offer: Asked, step: Int) {
        guard step == 4 else { return }
        let there = PostGISPeer.degrees(trace.fleet.place(offer.taxi, after: stage.now))
        send([("end", ["\(offer.request)"]), ("wait", ["\(offer.taxi)"] + there)])
    }

    func report(_ taxi: Int, at place: Coordinate) {
        send([("report", ["\(taxi)"] + PostGISPeer.degrees(place))], isReport: true)
    }

    // MARK: SQL

    private static let tables = """
        DROP TABLE IF EXISTS waiting, offer;
        DROP SEQUENCE IF EXISTS turn;
        CREATE SEQUENCE turn;
        CREATE TABLE waiting (
            taxi int PRIMARY KEY,
            zone int NOT NULL,
            enqueued bigint NOT NULL DEFAULT nextval('turn')
        );
        CREATE INDEX waiting_turn ON waiting (zone, enqueued);
        CREATE TABLE offer (
            request bigint NOT NULL,
            taxi int NOT NULL,
            state text NOT NULL,
            made timestamptz NOT NULL DEFAULT now(),
            PRIMARY KEY (request, taxi)
        );
        """

    private static let point = "ST_SetSRID(ST_MakePoint($2::float8, $3::float8), 4326)"

    private static let wait = """
        INSERT INTO waiting (taxi, zone)
        SELECT $1::int, id FROM zone WHERE ST_Contains(area, \(point)) LIMIT 1
        ON CONFLICT DO NOTHING
        """

    private static let statements = [
        ("wait", wait),
        (
            "offer",
            """
            WITH first AS (
                SELECT taxi FROM waiting
                WHERE zone = (SELECT id FROM zone WHERE ST_Contains(area, \(point)) LIMIT 1)
                    AND NOT EXISTS (
                        SELECT FROM offer WHERE request = $1::bigint AND offer.taxi = waiting.taxi
                    )
                ORDER BY enqueued FOR UPDATE SKIP LOCKED LIMIT 1
            ), taken AS (
                DELETE FROM waiting USING first WHERE waiting.taxi = first.taxi
                RETURNING waiting.taxi
            )
            INSERT INTO offer (request, taxi, state) SELECT $1::bigint, taxi, 'open' FROM taken
            RETURNING taxi
            """
        ),
        ("show", update("shown")), ("accept", update("accepted")), ("refuse", update("refused")),
        ("end", "DELETE FROM offer WHERE request = $1::bigint"),
        (
            "report",
            """
            UPDATE waiting SET zone = zone.id, enqueued = nextval('turn') FROM zone
            WHERE taxi = $1::int AND zone.id <> waiting.zone AND ST_Contains(area, \(point))
            """
        ),
    ]

    private static func update(_ state: String) -> String {
        "UPDATE offer SET state = '\(state)' WHERE request = $1::bigint AND taxi = $2::int"
    }
}
