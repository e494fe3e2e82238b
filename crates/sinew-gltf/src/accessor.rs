//! Typed arrays in the binary data: accessors, checked once and then read number by number.
//!
//! Every accessor of a document is checked against its view and every view against its buffer before
//! anything is read, in arithmetic that cannot overflow, so that neither a count of four billion nor an
//! offset behind the end reaches memory. Nothing is copied: a [`Column`] reads from the bytes as they
//! lie.
//!
//! Source: Khronos, "glTF 2.0 Specification", section 3.6 (Binary Data Storage).

use std::cmp::Ordering;

use crate::buffer::Buffers;
use crate::document::{Object, in_range, whole_number};
use crate::element::{Component, Shape};
use crate::error::{Fault, quoted};

/// All accessors of a document with the views they read through.
#[derive(Debug)]
pub(crate) struct Accessors {
    views: Vec<View>,
    list: Vec<Accessor>,
}

#[derive(Debug)]
struct View {
    buffer: usize,
    offset: usize,
    length: usize,
    /// 0 where elements follow one another without gaps.
    stride: usize,
}

#[derive(Debug)]
struct Accessor {
    source: Option<Source>,
    component: Component,
    normalized: bool,
    shape: Shape,
    count: usize,
    sparse: Option<Sparse>,
}

/// Elements in a view.
#[derive(Clone, Copy, Debug)]
struct Source {
    view: usize,
    offset: usize,
}

/// Elements that replace some of the others.
#[derive(Debug)]
struct Sparse {
    count: usize,
    indices: Source,
    index: Component,
    values: Source,
}

impl Accessors {
    /// Reads and checks `bufferViews` and `accessors`.
    pub(crate) fn read(root: Object<'_>, buffers: &Buffers) -> Result<Self, Fault> {
        let views = root.each("bufferViews", |view| read_view(view, buffers))?;
        let list = root.each("accessors", |accessor| read_accessor(accessor, &views))?;
        Ok(Self { views, list })
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// Number of elements; 0 for an index out of range.
    pub(crate) fn count(&self, accessor: usize) -> usize {
        self.list.get(accessor).map_or(0, |accessor| accessor.count)
    }

    /// A fault where an accessor's numbers are not floats: what glTF demands of matrices and other placements.
    pub(crate) fn require_floats(&self, accessor: usize) -> Result<(), Fault> {
        match self.list.get(accessor).map(|accessor| accessor.component) {
            None | Some(Component::F32) => Ok(()),
            Some(other) => Err(Fault::new(format!("the numbers are {other:?}, not floats (5126)")).at("componentType")),
        }
    }

    /// An accessor as rows of `N` numbers. `None` where its data is not in the file as such, as with
    /// compressed meshes; a fault where it exists but has another shape.
    pub(crate) fn column<'a, const N: usize>(
        &self,
        accessor: usize,
        shape: Shape,
        buffers: &'a Buffers,
    ) -> Result<Option<Column<'a, N>>, Fault> {
        in_range(accessor, self.list.len(), "accessor")?;
        let Some(accessor) = self.list.get(accessor) else { return Ok(None) };
        if accessor.shape != shape || shape.columns() * shape.rows() != N {
            return Err(Fault::new(format!("the type is {:?}, not {shape:?}", accessor.shape)).at("type"));
        }
        Ok(self.open(accessor, buffers))
    }

    /// The keys or values of an animation: as [`column`](Self::column), but an accessor without data is all zeros.
    pub(crate) fn keys<'a, const N: usize>(
        &self,
        accessor: usize,
        shape: Shape,
        buffers: &'a Buffers,
    ) -> Result<Column<'a, N>, Fault> {
        if let Some(column) = self.column(accessor, shape, buffers)? {
            return Ok(column);
        }
        if let Some(Accessor { source: None, sparse: None, count, component, .. }) = self.list.get(accessor) {
            return Ok(Column::zeros(*count, *component));
        }
        let fault = Fault::new("the data is compressed by an extension").at("bufferView");
        Err(fault.advise("export the file without compression (gltf-transform copy, gltfpack without -c)"))
    }

    fn open<'a, const N: usize>(&self, accessor: &Accessor, buffers: &'a Buffers) -> Option<Column<'a, N>> {
        let data = |source: Source| {
            let view = self.views.get(source.view)?;
            buffers.bytes(view.buffer)?.get(view.offset..)?.get(..view.length)?.get(source.offset..)
        };
        if accessor.source.is_none() && accessor.sparse.is_none() {
            return None;
        }
        let (component, size) = (accessor.component, accessor.shape.size(accessor.component));
        let replaced = match &accessor.sparse {
            None => None,
            Some(sparse) => {
                let (indices, values) = (data(sparse.indices)?, data(sparse.values)?);
                Some(Replaced { count: sparse.count, indices, index: sparse.index, values, size })
            }
        };
        let (count, normalized) = (accessor.count, accessor.normalized);
        let Some(source) = accessor.source else {
            return Some(Column { normalized, replaced, ..Column::zeros(count, component) });
        };
        let stride = match self.views.get(source.view)?.stride {
            0 => size,
            stride => stride,
        };
        Some(Column { bytes: Some(data(source)?), stride, count, component, normalized, replaced })
    }
}

