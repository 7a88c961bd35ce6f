/// Texts of a city file, each kept once and called by its number; number 0 is "".
package struct TextPool: Sendable {
    /// The texts in the order of their numbers.
    package private(set) var texts: [String] = [""]
    private var numbers: [String: UInt32] = ["": 0]

    /// A pool that holds only "".
    package init() {}

    /// The number of a text, which is added if it is new.
    package mutating func number(of text: String) -> UInt32 {
        if let number = numbers[text] { return number }
        let number = UInt32(texts.count)
        texts.append(text)
        numbers[text] = number
        return number
    }
}
