import Dispatching

@testable import Taxi

/// The clients: passengers, drivers and a console, which repeat a command under its key until they
/// know its outcome.
extension World {
    private static let passengers: UInt64 = 16
    private static let taxis: UInt32 = 3
    /// How long a client waits for an answer before it repeats the command, in milliseconds.
    private static let timeout: Int64 = 4_000

    private struct NotServed: Error {}

    /// Sets up two zones with taxis on duty in the first.
    func setUp() async throws {
        var commands: [Command] = [
            .adopt(.viavai), .drawZones(ZoneDrawing(names: ["west", "east"], hash: 1)),
        ]
        let taxis = (0..<Self.taxis).map { TaxiNumber(rawValue: $0) }
        for taxi in taxis { commands.append(.register(TaxiForm(code: "T\(taxi.rawValue)"))) }
        commands.append(.completeSetup)
        for taxi in taxis {
            commands.append(.regainContact(taxi, .zone(ZoneNumber(rawValue: 0))))
            commands.append(.goOnDuty(taxi))
        }
        for (number, command) in commands.enumerated() {
            guard await perform(command, "set-up-\(number)") != nil else { throw NotServed() }
        }
    }

    func beginClients() {
        for number in 1...Self.passengers {
            begin { [self] in await passenger(number) }
        }
        for number in 0..<Self.taxis {
            begin { [self] in await driver(TaxiNumber(rawValue: number)) }
        }
        begin { [self] in await doubter() }
    }

    private func begin(_ client: @escaping @Sendable () async -> Void) {
        clientsLeft += 1
        Task(executorPreference: clients) { [self] in
            await client()
            clientsLeft -= 1
        }
    }

    private func passenger(_ number: UInt64) async {
        await pause(0, 45_000)
        let form = RequestForm(
            passenger: PassengerNumber(rawValue: number),
            zone: ZoneNumber(rawValue: scheduler.chance(800) ? 0 : 1)
        )
        await perform(.request(form), "call-\(number)")
        await pause(0, 20_000)
        guard let request = truth.dispatcher.liveRequest(of: form.passenger),
            scheduler.chance(400)
        else { return }
        await perform(.cancel(request), "cancel-\(number)")
    }

    private func driver(_ taxi: TaxiNumber) async {
        while database.hasFaults {
            await pause(100, 2_000)
            guard let state = await read() else { continue }
            switch state.taxi(taxi)?.work {
            case .offer(let request):
                guard let epoch = state.request(request)?.offer?.epoch else { continue }
                let isTaken = scheduler.chance(800)
                await perform(
                    isTaken
                        ? .accept(request, taxi, epoch: epoch)
                        : .refuse(request, taxi, epoch: epoch),
                    "answer-\(taxi.rawValue)-\(epoch)"
                )
            case .ride(let request):
                for (step, command) in Self.ride(taxi).enumerated() {
                    await pause(0, 1_000)
                    await perform(command, "ride-\(request)-\(step)", isOnceOnly: false)
                }
            default: break
            }
        }
    }

    private static func ride(_ taxi: TaxiNumber) -> [Command] {
        [
            .reachMeetingPoint(taxi), .board(taxi, aboard: 1, code: .right),
            .reachDestination(taxi), .endRide(taxi, reason: nil),
        ]
    }

    /// Repeats commands that were already answered.
    private func doubter() async {
        while database.hasFaults {
            await pause(500, 3_000)
            let known = given.filter { truth.receipts[$0.key] != nil }
            guard !known.isEmpty else { continue }
            let (key, command) = scheduler.one(of: known)
            await perform(command, key, isOnceOnly: truth.onceOnly.contains(command))
        }
    }

    private func pause(_ low: Int64, _ high: Int64) async {
        try? await clients.sleep(scheduler.between(low, high))
    }

    // MARK: Asking

    /// Repeats a command until it is done or refused; `isOnceOnly` if the rules allow it only once.
    @discardableResult
    private func perform(
        _ command: Command,
        _ key: String,
        isOnceOnly: Bool = true
    ) async -> DispatchService.Receipt? {
        given.append((key, command))
        if isOnceOnly { truth.onceOnly.insert(command) }
        while !isClosing {
            do {
                let receipt = try await ask { service in
                    try await service.give(
                        command,
                        key: DispatchService.Key(caller: "client", key: key)
                    )
                }.value
                truth.acknowledged(key, receipt)
                return receipt
            } catch let refusal as Refusal {
                truth.refused(command, key, refusal)
                return nil
            } catch DispatchService.Failure.keyUsedForAnother {
                truth.complain("\(key) counts as another command")
                return nil
            } catch {
                await pause(50, 1_000)
            }
        }
        return nil
    }

    private func read() async -> Dispatcher? {
        let least = truth.acknowledgedEvents
        do {
            let (state, server) = try await ask { try await $0.read { $0 } }
            truth.wasRead(state.sequence, state.stateHash, least: least, from: server)
            return state
        } catch {
            return nil
        }
    }

    /// Asks one of the servers, which answers if it is running and not too busy.
    private func ask<Value: Sendable>(
        _ question: @escaping @Sendable (DispatchService) async throws -> Value
    ) async throws -> (value: Value, server: Int) {
        guard let server = servers[Int(scheduler.between(0, 1))] else { throw NotServed() }
        let answer = Promised<Value>()
        let process = server.process
        Task(executorPreference: process) {
            let result: Result<Value, any Error>
            do { result = .success(try await question(server.service)) } catch {
                result = .failure(error)
            }
            answer.give(process.isDead ? .failure(NotServed()) : result)
        }
        scheduler.after(Self.timeout) { answer.give(.failure(NotServed())) }
        return (try await answer.value(), process.number)
    }
}