/// The rows of an accessor.
#[derive(Debug)]
pub(crate) struct Column<'a, const N: usize> {
    /// All zeros where there are none.
    bytes: Option<&'a [u8]>,
    stride: usize,
    count: usize,
    component: Component,
    normalized: bool,
    replaced: Option<Replaced<'a>>,
}

/// The rows that a sparse accessor replaces, by ascending index as the specification demands.
#[derive(Debug)]
struct Replaced<'a> {
    count: usize,
    indices: &'a [u8],
    index: Component,
    values: &'a [u8],
    /// Bytes of a value.
    size: usize,
}

impl<const N: usize> Column<'_, N> {
    fn zeros(count: usize, component: Component) -> Self {
        Self { bytes: None, stride: 0, count, component, normalized: false, replaced: None }
    }

    /// Whether there are no numbers of its own, so that all that is not replaced is zero.
    pub(crate) fn is_made_up(&self) -> bool {
        self.bytes.is_none()
    }

    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// Row `index`: floats as they are, normalised integers as the fractions they stand for.
    pub(crate) fn row(&self, index: usize) -> Option<[f64; N]> {
        if index >= self.count {
            return None;
        }
        let replaced = self.replaced.as_ref().and_then(|replaced| replaced.find(index));
        match (replaced, self.bytes) {
            (Some(bytes), _) => self.read(bytes),
            (None, Some(bytes)) => self.read(bytes.get(index.checked_mul(self.stride)?..)?),
            (None, None) => Some([0.0; N]),
        }
    }

    /// Matrices of one- and two-byte numbers, the only ones with gaps, are never asked for as rows.
    fn read(&self, bytes: &[u8]) -> Option<[f64; N]> {
        let mut row = [0.0; N];
        let size = self.component.size();
        for (number, bytes) in row.iter_mut().zip(bytes.get(..N * size)?.chunks_exact(size)) {
            let raw = self.component.read(bytes)?;
            *number = if self.normalized { self.component.normalize(raw) } else { raw };
        }
        Some(row)
    }
}

impl Replaced<'_> {
    /// The bytes that replace a row, found by halving; whatever is out of order or out of range is
    /// never found.
    fn find(&self, row: usize) -> Option<&[u8]> {
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low + (high - low) / 2;
            let index = whole_number(self.index.read(self.indices.get(middle * self.index.size()..)?)?)?;
            match index.cmp(&row) {
                Ordering::Equal => return self.values.get(middle * self.size..),
                Ordering::Less => low = middle + 1,
                Ordering::Greater => high = middle,
            }
        }
        None
    }
}

