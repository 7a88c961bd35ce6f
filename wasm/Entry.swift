import Columns
import Journeys
import Transit

/// Answers journey queries in a city: the function that a browser, or the command
/// in `command.c`, calls.
///
/// Queries and answers are the CSV of `viavai plan --batch`.
///
/// - Parameters:
///   - city: the bytes of a city file, aligned to 64 bytes; they must stay valid until the return.
///   - cityLength: the number of these bytes.
///   - text: the queries, preceded by a line of column names.
///   - textLength: the length of the queries in bytes.
///   - wishes: the options of ``Wishes``, each ended by a zero byte.
///   - wishesLength: the length of the options in bytes.
///   - write: receives the answers piece by piece; a piece is valid during the call.
/// - Returns: 0 when all queries are answered; -1 where the bytes are no city file, -2 where the
///   options are invalid; otherwise the number of the first line that is not a query. In all cases
///   but 0 nothing is answered.
@c(viavai_answer)
public func answer(
    _ city: UnsafeRawPointer,
    _ cityLength: Int,
    _ text: UnsafePointer<UInt8>,
    _ textLength: Int,
    _ wishes: UnsafePointer<UInt8>,
    _ wishesLength: Int,
    _ write: @convention(c) (UnsafePointer<UInt8>, Int) -> Void
) -> Int32 {
    let storage = unsafe ByteStorage(base: city, count: cityLength) {}
    guard let file = try? SectionFile(storage) else { return -1 }
    var planner = Planner(CitySnapshot(City(file)))
    let bytes = unsafe [UInt8](UnsafeBufferPointer(start: text, count: textLength))
    let words = unsafe [UInt8](UnsafeBufferPointer(start: wishes, count: wishesLength))
    guard let wishes = Wishes(words) else { return -2 }
    let reader = QuestionReader(planner.city, wishes)
    var questions: [Question] = []
    for (number, line) in bytes.split(separator: UInt8(ascii: "\n")).enumerated() {
        if number == 0, line.elementsEqual(QuestionReader.header.utf8) { continue }
        guard number > 0, let question = reader.question(line) else {
            return Int32(truncatingIfNeeded: number + 1)
        }
        questions.append(question)
    }
    func put(_ line: [UInt8]) {
        unsafe line.withUnsafeBufferPointer { line in
            if let start = line.baseAddress { unsafe write(start, line.count) }
        }
    }
    let zone = planner.city.timetable.zone
    put(Array((wishes.windowSeconds == nil ? AnswerLine.header : ProfileLine.header).utf8))
    for question in questions {
        if let seconds = wishes.windowSeconds {
            let profiles = planner.profiles(question.profile(windowSeconds: seconds))
            for profile in profiles { put(ProfileLine.lines(question.id, profile, zone)) }
        } else {
            put(AnswerLine.lines(question.id, planner.journeys(question.query), zone))
        }
    }
    return 0
}
