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
    func text(_ names: [String: String]) -> Text {
        func name(_ code: String) -> String { names[code] ?? code }
        switch self {
        case .form(let failure): return failure.text
        case .empty: return ZonePagesTexts.thereAreNoZones
        case .notAnArea(let feature):
            return ZonePagesTexts.featureIsNotAnArea(feature + 1)
        case .noCode(let feature, let property):
            return ZonePagesTexts.featureWithoutCode(feature + 1, property)
        case .duplicateCode(let code, let first, let second):
            return ZonePagesTexts.featuresWithSameCode(first + 1, second + 1, code)
        case .tooManyZones(let count, let limit):
            return ZonePagesTexts.tooManyZones(count, limit)
        case .tooManyCorners(let count, let limit):
            return ZonePagesTexts.tooManyVertices(count, limit)
        case .antimeridian(let zone):
            return ZonePagesTexts.crossesThe180thMeridian(name(zone))
        case .tooFarApart(let zone):
            return ZonePagesTexts.zoneTooFarAway(name(zone))
        case .crossesItself(let zone, let place, let width):
            let width = BorderText.number(width)
            return ZonePagesTexts.crossesItself(name(zone), BorderText.shown(place), width)
        case .tooManyCrossings, .tooDense, .tooDeep: return costText(name)
        case .overlap(let overlap): return overlap.text(name(overlap.zone), name(overlap.other))
        case .withoutArea(let zone):
            return ZonePagesTexts.enclosesNothing(name(zone))
        case .vanished(let zone):
            return ZonePagesTexts.zoneCovered(name(zone))
        case .unsettled:
            return ZonePagesTexts.bordersNotJoined
        case .unknownCode(let code):
            return ZonePagesTexts.thereIsNoZone(code)
        }
    }

    /// Why borders cost too much to be compared.
    private func costText(_ name: (String) -> String) -> Text {
        switch self {
        case .tooManyCrossings(let limit, let crossings):
            let places = crossings.map { crossing in
                let names = Set([crossing.zone, crossing.other]).sorted().map(name)
                let zones =
                    names.count == 2
                    ? ZonePagesTexts.two(names[0], names[1]) : Text(same: names[0])
                return ZonePagesTexts.crossing(zones, BorderText.shown(crossing.place))
            }
            return ZonePagesTexts.tooManyCrossings(
                limit,
                Text(joining: places, separator: "; ")
            )
        case .tooDense(let place):
            return ZonePagesTexts.bordersTooDense(BorderText.shown(place))
        case .tooDeep(let limit, let place):
            return ZonePagesTexts.tooManyOverlaps(limit, BorderText.shown(place))
        default: preconditionFailure("\(self) is not about what borders cost")
        }
    }

    /// Where it is, to be marked on a map.
    var places: [Coordinate] {
        switch self {
        case .crossesItself(_, let place, _), .tooDense(let place), .tooDeep(_, let place): [place]
        case .overlap(let overlap): [overlap.place]
        case .tooManyCrossings(_, let crossings): crossings.map(\.place)
        default: []
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
    fileprivate func text(_ zone: String, _ other: String) -> Text {
        let size = BorderText.measures(area: areaSquareMetres, width: widthMetres, at: place)
        return ZonePagesTexts.andOverlap(zone, other, size)
    }
}

extension GeoJSONFailure {
    /// What is wrong with the file, and where in it.
    var text: Text {
        let member = field.isEmpty ? "" : " (\(field))"
        guard let feature else { return ZonePagesTexts.fault(problem.text, member) }
        return ZonePagesTexts.faultOfFeature(feature + 1, problem.text, member)
    }
}

extension GeoJSONFailure.Problem {
    fileprivate var text: Text {
        switch self {
        case .syntax(let failure):
            ZonePagesTexts.notJson(failure.line, failure.column)
        case .missing: ZonePagesTexts.lacksAMember
        case .expected: ZonePagesTexts.hasWrongType
        case .unknownType(let type):
            ZonePagesTexts.hasUnknownType(type)
        case .otherCoordinateSystem(let name):
            ZonePagesTexts.hasOtherCoordinates(name)
        case .offEarth:
            ZonePagesTexts.hasBadCoordinates
        case .ring(.unclosed):
            ZonePagesTexts.hasOpenBorder
        case .ring(.tooFewCorners(let count)):
            ZonePagesTexts.hasTooFewCorners(count)
        case .ring(.offEarth(let point)):
            ZonePagesTexts.hasPointOffEarth(point + 1)
        case .shortLine:
            ZonePagesTexts.hasShortLine
        case .tooDeep(let limit):
            ZonePagesTexts.nestedTooDeep(limit)
        }
    }
}

extension ZoneForm.Problem {
    /// What is wrong with what was typed.
    var text: Text {
        switch self {
        case .name:
            ZonePagesTexts.badName(ZoneForm.nameLimit)
        case .rows(let rows):
            ZonePagesTexts.badVertices(rows.count)
        case .tooFewCorners: BorderText.Flaw.tooFewCorners.text
        case .lastPart:
            ZonePagesTexts.onlyPart
        case .pasted(let flaw): flaw.text
        }
    }
}

extension BorderText.Flaw {
    /// What is wrong with the pasted text.
    var text: Text {
        switch self {
        case .line(let line):
            ZonePagesTexts.badLine(line)
        case .tooFewCorners:
            ZonePagesTexts.tooFewCorners
        case .form(let failure): failure.text
        case .notOneArea:
            ZonePagesTexts.oneAreaOnly
        }
    }
}