fn read_view(view: Object<'_>, buffers: &Buffers) -> Result<View, Fault> {
    let buffer = required(view, "buffer")?;
    let buffer = in_range(buffer, buffers.len(), "buffer").map_err(|fault| fault.at("buffer"))?;
    let offset = view.whole("byteOffset")?.unwrap_or(0);
    let length = required(view, "byteLength")?;
    if let Some(bytes) = buffers.bytes(buffer)
        && offset.checked_add(length).is_none_or(|end| end > bytes.len())
    {
        let problem = format!("{length} bytes from byte {offset} lie outside buffer {buffer} of {}", bytes.len());
        return Err(Fault::new(problem).at("byteLength"));
    }
    Ok(View { buffer, offset, length, stride: view.whole("byteStride")?.unwrap_or(0) })
}

fn read_accessor(accessor: Object<'_>, views: &[View]) -> Result<Accessor, Fault> {
    let component = read_component(accessor)?;
    let shape = accessor.text("type")?.unwrap_or_default();
    let shape = Shape::parse(shape).ok_or_else(|| {
        Fault::new(format!("{} is none of SCALAR, VEC2 to VEC4, MAT2 to MAT4", quoted(shape))).at("type")
    })?;
    let count = required(accessor, "count")?;
    let source = match accessor.whole("bufferView")? {
        Some(view) => Some(read_source(accessor, view, views, count, shape.size(component))?),
        None => None,
    };
    let sparse = match accessor.object("sparse")? {
        Some(sparse) => {
            let read = read_sparse(sparse, views, count, shape.size(component));
            Some(read.map_err(|fault| fault.at("sparse"))?)
        }
        None => None,
    };
    let normalized = accessor.switch("normalized")?;
    Ok(Accessor { source, component, normalized, shape, count, sparse })
}

fn read_sparse(sparse: Object<'_>, views: &[View], count: usize, size: usize) -> Result<Sparse, Fault> {
    let replaced = required(sparse, "count")?;
    if replaced > count {
        return Err(Fault::new(format!("{replaced} of {count} elements are replaced")).at("count"));
    }
    let part = |key: &str| sparse.object(key)?.ok_or_else(|| Fault::new("missing").at(key));
    let (indices, values) = (part("indices")?, part("values")?);
    let index = read_component(indices).map_err(|fault| fault.at("indices"))?;
    let source = |part, size| read_source(part, required(part, "bufferView")?, views, replaced, size);
    Ok(Sparse {
        count: replaced,
        index,
        indices: source(indices, index.size()).map_err(|fault| fault.at("indices"))?,
        values: source(values, size).map_err(|fault| fault.at("values"))?,
    })
}

fn read_component(object: Object<'_>) -> Result<Component, Fault> {
    let code = required(object, "componentType")?;
    Component::parse(code).ok_or_else(|| Fault::new(format!("{code} is no type of number")).at("componentType"))
}

/// Checks that `count` elements of `size` bytes lie inside a view.
fn read_source(object: Object<'_>, view: usize, views: &[View], count: usize, size: usize) -> Result<Source, Fault> {
    let index = in_range(view, views.len(), "buffer view").map_err(|fault| fault.at("bufferView"))?;
    let offset = object.whole("byteOffset")?.unwrap_or(0);
    let Some(view) = views.get(index) else { return Ok(Source { view: index, offset }) };
    if view.stride != 0 && view.stride < size {
        let problem = format!("elements of {size} bytes overlap at byteStride {}", view.stride);
        return Err(Fault::new(problem).at("bufferView"));
    }
    let stride = if view.stride == 0 { size } else { view.stride };
    let last = count.saturating_sub(1).checked_mul(stride);
    let end = last.and_then(|last| last.checked_add(if count == 0 { 0 } else { size })?.checked_add(offset));
    if end.is_none_or(|end| end > view.length) {
        let problem = format!("{count} elements of {size} bytes do not fit in buffer view {index} of {}", view.length);
        return Err(Fault::new(problem).at("count"));
    }
    Ok(Source { view: index, offset })
}

fn required(object: Object<'_>, key: &str) -> Result<usize, Fault> {
    object.whole(key)?.ok_or_else(|| Fault::new("missing").at(key))
}
