import Foundation
import Journeys

/// The appearance of the map's classes.
///
/// Colours are in the style sheet of the picture, with a light and a dark variant; browsers select
/// the one that the surrounding page uses.
enum MapStyle {
    /// The name of a class in the style sheet, and of its path.
    static func name(_ mapClass: MapClass) -> StaticString {
        switch mapClass {
        case .residential: "a"
        case .commercial: "b"
        case .industrial: "c"
        case .grass: "d"
        case .park: "e"
        case .wood: "f"
        case .water: "g"
        case .coastline: "h"
        case .stream, .canal, .river: "i"
        case .path: "j"
        case .service: "k"
        case .minor: "l"
        case .tertiary: "m"
        case .secondary: "n"
        case .primary: "o"
        case .motorway: "p"
        case .tram: "q"
        case .subway: "r"
        case .lightRail: "s"
        case .rail: "t"
        default: "u"
        }
    }

    /// The classes that are drawn at a zoom level, without names.
    static func classes(zoom: Int) -> MapClasses {
        var classes = MapClasses(.residential, through: .rail)
        if zoom < 16 { classes.subtract([MapClasses(.path)]) }
        if zoom < 15 { classes.subtract([MapClasses(.service), MapClasses(.stream)]) }
        // Small streets make most of a tile's size, and a phone that is drawing them stutters.
        if zoom < 14 { classes.subtract([MapClasses(.minor)]) }
        if zoom < 13 { classes.subtract([MapClasses(.tram)]) }
        if zoom < 12 { classes.subtract([MapClasses(.subway), MapClasses(.tertiary)]) }
        if zoom < 10 { classes.subtract([MapClasses(.secondary)]) }
        return classes
    }

    /// Roads that have borders, from the zoom level at which they are wide enough.
    static func hasCasing(_ mapClass: MapClass, zoom: Int) -> Bool {
        switch mapClass {
        case .tertiary, .secondary, .primary, .motorway: zoom >= 13
        case .minor, .service: zoom >= 15
        default: false
        }
    }

    /// The width of a line in pixels at zoom level 16; nil for classes that are not lines.
    private static func width(_ mapClass: MapClass) -> Double? {
        switch mapClass {
        case .coastline: 2
        case .stream, .canal, .river: 3
        case .path: 1.2
        case .service: 3
        case .minor: 5
        case .tertiary: 6.5
        case .secondary: 7.5
        case .primary: 8.5
        case .motorway: 9
        case .tram, .subway, .lightRail: 1.5
        case .rail: 2
        default: nil
        }
    }

    /// The width of a line, in units.
    static func units(_ mapClass: MapClass, zoom: Int) -> Int? {
        guard let width = width(mapClass) else { return nil }
        // Streets shrink more slowly than the land, so that they stay visible at low zoom levels.
        let pixels = width * pow(1.45, Double(zoom - 16))
        let least = mapClass == .motorway || mapClass == .primary ? 1.2 : 0.7
        return Int((max(least, min(14, pixels)) * Double(MapFrame.unitsPerPixel)).rounded())
    }

    /// The style sheet of a zoom level.
    static func sheet(zoom: Int) -> String {
        var widths = ""
        for mapClass in MapClass.allCases {
            guard let units = units(mapClass, zoom: zoom) else { continue }
            let name = name(mapClass).description
            let rule = ".\(name){stroke-width:\(units)}"
            // River, canal and stream are one class.
            guard !widths.contains(rule) else { continue }
            widths += rule
            if hasCasing(mapClass, zoom: zoom) {
                widths += ".\(name)0{stroke-width:\(units + 2 * MapFrame.unitsPerPixel)}"
            }
        }
        return fixed + widths
    }

    private static let fixed = """
        svg{--l:#f0f2f4;--a:#e7ebef;--b:#ece7ea;--c:#e4e4ea;--d:#ddebd4;--e:#cde5c2;--f:#bddbb1;\
        --g:#a8cde6;--w:#fff;--n:#fbe9ae;--o:#f8d77e;--p:#efb065;--i:#c0cad3;--j:#b9aa94;\
        --q:#b794c2;--r:#7a2e8e;--t:#868c94;--x:#2b3a48;--y:#56636f;--k:#0b4f8a}\
        @media(prefers-color-scheme:dark){svg{--l:#17212b;--a:#1d2833;--b:#241f2e;--c:#20242e;\
        --d:#1b2d22;--e:#1c3726;--f:#1a3320;--g:#12384f;--w:#3b4a58;--n:#5a5638;--o:#6b6034;\
        --p:#86602f;--i:#0b131b;--j:#5d564b;--q:#7f5a8b;--r:#a86fb9;--t:#6d7883;--x:#dbe4ec;\
        --y:#a9b7c4;--k:#8fc3f5}}\
        path,use{fill:none;stroke-linejoin:round;stroke-linecap:round}.z{fill:var(--l)}\
        .a{fill:var(--a)}.b{fill:var(--b)}.c{fill:var(--c)}.d{fill:var(--d)}.e{fill:var(--e)}\
        .f{fill:var(--f)}.g{fill:var(--g)}.h,.i{stroke:var(--g)}\
        .j{stroke:var(--j);stroke-dasharray:48 32}.k,.l,.m{stroke:var(--w)}.n{stroke:var(--n)}\
        .o{stroke:var(--o)}.p{stroke:var(--p)}.q,.s{stroke:var(--q)}\
        .r{stroke:var(--r);stroke-dasharray:96 64;stroke-linecap:butt}.t{stroke:var(--t)}\
        .k0,.l0,.m0,.n0,.o0,.p0{stroke:var(--i)}.v{opacity:.4}\
        text{font:176px system-ui,"Noto Sans",sans-serif;text-anchor:middle;fill:var(--x);\
        stroke:var(--l);stroke-width:44px;stroke-linejoin:round;paint-order:stroke}\
        .t12{font-size:192px}.t14{font-size:224px}.t16{font-size:256px}.tb{font-weight:600}
        """
}
