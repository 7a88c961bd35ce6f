import Foundation

/// The rules that the formatter cannot check, as pure functions from texts to messages.
enum TidyRules {
    static let fileLinesLimit = 400
    static let functionLinesLimit = 70
    static let lineColumnsLimit = 100
    /// The longest doc comment that counts as brief, in characters.
    static let briefCommentLimit = 16
    /// How many brief doc comments all sources may have: most of them say nothing (issue 29).
    static let briefCommentsLimit = 60

    /// Words that mark unfinished work, split so that this file does not contain them.
    private static let unfinished = ["TO" + "DO", "FIX" + "ME", "X" + "XX"]

    /// Checks the sizes of a file, its lines and its functions.
    static func sizes(_ source: SwiftSource) -> [String] {
        var found: [String] = []
        let count = source.lines.count - (source.lines.last?.isEmpty == true ? 1 : 0)
        if count > fileLinesLimit { found.append("\(source.path): \(count) lines") }
        for (number, line) in source.lines.enumerated() where line.count > lineColumnsLimit {
            found.append("\(source.path):\(number + 1): \(line.count) columns")
        }
        for function in source.functions where function.length > functionLinesLimit {
            found.append("\(source.path):\(function.line): \(function.length) lines in a function")
        }
        return found
    }

    /// Finds the forbidden calls of a file.
    static func calls(_ source: SwiftSource) -> [String] {
        var forbidden = ["Date()", "Date.now", "try!", "fatalError(", "Task.sleep", "Thread.sleep"]
        // The single source of time may wait, and so may code that only tests and benchmarks run.
        let waits = [
            "Sources/Services/Taxi/Service/ServiceClock", "Sources/Programs/TaxiProbe/",
            "Tests/TaxiTests/",
            "Benchmarks/Sources/Dispatch/", "Benchmarks/Sources/Crowd/", "Benchmarks/Sources/Fill/",
        ].contains { source.path.hasPrefix($0) }
        if waits { forbidden.removeAll { $0 == "Task.sleep" } }
        let speaks = ["Sources/Programs/viavai/", "Benchmarks/"].contains {
            source.path.hasPrefix($0)
        }
        if !speaks { forbidden += ["print(", "debugPrint("] }
        return source.codeLines.enumerated().flatMap { number, line in
            forbidden.filter { contains(line, call: $0) }
                .map { "\(source.path):\(number + 1): \($0)" }
        }
    }

    /// Finds tasks that are resumed or cancelled while holding a lock (decision 0028).
    ///
    /// A lock that only orders calls and guards no value, `{ _ in`, is permitted.
    static func wakes(_ source: SwiftSource) -> [String] {
        let waking = [
            ".yield(", ".resume(", ".finish(", ".cancel(", ".succeed(", ".fail(", "Task.immediate",
        ]
        return [".withLock {", ".withLock({"].flatMap { source.closures(after: $0) }
            .filter { !$0.code.hasPrefix("{ _ in") }
            .flatMap { closure in
                waking.filter(closure.code.contains)
                    .map { "\(source.path):\(closure.line): \($0)" }
            }
    }

    /// Finds words that mark unfinished work, and paths of this machine.
    static func words(path: String, text: String, checkout: String) -> [String] {
        let machine = [checkout + "/", "/opt/" + "swift"]
        return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            .flatMap { number, line in
                // A calendar's task is a VTODO.
                (unfinished + machine)
                    .filter { line.replacing("V" + unfinished[0], with: "").contains($0) }
                    .map { "\(path):\(number + 1): \($0)" }
            }
    }

    /// Finds doc comments of one line that are too short to say more than a name.
    static func briefComments(_ source: SwiftSource) -> [String] {
        let comments = source.lines.map { line in
            let text = line.drop { $0 == " " }
            return text.hasPrefix("///") ? String(text.dropFirst(3)) : nil
        }
        return comments.indices.compactMap { number in
            guard let comment = comments[number] else { return nil }
            let isContinued = comments[(number + 1)...].first.map { $0 != nil } ?? false
            let isContinuation = number > 0 && comments[number - 1] != nil
            let text = comment.trimmingCharacters(in: .whitespaces)
            guard !isContinued, !isContinuation, text.count <= briefCommentLimit else { return nil }
            return "\(source.path):\(number + 1): \(text)"
        }
    }

    /// Checks the name of a file.
    static func names(_ path: String) -> [String] {
        guard path.hasSuffix(".swift"), let file = path.split(separator: "/").last else {
            return []
        }
        let name = file.dropLast(".swift".count)
        let vague = ["Manager", "Helper", "Util", "Utility", "Misc", "Common", "Handler"]
        let endings = vague.flatMap { [$0, $0 + "s"] } + ["Utilities", "+String"]
        return endings.filter { name.hasSuffix($0) }.map { "\(path): named \($0)" }
    }

    /// Returns whether a line contains a call that is not the end of a longer name.
    private static func contains(_ line: String, call: String) -> Bool {
        var rest = Substring(line)
        while let place = rest.range(of: call) {
            let before = rest[..<place.lowerBound].last
            let longer = before.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false
            if !longer { return true }
            rest = rest[place.upperBound...]
        }
        return false
    }
}
