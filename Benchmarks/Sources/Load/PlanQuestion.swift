import Foundation

/// A question to the trip planner, by any means.
struct PlanQuestion: Sendable {
    /// The two places and the time, `2014-10-20T08:31:00`, as in a batch file.
    private let from: String
    private let to: String
    private let time: String

    /// The fields of the form.
    var fields: [(String, String)] {
        let parts = time.split(separator: "T")
        return [
            ("from", from), ("to", to), ("when", "leave"), ("date", String(parts[0])),
            ("time", String(parts[1].prefix(5))), ("options", "yes"), ("walk", ""),
            ("changes", ""),
        ] + ["transit", "walk", "bicycle", "car", "taxi"].map { ("means", $0) }
    }

    /// Reads the questions of a batch file, `id,"lat,lon","lat,lon",time,…`.
    ///
    /// - Returns: the questions; nil where the file cannot be read or has another form.
    static func all(_ path: String) -> [PlanQuestion]? {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        let lines = text.split(separator: "\n").dropFirst()
        let questions = lines.compactMap { line -> PlanQuestion? in
            let quoted = line.split(separator: "\"")
            guard quoted.count == 5 else { return nil }
            let time = quoted[4].split(separator: ",").first.map(String.init) ?? ""
            guard time.split(separator: "T").count == 2 else { return nil }
            return PlanQuestion(from: String(quoted[1]), to: String(quoted[3]), time: time)
        }
        return questions.count == lines.count ? questions : nil
    }
}
