import Chronology
import HTTPTypes
import Identity
import LiveUpdates
import Notify
import OpenData
import Taxi
import TaxiPages
import WebCore
import Webhooks

/// What webhooks tell, as a stream that a program reads: for programs that nothing can reach from
/// outside (decision 0054).
extension CityAPI {
    /// How many messages are looked at in one reading.
    private static let messagesRead = 100
    /// How often a stream looks for messages, in milliseconds.
    static let streamPause: Int64 = 500
    /// How long a stream lasts, in seconds: as long as a token, after which the key counts again.
    private static let streamSeconds: Int64 = 600
    /// How many chunks may wait for a program that reads slowly.
    private static let waitingChunks = 64

    private static let kinds = InputField.set(
        "events",
        .several(
            .choice(WebhookEvent.Kind.chosen.map(\.rawValue)),
            WebhookEvent.Kind.chosen.count
        ),
        "The types of events to keep for the stream."
    ).required

    var streamOperations: [Operation] {
        [
            .post(
                "/api/streams",
                as: "api.webhooks.stream",
                "Add a webhook that you read as a stream",
                in: .webhooks,
                for: WebhookRegister.scopes,
                returns: .webhook
            ) { call in
                let kinds = call.all("events").compactMap(WebhookEvent.Kind.init(rawValue:))
                return try await refusing {
                    try await webhooks.addStream(
                        of: Set(kinds),
                        to: call.application,
                        at: call.now,
                        answering: { made, transaction in
                            let place = "/api/webhooks/\(made.number)"
                            let answer = Answer(created: Self.json(made), at: place)
                            return try call.kept(answer, in: transaction)
                        }
                    )
                }
            }
            .taking([Self.kinds])
            .failing(.created)
            .onceInTransaction
            .explained("It has no address: nothing is sent. It counts as one of your webhooks."),
            .events(
                "/api/webhooks/{webhook}/events",
                as: "api.webhooks.events",
                "Read the messages of a webhook as a stream",
                in: .webhooks,
                for: WebhookRegister.scopes,
                listen
            )
            .taking([
                .path("webhook", .number(1...Int64.max), "The number of the webhook."),
                .query("after", .text(80), "The id of the last message; or `start` for all kept."),
            ])
            .explained(
                """
                Send `Accept: text/event-stream`; otherwise the answer ends with what is kept now. \
                Each event has the id, type and body of the webhook's message. After a break send \
                the last id as `Last-Event-ID`: what you missed comes first. `reset` says that it \
                is not kept any more, and all that is kept follows. A stream ends after ten \
                minutes; connect again. Your application may have four at a time.
                """
            ),
        ]
    }

    private func listen(_ call: Call) async throws -> Response {
        guard let number = call.number("webhook") else { throw Failure.notFound }
        let (start, opening) = try await refusing { try await beginning(number, call) }
        guard (call.context.headers[.accept] ?? "").contains("text/event-stream") else {
            return try await kept(number, after: start, opening, call)
        }
        // The hub counts the streams of each application and network, and sends heartbeats.
        let hub = live.hub.stream(
            for: call.context.caller,
            from: EventHub.Client(
                network: ClientAddress(call.context.address).group,
                standing: .person
            ),
            topics: [],
            after: nil,
            at: call.now,
            whenSlow: call.context.hangUp
        )
        guard let hub else { throw Failure.busy(retryAfter: 10) }
        let (stream, chunks) = AsyncStream.makeStream(
            of: [UInt8].self,
            bufferingPolicy: .bufferingOldest(Self.waitingChunks)
        )
        chunks.yield(Array("retry: 3000\n\(opening)\n".utf8))
        let (application, hangUp) = (call.application, call.context.hangUp)
        let end = environment.clock.now().adding(seconds: Self.streamSeconds)
        let reading = Task {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await Self.forward(hub, to: chunks) }
                group.addTask {
                    await read(number, of: application, after: start, until: end, to: chunks)
                }
                // When one of them ends, so does the stream.
                _ = await group.next()
                group.cancelAll()
            }
            if Self.isFull(chunks) { hangUp() }
            chunks.finish()
        }
        chunks.onTermination = { _ in reading.cancel() }
        return Response(
            .ok,
            type: "text/event-stream",
            stream: stream,
            headers: [.cacheControl: "no-store, no-transform", .accelBuffering: "no"]
        )
    }

    /// Whether a program reads too slowly: a comment finds no room any more.
    private static func isFull(_ chunks: AsyncStream<[UInt8]>.Continuation) -> Bool {
        if case .dropped = chunks.yield(Array(":\n".utf8)) { true } else { false }
    }

    /// Where a stream begins, and what it says first.
    private func beginning(_ number: Int64, _ call: Call) async throws -> (Int64, String) {
        let asked = call.context.headers[.lastEventID] ?? call["after"]
        switch asked {
        case nil:
            return (try await webhooks.newestPosition(in: number, of: call.application), "")
        case "start":
            // Whether there is such a webhook.
            _ = try await webhooks.newestPosition(in: number, of: call.application)
            return (0, "")
        case .some(let id):
            let known = try await webhooks.position(of: id, in: number, of: call.application)
            return known.map { ($0, "") } ?? (0, "event: reset\ndata:\n")
        }
    }

    /// What is kept now, as an answer that ends.
    private func kept(
        _ number: Int64,
        after start: Int64,
        _ opening: String,
        _ call: Call
    ) async throws -> Response {
        var text = opening.isEmpty ? "" : opening + "\n"
        var position = start
        while true {
            let found = try await refusing {
                try await webhooks.messages(
                    of: number,
                    of: call.application,
                    after: position,
                    limit: Self.messagesRead,
                    at: call.now
                )
            }
            if found.last == position { break }
            position = found.last
            text += Self.text(of: found.messages)
        }
        return Response(type: "text/event-stream", bytes: Array(text.utf8))
    }

    /// Forwards heartbeats and the end of a hub's stream, whose own ids would hide the messages'.
    private static func forward(
        _ hub: AsyncStream<EventHub.Bytes>,
        to chunks: AsyncStream<[UInt8]>.Continuation
    ) async {
        var isFirst = true
        for await bytes in hub {
            defer { isFirst = false }
            if isFirst { continue }
            if case .enqueued = chunks.yield(bytes) { continue }
            return
        }
    }

    /// Sends messages as they are written, until the time is over or the program reads too slowly.
    private func read(
        _ number: Int64,
        of application: Int64,
        after start: Int64,
        until end: Moment,
        to chunks: AsyncStream<[UInt8]>.Continuation
    ) async {
        var position = start
        while !Task.isCancelled {
            let now = environment.clock.now()
            do {
                let found = try await webhooks.messages(
                    of: number,
                    of: application,
                    after: position,
                    limit: Self.messagesRead,
                    at: now
                )
                if !found.messages.isEmpty {
                    let bytes = Array(Self.text(of: found.messages).utf8)
                    guard case .enqueued = chunks.yield(bytes) else { return }
                }
                let isMore = found.last != position
                position = found.last
                if now >= end { return }
                if !isMore { try await environment.clock.pause(Self.streamPause) }
            } catch {
                // The webhook is gone, or the database is: the program connects again.
                return
            }
        }
    }

    /// Messages as server-sent events; bodies are JSON on one line.
    private static func text(of messages: [StreamedMessage]) -> String {
        messages.map { message in
            "id: \(message.id)\nevent: \(message.kind)\ndata: \(message.body)\n\n"
        }
        .joined()
    }
}
