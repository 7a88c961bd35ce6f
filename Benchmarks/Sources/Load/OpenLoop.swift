import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// Sends requests at scheduled moments, however long the responses take.
///
/// It runs on one event loop. A request for which no connection is free waits, and its response
/// time includes the wait. Measuring from the moment of sending would hide what a slow server does
/// to the requests behind.
final class OpenLoop {
    /// The requests to send, and the server to send them to.
    struct Plan: Sendable {
        var host = "127.0.0.1"
        var port = 8443
        var hasTLS = true
        var connections = 200
        /// Requests a second; 0 for as many as there are responses.
        var rate = 1_000.0
        var seconds = 60.0
        var method = HTTPMethod.GET
        var path = "/"
        var headers: [(String, String)] = []
        var body = ""
        /// The first source address of the connections, 127.x.y.z.
        var firstSource = 0x7F01_0001
        /// How many source addresses the connections have.
        var sources = 65_536
        /// The questions to ask the trip planner, each once, instead of sending one request.
        var questions: [PlanQuestion] = []
        /// The paths to request, each once, instead of ``path``.
        var paths: [String] = []
        /// The bearer tokens that requests carry in turn.
        var tokens: [String] = []
        var seed: UInt64 = 1
    }

    /// How long the connections may take until all can be used.
    private static let patience = Duration.seconds(30)

    private let plan: Plan
    private let loop: any EventLoop
    private let head: HTTPRequestHead
    private let clock = ContinuousClock()
    private var idle: [Line] = []
    private var waiting: ArraySlice<ContinuousClock.Instant> = []
    private var due: [ContinuousClock.Instant] = []
    private var next = 0
    private var asked = 0
    private var onTheirWay = 0
    private var end: ContinuousClock.Instant?
    private var finished: EventLoopPromise<Latencies>
    private(set) var latencies = Latencies()

    init(_ plan: Plan, on loop: any EventLoop) {
        self.plan = plan
        self.loop = loop
        var headers = HTTPHeaders([("host", "\(plan.host):\(plan.port)")])
        for (name, value) in plan.headers { headers.add(name: name, value: value) }
        if !plan.body.isEmpty {
            headers.add(name: "content-length", value: "\(plan.body.utf8.count)")
        }
        head = HTTPRequestHead(
            version: .http1_1,
            method: plan.method,
            uri: plan.path,
            headers: headers
        )
        finished = loop.makePromise()
    }

    /// Opens all connections, then starts.
    func run() -> EventLoopFuture<Latencies> {
        let bound = NIOLoopBound(self, eventLoop: loop)
        let all = (0..<plan.connections).map { connect($0, bound) }
        EventLoopFuture.andAllSucceed(all, on: loop).whenComplete { result in
            switch result {
            case .success: bound.value.begin(by: bound.value.clock.now + Self.patience)
            case .failure(let error): bound.value.finished.fail(error)
            }
        }
        return finished.futureResult
    }

