import CityData
package import Geo
package import Localization
package import Markup
package import WebCore

/// A map that is pressed to say where something is: a picture that is a button, as browsers have
/// had it since they show pictures.
///
/// It works without scripts (R42, R43).
package enum PressedPicture {
    /// Its width and its height, in pixels.
    ///
    /// Browsers count a press in what they show, so it is shown as large as it is drawn: on the
    /// smallest phones too.
    package static let side = 280

    /// The button; its form is sent with the pixel that was pressed.
    ///
    /// - Parameters:
    ///   - picture: the address of the drawing, of ``side`` times ``side`` pixels.
    ///   - words: what it is and what pressing it means.
    ///   - visit: who sees it.
    /// - Returns: the field, in a box that scrolls where there is no room.
    package static func button(_ picture: Address, _ words: Text, _ visit: Visit) -> HTML {
        """
        <div class="scroll"><input type="image" name="point" class="pressed" src=\(picture) \
        alt="\(visit.say(words))" width="\(side)" height="\(side)"></div>
        """
    }

    /// The place that was pressed.
    ///
    /// - Parameters:
    ///   - box: what the picture shows.
    ///   - fields: what was sent with it.
    /// - Returns: nil where nothing, or what is no pixel of it, was sent.
    package static func place(in box: BoundingBox, _ fields: Form) -> Coordinate? {
        guard var x = pixel(fields["point.x"]), var y = pixel(fields["point.y"]) else {
            return nil
        }
        // Who presses the picture with a key presses no pixel, which browsers say as 0, 0.
        if (x, y) == (0, 0) { (x, y) = (side / 2, side / 2) }
        let frame = MapFrame(around: box, pixelsWide: side, pixelsHigh: side)
        return frame.place(atPixel: x, y)
    }

    private static func pixel(_ text: String?) -> Int? {
        guard let text, let number = Int(text), (0..<side).contains(number) else { return nil }
        return number
    }
}
