import Geo
import Localization
import OpenData
import TaxiPages
import Zones

extension ZoneProblem {
    /// The problem in plain words.
    ///
    /// - Parameter names: what zones are called, by their codes.
    /// - Returns: a sentence.
    func words(_ names: [String: String]) -> Text {
        func name(_ code: String) -> String { names[code] ?? code }
        switch self {
        case .form(let failure): return failure.words
        case .empty: return Text("There are no zones.", "Non ci sono zone.")
        case .notAnArea(let feature):
            return Text(
                "Feature \(feature + 1) is not an area (a polygon or several).",
                "L'elemento \(feature + 1) non è un'area (uno o più poligoni)."
            )
        case .noCode(let feature, let property):
            return Text(
                "Feature \(feature + 1) has nothing in “\(property)” to tell it from the others.",
                "L'elemento \(feature + 1) non ha nulla in «\(property)» che lo distingua."
            )
        case .duplicateCode(let code, let first, let second):
            return Text(
                "Features \(first + 1) and \(second + 1) have the same code, \(code).",
                "Gli elementi \(first + 1) e \(second + 1) hanno lo stesso codice, \(code)."
            )
        case .tooManyZones(let count, let limit):
            return Text(
                "There are \(count) zones; at most \(limit) are accepted.",
                "Ci sono \(count) zone; se ne accettano al massimo \(limit)."
            )
        case .tooManyCorners(let count, let limit):
            return Text(
                "The borders have \(count) vertices; at most \(limit) are accepted.",
                "I confini hanno \(count) vertici; se ne accettano al massimo \(limit)."
            )
        case .antimeridian(let zone):
            return Text(
                "\(name(zone)) crosses the 180th meridian.",
                "\(name(zone)) attraversa il 180° meridiano."
            )
        case .tooFarApart(let zone):
            return Text(
                "\(name(zone)) is too far from the other zones to be in one city.",
                "\(name(zone)) è troppo lontana dalle altre zone per una sola città."
            )
        case .crossesItself(let zone, let place, let width):
            return Text(
                "The border of \(name(zone)) crosses itself at \(BorderText.shown(place)), over "
                    + "\(BorderText.number(width, .english)) m.",
                "Il confine di \(name(zone)) incrocia sé stesso in \(BorderText.shown(place)), per "
                    + "\(BorderText.number(width, .italian)) m."
            )
        case .tooManyCrossings, .tooDense, .tooDeep: return costWords(name)
        case .overlap(let overlap): return overlap.words(name(overlap.zone), name(overlap.other))
        case .withoutArea(let zone):
            return Text("\(name(zone)) encloses nothing.", "\(name(zone)) non racchiude nulla.")
        case .vanished(let zone):
            return Text(
                "Nothing is left of \(name(zone)): other zones cover it.",
                "Di \(name(zone)) non resta nulla: altre zone la coprono."
            )
        case .unsettled:
            return Text(
                "The borders could not be brought together. Check where several zones meet.",
                "Non è stato possibile far combaciare i confini. Controlla dove si toccano più "
                    + "zone."
            )
        case .unknownCode(let code):
            return Text("There is no zone \(code).", "Non c'è nessuna zona \(code).")
        }
    }

    /// Why borders cost too much to be compared.
    private func costWords(_ name: (String) -> String) -> Text {
        switch self {
        case .tooManyCrossings(let limit, let crossings):
            let places = crossings.map { crossing in
                let zones = Set([crossing.zone, crossing.other]).sorted().map(name)
                return (zones: zones, place: BorderText.shown(crossing.place))
            }
            func list(_ and: String, _ at: String) -> String {
                places.map { $0.zones.joined(separator: and) + at + $0.place }
                    .joined(separator: "; ")
            }
            return Text(
                "The borders cross more than \(limit) times: \(list(" and ", " at ")). Correct "
                    + "the file.",
                "I confini si incrociano più di \(limit) volte: \(list(" e ", " in ")). Correggi "
                    + "il file."
            )
        case .tooDense(let place):
            return Text(
                "Too many long borders lie close together, for example from "
                    + "\(BorderText.shown(place)). Draw fewer.",
                "Troppi confini lunghi sono vicini tra loro, per esempio da "
                    + "\(BorderText.shown(place)). Disegnane meno."
            )
        case .tooDeep(let limit, let place):
            return Text(
                "More than \(limit) zones overlap at \(BorderText.shown(place)).",
                "Più di \(limit) zone si sovrappongono in \(BorderText.shown(place))."
            )
        default: preconditionFailure("\(self) is not about what borders cost")
        }
    }

