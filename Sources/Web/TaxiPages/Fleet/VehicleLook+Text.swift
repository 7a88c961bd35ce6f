package import Drivers
package import Localization

extension VehicleColour {
    /// The word for the colour within a sentence.
    package var text: Text {
        switch self {
        case .white: VehicleLookTexts.white
        case .black: VehicleLookTexts.black
        case .grey: VehicleLookTexts.grey
        case .silver: VehicleLookTexts.silver
        case .blue: VehicleLookTexts.blue
        case .red: VehicleLookTexts.red
        case .green: VehicleLookTexts.green
        case .yellow: VehicleLookTexts.yellow
        case .orange: VehicleLookTexts.orange
        case .brown: VehicleLookTexts.brown
        case .beige: VehicleLookTexts.beige
        }
    }

    /// The word for the colour on its own, in a list or a table.
    package var label: Text {
        let own = text
        return Text(inEach: { language in
            let word = own.in(language)
            return word.prefix(1).uppercased() + word.dropFirst()
        })
    }

    /// The options of a form's field, of which the first states no colour.
    package static var choices: [(value: String, label: Text)] {
        [(value: "", label: VehicleLook.notStated)]
            + allCases.map { (value: $0.rawValue, label: $0.label) }
    }
}

extension VehicleLook {
    /// What stands in place of a make or colour that the papers do not state.
    package static let notStated = VehicleLookTexts.notStated

    /// The taxi as passengers describe it, such as "white Toyota Corolla"; nil if neither make nor
    /// colour is known.
    package var text: Text? {
        switch (make, colour) {
        case (let make?, let colour?): VehicleLookTexts.both(colour.text, make)
        case (let make?, nil): Text(same: make)
        case (nil, let colour?): VehicleLookTexts.colourOnly(colour.text)
        case (nil, nil): nil
        }
    }
}
