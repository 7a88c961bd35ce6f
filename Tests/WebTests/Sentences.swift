extension Visitor.Answer {
    /// The sentences in the main part of a page: what has three words of three letters at least,
    /// without what people have typed, files, and what is marked as another language.
    ///
    /// One that a page says in both languages lacks its translation: names have fewer words.
    var sentences: Set<String> {
        guard let main = text.firstMatch(of: /(?s)<main[^>]*>(.*)<\/main>/)?.1 else { return [] }
        let said = String(main)
            .replacing(/(?s)<(script|style|svg|pre|code|textarea)\b.*?<\/\1>/, with: "\n")
            .replacing(/(?s)<(\w+)[^>]* lang="[^>]*>.*?<\/\1>/, with: "\n")
            .replacing(/<[^>]*>/, with: "\n")
            .replacing(/&#?\w+;/, with: " ")
        return Set(
            said.split(separator: "\n").map(String.init).filter { line in
                line.split { !$0.isLetter }.count { $0.count >= 3 } >= 3
            }
        )
    }
}
