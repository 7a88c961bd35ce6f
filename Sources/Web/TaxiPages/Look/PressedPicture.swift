import CityData
package import Geo
package import Localization
package import Markup
package import WebCore

/// A map image that users click to choose a point, as an `input` of type `image`.
///
/// It works without scripts (R42, R43).
package enum PressedPicture {
    /// The width and the height of the image, in pixels.
    ///
    /// Browsers report clicks in displayed pixels, so the image is displayed at its natural size,
    /// which fits on the smallest phones too.
    package static let side = 280

    /// The image button.
    ///
    /// Clicking it submits the form with the clicked pixel.
    ///
    /// - Parameters:
    ///   - picture: the address of the image, which has ``side`` times ``side`` pixels.
    ///   - words: the alternative text, which says what a click does.
    ///   - context: the visitor's request.
    /// - Returns: the field, in a box that scrolls if there is not enough space.
    package static func button(_ picture: Address, _ words: Text, _ context: RequestContext) -> HTML
    {
        """
        <div class="scroll"><input type="image" name="point" class="pressed" src=\(picture) \
        alt="\(context.say(words))" width="\(side)" height="\(side)"></div>
        """
    }

    /// Returns the place that was clicked.
    ///
    /// - Parameters:
    ///   - box: the area that the image shows.
    ///   - fields: the submitted fields.
    /// - Returns: nil if no pixel was submitted, or none of this image.
    package static func place(in box: BoundingBox, _ fields: Form) -> Coordinate? {
        guard var x = pixel(fields["point.x"]), var y = pixel(fields["point.y"]) else {
            return nil
        }
        // Activating the button with the keyboard submits the pixel 0, 0. Use the centre instead.
        if (x, y) == (0, 0) { (x, y) = (side / 2, side / 2) }
        let frame = MapFrame(around: box, pixelsWide: side, pixelsHigh: side)
        return frame.place(atPixel: x, y)
    }

    /// Whether the image of an area shows a place; it may show more than the area.
    package static func shows(_ place: Coordinate, in box: BoundingBox) -> Bool {
        let frame = MapFrame(around: box, pixelsWide: side, pixelsHigh: side)
        let corners = [frame.place(atPixel: 0, 0), frame.place(atPixel: side, side)]
        return BoundingBox(around: corners)?.contains(place) == true
    }

    private static func pixel(_ text: String?) -> Int? {
        guard let text, let number = Int(text), (0..<side).contains(number) else { return nil }
        return number
    }
}