    private func connect(
        _ number: Int,
        _ bound: NIOLoopBound<OpenLoop>
    ) -> EventLoopFuture<Void> {
        let plan = plan
        let source = plan.firstSource + number % plan.sources
        let host = "\(plan.host):\(plan.port)"
        let parts = [24, 16, 8, 0].map { "\(source >> $0 & 255)" }
        do {
            let address = try SocketAddress(
                ipAddress: parts.joined(separator: "."),
                port: 0
            )
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.certificateVerification = .none
            let security = plan.hasTLS ? try NIOSSLContext(configuration: configuration) : nil
            return ClientBootstrap(group: loop).bind(to: address)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let pipeline = channel.pipeline.syncOperations
                        if let security {
                            try pipeline.addHandler(
                                NIOSSLClientHandler(context: security, serverHostname: nil)
                            )
                        }
                        try pipeline.addHTTPClientHandlers()
                        let visitor = PlanVisitor(host: host, headers: plan.headers)
                        let plans = !plan.questions.isEmpty
                        try pipeline.addHandler(Line(bound.value, plans ? visitor : nil))
                    }
                }
                .connect(host: plan.host, port: plan.port).map { _ in }
        } catch {
            return loop.makeFailedFuture(error)
        }
    }

    /// Starts once all connections can be used, or when the time for that is up.
    private func begin(by last: ContinuousClock.Instant) {
        guard idle.count >= plan.connections || clock.now >= last else {
            let bound = NIOLoopBound(self, eventLoop: loop)
            loop.scheduleTask(in: .milliseconds(10)) { bound.value.begin(by: last) }
            return
        }
        begin()
    }

    private func begin() {
        let start = clock.now
        end = start + .seconds(plan.seconds)
        if plan.rate > 0 {
            // A Poisson stream: the arrivals of independent people.
            var state = plan.seed
            var at = 0.0
            while at < plan.seconds {
                due.append(start + .seconds(at))
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let uniform = (Double(state >> 11) + 1) / Double(1 << 53)
                at += -log(uniform) / plan.rate
            }
        }
        let bound = NIOLoopBound(self, eventLoop: loop)
        loop.scheduleRepeatedTask(initialDelay: .zero, delay: .microseconds(500)) { task in
            if bound.value.tick() { task.cancel() }
        }
    }

    /// Sends the requests that are due.
    ///
    /// - Returns: whether the load has ended.
    private func tick() -> Bool {
        let now = clock.now
        if plan.rate > 0 {
            while next < due.count, due[next] <= now {
                waiting.append(due[next])
                next += 1
            }
        } else if let end, now < end {
            waiting += idle.map { _ in now }
        }
        send()
        guard let end, now >= end else { return false }
        let isQuiet = waiting.isEmpty && onTheirWay == 0
        guard isQuiet || now >= end + .seconds(20) else { return false }
        for _ in 0..<onTheirWay { latencies.addBroken() }
        for _ in waiting { latencies.addBroken(isSent: false) }
        finished.succeed(latencies)
        return true
    }

    private func send() {
        while let intended = waiting.first, let line = idle.popLast() {
            waiting.removeFirst()
            onTheirWay += 1
            if plan.questions.isEmpty {
                line.send(nextHead(), body: plan.body, intended: intended)
            } else {
                precondition(asked < plan.questions.count, "each question is asked once")
                line.ask(plan.questions[asked], intended: intended)
                asked += 1
            }
        }
    }

    /// The head of the next request.
    private func nextHead() -> HTTPRequestHead {
        var head = head
        if !plan.paths.isEmpty {
            precondition(asked < plan.paths.count, "each path is requested once")
            head.uri = plan.paths[asked]
        }
        if !plan.tokens.isEmpty {
            let token = plan.tokens[asked % plan.tokens.count]
            head.headers.add(name: "authorization", value: "Bearer \(token)")
        }
        asked += 1
        return head
    }

    /// Takes a connection that can be used from now on.
    func isReady(_ line: Line) { idle.append(line) }

    func answered(
        _ line: Line,
        since intended: ContinuousClock.Instant,
        status: Int,
        saysWhen: Bool
    ) {
        let now = clock.now
        latencies.add(intended.duration(to: now), status: status, saysWhen: saysWhen)
        onTheirWay -= 1
        idle.insert(line, at: 0)
        if plan.rate == 0, let end, now < end { waiting.append(now) }
        send()
    }

    func failed(_ line: Line) {
        latencies.addBroken()
        onTheirWay -= 1
    }

    func lost(_ line: Line, hadRequest: Bool) {
        idle.removeAll { $0 === line }
        if hadRequest { failed(line) }
        // Keeps the number of connections: a browser would reconnect too.
        let bound = NIOLoopBound(self, eventLoop: loop)
        if let end, clock.now < end { _ = connect(Int(clock.now.hashValue & 0xFFF), bound) }
    }
}
