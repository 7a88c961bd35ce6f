import Foundation

/// What `viavai day --json` prints, as described in `docs/answers.md`.
struct DayDocument: Decodable {
    let feasible: Bool
    let exact: Bool
    let tasks: [Task]
    let journeys: [Journey]
    let conflicts: [Conflict]
    let repairs: [Repair]

    struct Task: Decodable {
        let uid: String
        let start: String
        let end: String
        let place: String?
        let lat: Double?
        let lon: Double?
    }

    struct Journey: Decodable {
        let departure: String
        let arrival: String
        let from: String
        let to: String
        let modes: [String]
        let walk_m: Int
    }

    struct Conflict: Decodable {
        let kind: String
        let from: String?
        let to: String
    }

    struct Repair: Decodable {
        let changes: [Change]
    }

    struct Change: Decodable, Equatable {
        let uid: String?
        let kind: String
        let minutes: Int?
    }

    init(_ run: Program.Run) throws {
        self = try JSONDecoder().decode(DayDocument.self, from: Data(run.output.utf8))
    }
}
