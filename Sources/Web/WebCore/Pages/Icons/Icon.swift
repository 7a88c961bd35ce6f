package import Markup

/// A drawing of 24 by 24 units next to a text label, therefore hidden from screen readers.
package struct Icon: Equatable, Sendable {
    private let path: HTML

    /// Creates an icon from a path.
    ///
    /// - Parameter path: the `d` attribute of an SVG path, drawn as a stroke.
    package init(path: HTML) {
        self.path = path
    }

    /// The icon as inline SVG.
    package var html: HTML { styled(.empty) }

    /// The icon as inline SVG with a further class.
    package func styled(_ style: HTML) -> HTML {
        """
        <svg class="icon\(style)" width="24" height="24" viewBox="0 0 24 24" aria-hidden="true" \
        focusable="false">\
        <path d="\(path)"/></svg>
        """
    }
}
