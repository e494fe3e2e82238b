//! The same pictures as pixels (feature `png`), with a font of its own: no system font is looked at, so the bytes are the
//! same everywhere.

use std::sync::{Arc, OnceLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::Database;
use resvg::usvg::{Options, Tree};

use crate::{Picture, Plot, RobotPicture, RobotStrip, Slices, Strip, stacked};

/// The fonts: Ubuntu Light, under the Ubuntu Font Licence.
fn fonts() -> Arc<Database> {
    static FONTS: OnceLock<Arc<Database>> = OnceLock::new();
    let load = || {
        let mut fonts = Database::new();
        fonts.load_font_data(epaint_default_fonts::UBUNTU_LIGHT.to_vec());
        fonts.set_sans_serif_family("Ubuntu");
        Arc::new(fonts)
    };
    Arc::clone(FONTS.get_or_init(load))
}

/// Renders one of our own SVG documents, which all have a size.
fn render(svg: &str) -> Vec<u8> {
    let options = Options { fontdb: fonts(), ..Options::default() };
    let tree = Tree::from_str(svg, &options).expect("an SVG document of this crate");
    let size = tree.size().to_int_size();
    let mut pixels = Pixmap::new(size.width(), size.height()).expect("a picture has a size");
    resvg::render(&tree, Transform::default(), &mut pixels.as_mut());
    pixels.encode_png().expect("pixels can be written")
}

/// The `png` of pictures that have an `svg`: the same, as the bytes of a PNG file.
macro_rules! as_png {
    ($($picture:ty),+) => {$(
        impl $picture {
            /// The same as a PNG file of the size of [`svg`](Self::svg).
            ///
            /// # Panics
            /// Never: the document is our own and has a size.
            pub fn png(&self) -> Vec<u8> {
                render(&self.svg())
            }
        }
    )+};
}
as_png!(Picture<'_>, Plot, RobotPicture<'_>, RobotStrip<'_>, Slices, Strip<'_>);

/// Plots below one another as a PNG file of the size of [`stacked`].
///
/// # Panics
/// Never: the document is our own and has a size.
pub fn stacked_png(plots: &[Plot]) -> Vec<u8> {
    render(&stacked(plots))
}
