/// Knowledge about words in addresses, for all languages: synonyms, words that may be left out, and
/// words that only name a kind of street.
enum AddressVocabulary {
    /// The words that a word may mean, itself first.
    ///
    /// A word for a kind of street does not match a single letter: "via" never means the Rua V.
    static func variants(_ word: [UInt8]) -> [[UInt8]] {
        guard let classes = table.classes[word] else { return [word] }
        let isGeneric = isGeneric(word)
        var result = [word]
        for number in classes {
            for other in table.members[number]
            where !result.contains(other) && (other.count > 1 || !isGeneric) {
                result.append(other)
            }
        }
        return result
    }

    /// Whether a word is an abbreviation, so that dots within it do not separate words.
    static func isAbbreviation(_ word: [UInt8]) -> Bool { table.classes[word] != nil }

    /// Whether a word may be left out of a name or added to it: articles, prepositions, initials,
    /// words before a number, and words for relative position.
    static func isOptional(_ word: [UInt8]) -> Bool {
        (word.count == 1 && !AddressText.isDigit(word[0])) || table.optional.contains(word)
    }

    /// Whether a word, or the word that it abbreviates, only names a kind of street.
    static func isGeneric(_ word: [UInt8]) -> Bool { table.generic.contains(word) }

    /// Whether a word names a kind of street in English, where the number comes first.
    static func isEnglishStreet(_ word: [UInt8]) -> Bool { table.english.contains(word) }

    /// Whether a word names a kind of street in a language where the number comes last.
    static func isRomanceStreet(_ word: [UInt8]) -> Bool { table.romance.contains(word) }

    /// Synonyms, one group per line.
    private static let synonyms = """
        via v
        viale vle
        corso cso
        piazza pza pzza
        piazzale ple pzle
        piazzetta ptta
        largo lgo
        vicolo vlo vic
        strada str
        stradone sne
        campo cpo
        contrada cda
        localita loc
        frazione fraz
        cascina cna
        fratelli flli
        stazione staz
        fermata ferm
        ospedale osp
        san santa santo sant s ss saint st
        professor prof professore
        generale gen
        monsignor mons monsignore
        cardinale card
        dottor dott dr
        ingegner ing ingegnere
        street st str
        road rd
        avenue ave av
        drive dr drv
        lane ln
        court ct
        close cl
        crescent cres cresc
        gardens gdns gdn
        grove gr gro
        place pl
        square sq
        terrace ter terr
        park pk
        hill hl
        mount mt mtn
        north n
        south s
        east e
        west w
        boulevard blvd
        parkway pkwy
        highway hwy
        station stn sta
        hospital hosp
        university univ
        rua r
        avenida av avda
        travessa tv
        praca pc pca
        and e
        i 1
        ii 2
        iii 3
        iv 4 quattro
        v 5
        vi 6
        vii 7
        viii 8
        ix 9
        x 10
        xi 11
        xii 12
        xx 20 venti
        xxii 22
        xxiv 24
        xxv 25 venticinque
        """
    private static let optionalText = """
        il lo la le gli i un di del dello della delle dei degli dell de da dal dalla al allo alla \
        alle ai agli all in nel nella su sul sulla e ed d l a the of and at on du des do das dos \
        n nr no num numero civico snc prima dopo fronte angolo altezza presso near opposite opp
        """
    private static let romanceText = """
        via viale corso piazza piazzale piazzetta largo vicolo strada stradone contrada rua \
        avenida travessa praca calle rue
        """
    private static let englishText = """
        street road avenue drive lane court close crescent gardens grove place square terrace \
        way walk row rise mews
        """

    private struct Table {
        var members: [[[UInt8]]] = []
        var classes: [[UInt8]: [Int]] = [:]
        var optional: Set<[UInt8]> = []
        var romance: Set<[UInt8]> = []
        var english: Set<[UInt8]> = []
        var generic: Set<[UInt8]> = []
    }

    private static let table: Table = {
        func words(_ text: Substring) -> [[UInt8]] {
            text.split(separator: " ").map { Array($0.utf8) }
        }
        var table = Table()
        for (number, line) in synonyms.split(separator: "\n").enumerated() {
            table.members.append(words(line))
            for word in words(line) { table.classes[word, default: []].append(number) }
        }
        table.optional = Set(words(optionalText[...]))
        table.romance = Set(words(romanceText[...]))
        table.english = Set(words(englishText[...]))
        table.generic = table.romance.union(table.english)
        for members in table.members where members.contains(where: table.generic.contains) {
            table.generic.formUnion(members)
        }
        return table
    }()
}
