import Chronology
import Encoding

extension StrikeHours {
    /// How many bytes of a text are read, and how many spans at most.
    private static let textLimit = 2_000
    private static let spanLimit = 32

    /// Reads hours such as `24 ORE: DALLE 21.00 DEL 28/10 ALLE 21.00 DEL 29/10`.
    ///
    /// - Parameters:
    ///   - text: the words of the ministry.
    ///   - firstDay: the day of a time without a date, and the one that gives dates their year.
    init(_ text: String, firstDay: CivilDate) {
        let text = String(decoding: text.uppercased().utf8.prefix(Self.textLimit), as: UTF8.self)
        let words = Self.words(text)
        var spans: [Span] = []
        var scope: [String] = []
        var index = 0
        while index < words.count {
            if let found = Self.span(words[index...], firstDay, scope: Self.name(scope)) {
                if spans.count < Self.spanLimit { spans.append(found.span) }
                index = found.end
                // What `E` joins is about the same staff.
                if index < words.count, words[index] != .other("E") { scope = [] }
            } else {
                if case .other(let word) = words[index] { scope.append(word) } else { scope = [] }
                index += 1
            }
        }
        self.spans = spans
        let wholeDays = ["24 ORE", "48 ORE", "72 ORE", "INTERA GIORNATA", "INTERA PRESTAZIONE"]
        isWholeDay = spans.isEmpty && wholeDays.contains { text.hasPrefix($0) }
    }

    /// A word, as far as hours are concerned.
    private enum Word: Equatable {
        /// A time, in seconds of the day: from 0 to 86,400.
        case time(Int32)
        /// A day and a month.
        case date(day: Int32, month: Int32)
        /// `-`, `ALLE` or `A`: what follows is the end.
        case to
        /// The end of a clause, after which other staff is meant.
        case clause
        /// A word that is none of these.
        case other(String)
    }

    private static func words(_ text: String) -> [Word] {
        var words: [Word] = []
        for part in text.split(whereSeparator: \.isWhitespace) {
            for piece in pieces(part) {
                switch piece {
                case "-", "ALLE", "ALLA", "A": words.append(.to)
                case ";", "/", "*", "(", ")": words.append(.clause)
                case ":", ",", ".": break
                default: words.append(word(piece))
                }
            }
        }
        return words
    }

    /// Splits at hyphens, at punctuation that does not stand between digits, and between letters
    /// and digits, as in `9.00ALLE` and `DELL'8/11`.
    private static func pieces(_ text: Substring) -> [String] {
        let characters = Array(text)
        var pieces = [""]
        func isDigit(_ index: Int) -> Bool {
            characters.indices.contains(index) && characters[index].isASCII
                && characters[index].isNumber
        }
        for (index, character) in characters.enumerated() {
            let isInside = isDigit(index - 1) && isDigit(index + 1)
            let isMark = character == "-" || ";,:/*.()".contains(character) && !isInside
            if isMark {
                pieces += [String(character), ""]
            } else {
                let before = index > 0 ? characters[index - 1] : " "
                let isFirst =
                    isDigit(index)
                    ? before.isLetter || before == "'" : character.isLetter && isDigit(index - 1)
                if isFirst { pieces.append("") }
                pieces[pieces.count - 1].append(character)
            }
        }
        return pieces.filter { !$0.isEmpty }
    }

    private static func word(_ text: String) -> Word {
        func numbers(_ separator: Character) -> (Int32, Int32)? {
            let parts = text.split(separator: separator, omittingEmptySubsequences: false)
            guard parts.count == 2, parts.allSatisfy({ (1...2).contains($0.utf8.count) }),
                let first = Int32(parts[0]), let second = Int32(parts[1])
            else { return nil }
            return (first, second)
        }
        if let (day, month) = numbers("/"), (1...31).contains(day), (1...12).contains(month) {
            return .date(day: day, month: month)
        }
        let time = text.contains(":") ? numbers(":") : numbers(".")
        if let (hour, minute) = time, (0...24).contains(hour), (0..<60).contains(minute),
            hour < 24 || minute == 0
        {
            return .time(hour * 3_600 + minute * 60)
        }
        return .other(text)
    }

    /// Reads a span at the beginning of some words.
    private static func span(
        _ words: ArraySlice<Word>,
        _ firstDay: CivilDate,
        scope: String
    ) -> (span: Span, end: Int)? {
        var index = words.startIndex
        let fillers = ["DALLE", "DALE", "DA", "DEL", "DELL'", "DEL'", "ORE"].map { Word.other($0) }
        func peek() -> Word? { index < words.endIndex ? words[index] : nil }
        func passFillers() {
            while let word = peek(), fillers.contains(word) { index += 1 }
        }
        func date() -> CivilDate? {
            let before = index
            passFillers()
            if case .date(let day, let month) = peek(),
                let date = Self.date(day: day, month: month, near: firstDay)
            {
                index += 1
                return date
            }
            index = before
            return nil
        }
        passFillers()
        guard case .time(let start) = peek() else { return nil }
        index += 1
        let startDay = date() ?? firstDay
        guard peek() == .to else { return nil }
        index += 1
        passFillers()
        var end: Int32 = 86_400
        if case .time(let second) = peek() {
            end = second
            index += 1
        } else if peek() == .other("FINE") {
            // The end of service or of a shift is not known: the rest of the day is taken.
            index += 1
        } else {
            return nil
        }
        let endDay = date() ?? (end > start ? startDay : startDay.adding(days: 1))
        let from = LocalTime(date: startDay, second: start)
        let to = LocalTime(wallSeconds: LocalTime(date: endDay, second: 0).wallSeconds + Int64(end))
        guard from < to else { return nil }
        return (Span(scope: scope, start: from, end: to), index)
    }

    /// The day with a number and month that is nearest to another.
    private static func date(day: Int32, month: Int32, near firstDay: CivilDate) -> CivilDate? {
        let year = firstDay.numbers.year
        return [year - 1, year, year + 1]
            .compactMap { CivilDate(year: $0, month: month, day: day) }
            .min {
                abs($0.daysSince1970 - firstDay.daysSince1970)
                    < abs($1.daysSince1970 - firstDay.daysSince1970)
            }
    }

    /// The words of a scope without those about durations, such as `24 ORE`.
    private static func name(_ words: [String]) -> String {
        let durations: Set = [
            "ORE", "ORA", "E", "ED", "MIN", "MINUTI", "DALLE", "DALE", "DA", "INTERA", "GIORNATA",
            "PRIMO", "SECONDO", "TURNO", "SETTORE",
        ]
        return words.filter { !durations.contains($0) && Int32($0) == nil }.joined(separator: " ")
    }
}