    /// The codes of the zones that it is about, to be corrected.
    var codes: [String] {
        switch self {
        case .overlap(let overlap): [overlap.zone, overlap.other]
        case .antimeridian(let zone), .tooFarApart(let zone), .crossesItself(let zone, _, _),
            .withoutArea(let zone), .vanished(let zone):
            [zone]
        default: []
        }
    }
}

extension ZoneOverlap {
    /// The overlap in plain words.
    fileprivate func words(_ zone: String, _ other: String) -> Text {
        let size = BorderText.measures(area: areaSquareMetres, width: widthMetres, at: place)
        return Text(
            "\(zone) and \(other) overlap: \(size.in(.english)).",
            "\(zone) e \(other) si sovrappongono: \(size.in(.italian))."
        )
    }
}

extension GeoJSONFailure {
    /// What is wrong with the file, and where in it.
    var words: Text {
        let (english, italian) = (problem.words.in(.english), problem.words.in(.italian))
        let feature = feature.map { $0 + 1 }
        let member = field.isEmpty ? "" : " (\(field))"
        guard let feature else {
            return Text("The file \(english)\(member).", "Il file \(italian)\(member).")
        }
        return Text(
            "Feature \(feature) \(english)\(member).",
            "L'elemento \(feature) \(italian)\(member)."
        )
    }
}

extension GeoJSONFailure.Problem {
    fileprivate var words: Text {
        switch self {
        case .syntax(let failure):
            Text(
                "is not JSON: look at line \(failure.line), byte \(failure.column)",
                "non è JSON: guarda la riga \(failure.line), byte \(failure.column)"
            )
        case .missing: Text("lacks a member", "manca di un campo")
        case .expected: Text("has something of a wrong kind", "ha qualcosa di tipo sbagliato")
        case .unknownType(let type):
            Text("has the unknown type “\(type)”", "ha il tipo sconosciuto «\(type)»")
        case .otherCoordinateSystem(let name):
            Text(
                "has coordinates in “\(name)”; export it in WGS 84, longitude and latitude",
                "ha coordinate in «\(name)»; esportalo in WGS 84, longitudine e latitudine"
            )
        case .offEarth:
            Text(
                "has numbers that are no longitude and latitude",
                "ha numeri che non sono longitudine e latitudine"
            )
        case .ring(.unclosed):
            Text(
                "has a border that does not end where it begins",
                "ha un confine che non finisce dove inizia"
            )
        case .ring(.tooFewCorners(let count)):
            Text(
                "has a border of only \(count) corners",
                "ha un confine di soli \(count) vertici"
            )
        case .ring(.offEarth(let point)):
            Text(
                "has a border whose point \(point + 1) is not on the earth",
                "ha un confine il cui punto \(point + 1) non è sulla terra"
            )
        case .shortLine:
            Text("has a line of fewer than 2 places", "ha una linea di meno di 2 punti")
        case .tooDeep(let limit):
            Text(
                "has collections nested more than \(limit) deep",
                "ha raccolte annidate oltre \(limit) livelli"
            )
        }
    }
}

extension ZoneForm.Problem {
    /// What is wrong with what was typed.
    var words: Text {
        switch self {
        case .name:
            Text(
                "Give the zone a name of at most \(ZoneForm.nameLimit) letters.",
                "Dai alla zona un nome di al massimo \(ZoneForm.nameLimit) lettere."
            )
        case .rows(let rows):
            Text(
                "Latitude is a number from -90 to 90, longitude from -180 to 180. Correct the "
                    + "marked rows: \(rows.count).",
                "La latitudine è un numero da -90 a 90, la longitudine da -180 a 180. Correggi le "
                    + "righe segnate: \(rows.count)."
            )
        case .tooFewCorners: BorderText.Flaw.tooFewCorners.words
        case .lastPart:
            Text(
                "This is the zone's only part: remove the zone instead.",
                "Questa è l'unica parte della zona: togli la zona."
            )
        case .pasted(let flaw): flaw.words
        }
    }
}

extension BorderText.Flaw {
    /// What is wrong with the pasted text.
    var words: Text {
        switch self {
        case .line(let line):
            Text(
                "Line \(line) is not a latitude and a longitude.",
                "La riga \(line) non è una latitudine e una longitudine."
            )
        case .tooFewCorners:
            Text(
                "A border needs at least three corners.",
                "Un confine ha bisogno di almeno tre vertici."
            )
        case .form(let failure): failure.words
        case .notOneArea:
            Text(
                "The GeoJSON must hold one area; import a file for several zones.",
                "Il GeoJSON deve contenere una sola area; per più zone importa un file."
            )
        }
    }
}
