package import Chronology
package import CityData
import Foundation
import Journeys
import Transit

/// What happened when a city's file was found to be another one.
package struct CityNews: Sendable, Equatable {
    /// What became of the new file.
    package enum Outcome: Sendable, Equatable {
        /// Questions are answered from it now.
        case taken
        /// It was refused, and the file before it is still in use.
        case refused(Fault)
    }

    /// Why a file is refused.
    package enum Fault: Error, Sendable, Equatable {
        /// It is missing, damaged or no city file.
        case file(CityFile.Failure)
        /// It has neither streets nor timetables.
        case empty
        /// It has no streets, while the one in use has some: taxis and walks would be lost.
        case noStreets
    }

    /// The path of the file.
    package let path: String
    /// What became of it.
    package let outcome: Outcome
    /// When.
    package let at: Instant

    /// The name of the file.
    package var name: String { path.split(separator: "/").last.map(String.init) ?? path }
    /// Whether the file was refused.
    package var isRefused: Bool { outcome != .taken }
}

/// Takes new city files while a server runs.
///
/// A file that was replaced is opened, verified to its last byte and prepared for questions on
/// threads that give way to all others; only then it takes the place of the one before
/// (``CurrentCities``). One that is missing, damaged or useless changes nothing, and is tried again
/// only when it changes or when somebody asks for it.
package actor CityRenewal {
    private let cities: CurrentCities
    private let open: @Sendable (CityFile.Identified, _ number: Int) -> OpenedCity
    private let taken: @Sendable (OpenedCity, _ number: Int) async -> Void
    /// The file that was refused last for each city; nil in it for a missing one.
    private var refused: [Int: CityFile.Identity?] = [:]
    private var isLooking = false
    private var isAskedAgain = false

    /// Creates the renewal of cities.
    ///
    /// - Parameters:
    ///   - cities: the cities in service.
    ///   - open: makes a city of an opened and verified file.
    ///   - taken: called after a city was put into service, for what is not asked through `cities`.
    package init(
        _ cities: CurrentCities,
        open: @escaping @Sendable (CityFile.Identified, _ number: Int) -> OpenedCity,
        taken: @escaping @Sendable (OpenedCity, _ number: Int) async -> Void = { _, _ in }
    ) {
        self.cities = cities
        self.open = open
        self.taken = taken
    }

    /// Looks whether a file was replaced, and takes it.
    ///
    /// One look follows the other: whoever asks meanwhile is served by one more look after it.
    ///
    /// - Parameters:
    ///   - now: the moment of the call.
    ///   - isForced: whether a file is tried again that was refused before.
    /// - Returns: what happened; empty if no file has changed, for the caller that another look
    ///   serves, and for a task that was cancelled, which does not wait for what it began.
    package func look(at now: Instant, isForced: Bool = false) async -> [CityNews] {
        if isForced { refused = [:] }
        guard !isLooking else {
            isAskedAgain = isAskedAgain || isForced
            return []
        }
        isLooking = true
        defer { isLooking = false }
        var all: [CityNews] = []
        repeat {
            isAskedAgain = false
            // Each is taken anew, so that no city is kept that was replaced.
            for number in cities.current.cities.indices {
                let city = cities.current.cities[number]
                guard let news = await renew(number, city, at: now) else { continue }
                cities.note(news, of: number)
                all.append(news)
            }
        } while isAskedAgain
        return all
    }

    /// Takes the new file of a city; nil if it has none.
    private func renew(_ number: Int, _ old: OpenedCity, at now: Instant) async -> CityNews? {
        let path = old.source.path
        let identity = CityFile.identity(path)
        guard identity != old.source.identity else {
            refused[number] = nil
            cities.settle(number)
            return nil
        }
        if let known = refused[number], known == identity { return nil }
        let hadStreets = old.city.hasStreets
        let result = await Self.aside { [open] () -> Result<OpenedCity, CityNews.Fault> in
            do throws(CityNews.Fault) {
                let file = try Self.verified(path, hadStreets: hadStreets)
                return .success(open(file, number))
            } catch {
                return .failure(error)
            }
        }
        guard let result else { return nil }
        switch result {
        case .success(let city):
            await city.planner.prepare(at: now)
            guard !Task.isCancelled else { return nil }
            refused[number] = nil
            cities.replace(number, with: city)
            await taken(city, number)
            return CityNews(path: path, outcome: .taken, at: now)
        case .failure(let fault):
            refused[number] = .some(identity)
            return CityNews(path: path, outcome: .refused(fault), at: now)
        }
    }

    /// Opens a file and checks every byte of it, and that it is of use.
    private static func verified(
        _ path: String,
        hadStreets: Bool
    ) throws(CityNews.Fault) -> CityFile.Identified {
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

    /// Does work on a thread of its own, which gives way to all others.
    ///
    /// - Parameter work: the work.
    /// - Returns: its result; nil at once if the task is cancelled, and the thread ends by itself.
    private static func aside<Value: Sendable>(
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
