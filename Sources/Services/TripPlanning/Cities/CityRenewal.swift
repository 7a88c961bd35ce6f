package import Chronology
package import CityData
import Fares
import Foundation
import Journeys
import Transit

/// The result of renewing a city from a new file.
package struct RenewalResult: Sendable, Equatable {
    /// What happened to the new file.
    package enum Outcome: Sendable, Equatable {
        /// It is in service.
        case taken
        /// It was refused, and the previous file is still in use.
        case refused(Fault)
    }

    /// Why a file is refused.
    package enum Fault: Error, Sendable, Equatable {
        /// It is missing, damaged or not a city file.
        case file(CityFile.Failure)
        /// It has neither streets nor timetables.
        case empty
        /// It has no streets but the previous file has some: taxis and walks would be lost.
        case noStreets
    }

    /// The path of the file.
    package let path: String
    /// Whether it was taken.
    package let outcome: Outcome
    /// When this happened.
    package let at: Instant

    /// The name of the file.
    package var name: String { path.split(separator: "/").last.map(String.init) ?? path }
    /// Whether the file was refused.
    package var isRefused: Bool { outcome != .taken }
}

/// Takes new city files while a server runs.
///
/// A new file is opened, verified to its last byte and prepared for questions on threads that give
/// way to all others; only then it replaces the previous one (``CurrentCities``). A file that is
/// missing, damaged or useless changes nothing, and is tried again only when it changes or on
/// request.
package actor CityRenewal {
    private let cities: CurrentCities
    private let open: @Sendable (CityFile.Identified, _ number: Int) -> OpenedCity
    private let taken: @Sendable (OpenedCity, _ number: Int) async -> Void
    private let disruptions: @Sendable (OpenedCity) -> Disruptions
    private let traffic: @Sendable (OpenedCity) -> CityTraffic
    private let isUrgent: @Sendable (OpenedCity) -> Bool
    /// The file that was last refused for each city; a missing file has no identity.
    private var refused: [Int: CityFile.Identity?] = [:]
    /// When traffic was last taken, by city: days are planned again after each change.
    private var trafficTaken: [Int: Instant] = [:]
    /// The block of the week whose learned speeds users of a city have, by city.
    private var blockTaken: [Int: WeekBlock] = [:]
    private var isChecking = false
    private var isRequestedAgain = false

    /// How often new traffic is taken at most, in seconds.
    private static let trafficSeconds: Int64 = 900

    /// Creates the renewal of cities.
    ///
    /// - Parameters:
    ///   - cities: the cities in service.
    ///   - open: creates a city from an opened and verified file.
    ///   - taken: called with each city that was put into service, or whose streets operators
    ///     restrict otherwise or have other usual speeds from now on, for users of a city that do
    ///     not read `cities`.
    ///   - disruptions: finds the strikes and alerts of a city at present.
    ///   - traffic: finds the traffic of a city at present.
    ///   - isUrgent: whether new traffic of a city is taken at once: operators have stated it.
    package init(
        _ cities: CurrentCities,
        open: @escaping @Sendable (CityFile.Identified, _ number: Int) -> OpenedCity,
        taken: @escaping @Sendable (OpenedCity, _ number: Int) async -> Void = { _, _ in },
        disruptions: @escaping @Sendable (OpenedCity) -> Disruptions = { $0.planner.disruptions },
        traffic: @escaping @Sendable (OpenedCity) -> CityTraffic = { $0.planner.traffic },
        isUrgent: @escaping @Sendable (OpenedCity) -> Bool = { _ in false }
    ) {
        self.cities = cities
        self.open = open
        self.taken = taken
        self.disruptions = disruptions
        self.traffic = traffic
        self.isUrgent = isUrgent
    }

    /// Checks whether files were replaced, and takes the new ones.
    ///
    /// Only one check runs at a time; a forced call during a check makes it run once more.
    ///
    /// - Parameters:
    ///   - now: the moment of the call.
    ///   - isForced: whether to try a file again that was refused before.
    /// - Returns: the result for each new file; empty if another check is in progress, and for a
    ///   task that was cancelled, which does not wait for the file that it prepares.
    package func check(at now: Instant, isForced: Bool = false) async -> [RenewalResult] {
        if isForced { refused = [:] }
        guard !isChecking else {
            isRequestedAgain = isRequestedAgain || isForced
            return []
        }
        isChecking = true
        defer { isChecking = false }
        var results: [RenewalResult] = []
        repeat {
            isRequestedAgain = false
            // Each is read again, so that no replaced city is kept.
            for number in cities.current.cities.indices {
                let city = cities.current.cities[number]
                guard let result = await renew(number, city, at: now) else {
                    await change(number, at: now)
                    continue
                }
                cities.record(result, of: number)
                results.append(result)
            }
        } while isRequestedAgain
        return results
    }

    /// Takes new strikes, alerts and traffic of a city, if there are any, once the days that they
    /// change are laid out.
    private func change(_ number: Int, at now: Instant) async {
        let city = cities.current.cities[number]
        let known = disruptions(city)
        let isSoon = trafficTaken[number].map { now < $0.adding(seconds: Self.trafficSeconds) }
        let waits = isSoon == true && !isUrgent(city)
        let speeds = waits ? city.planner.traffic : traffic(city)
        guard known != city.planner.disruptions || speeds != city.planner.traffic else {
            if speeds.block(at: now) != blockTaken[number] { await tell(city, number, at: now) }
            return
        }
        if speeds != city.planner.traffic { trafficTaken[number] = now }
        let next = city.changed(by: known, speeds)
        await next.planner.prepare(at: now)
        guard !Task.isCancelled else { return }
        cities.replace(number, with: next)
        let isLedOtherwise = speeds.leadsTaxisOtherwise(than: city.planner.traffic)
        if isLedOtherwise || speeds.block(at: now) != blockTaken[number] {
            await tell(next, number, at: now)
        }
    }

    /// Tells those who do not read the cities in service.
    private func tell(_ city: OpenedCity, _ number: Int, at now: Instant) async {
        blockTaken[number] = city.planner.traffic.block(at: now)
        await taken(city, number)
    }

    /// Takes the new file of a city; nil if there is none.
    private func renew(_ number: Int, _ old: OpenedCity, at now: Instant) async -> RenewalResult? {
        let path = old.source.path
        let identity = CityFile.identity(path)
        guard identity != old.source.identity else {
            refused[number] = nil
            cities.settle(number)
            return nil
        }
        if let known = refused[number], known == identity { return nil }
        let hadStreets = old.city.hasStreets
        let opened = await Self.inBackground {
            [open] () -> Result<OpenedCity, RenewalResult.Fault> in
            do throws(RenewalResult.Fault) {
                let file = try Self.verified(path, hadStreets: hadStreets)
                return .success(open(file, number))
            } catch {
                return .failure(error)
            }
        }
        guard let opened else { return nil }
        switch opened {
        case .success(let city):
            await city.planner.prepare(at: now)
            guard !Task.isCancelled else { return nil }
            refused[number] = nil
            cities.replace(number, with: city)
            await tell(city, number, at: now)
            return RenewalResult(path: path, outcome: .taken, at: now)
        case .failure(let fault):
            refused[number] = .some(identity)
            return RenewalResult(path: path, outcome: .refused(fault), at: now)
        }
    }

    /// Opens a file, checks every byte of it, and checks that it is useful.
    private static func verified(
        _ path: String,
        hadStreets: Bool
    ) throws(RenewalResult.Fault) -> CityFile.Identified {
        let file: CityFile.Identified
        do throws(CityFile.Failure) {
            file = try CityFile.openIdentified(path)
            try CityFile.verify(file.file, path: path)
        } catch {
            throw .file(error)
        }
        let city = City(file.file)
        guard city.hasStreets || !city.timetable.stops.indices.isEmpty else { throw .empty }
        guard city.hasStreets || !hadStreets else { throw .noStreets }
        return file
    }

    /// Runs work on a new thread that gives way to all others.
    ///
    /// - Parameter work: the work.
    /// - Returns: its result; nil at once if the task is cancelled, and the thread ends by itself.
    private static func inBackground<Value: Sendable>(
        _ work: @escaping @Sendable () -> Value
    ) async -> Value? {
        let (results, end) = AsyncStream<Value>.makeStream()
        Thread.detachNewThread {
            TripWorkers.giveWay()
            end.yield(work())
            end.finish()
        }
        for await result in results { return result }
        return nil
    }
}
