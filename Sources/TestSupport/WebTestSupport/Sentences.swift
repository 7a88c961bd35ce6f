extension Visitor.Answer {
    /// The sentences in the main part of a page.
    ///
    /// A sentence has at least three words of three letters or more, at least two of them in lower
    /// case, unlike names. User input, files and passages marked as another language are left out.
    /// A sentence that a page contains in both languages is missing its translation.
    package var sentences: Set<String> {
        guard let main = text.firstMatch(of: /(?s)<main[^>]*>(.*)<\/main>/)?.1 else { return [] }
        let said = String(main)
            .replacing(/(?s)<(script|style|svg|pre|code|textarea)\b.*?<\/\1>/, with: "\n")
            .replacing(/(?s)<(\w+)[^>]* lang="[^>]*>.*?<\/\1>/, with: "\n")
            .replacing(/<[^>]*>/, with: "\n")
            .replacing(/&#?\w+;/, with: " ")
        return Set(
            said.split(separator: "\n").map(String.init).filter { line in
                let words = line.split { !$0.isLetter }.filter { $0.count >= 3 }
                return words.count >= 3 && words.count { $0.first?.isLowercase == true } >= 2
            }
        )
    }
}
