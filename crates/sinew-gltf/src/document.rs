//! The JSON document, kept whole, and careful reading of its objects.
//!
//! The document stays one [`serde_json::Value`] in which numbers keep their text and objects their
//! order; whatever this crate does not read is therefore written back as it was. Reading goes property
//! by property, because only so can an error name its place. A property that is `null` counts as
//! absent, and a whole number may be written `2.0`.

use serde_json::{Map, Value};

use crate::error::{Fault, quoted};

/// Parses the text of a document and checks that it is glTF 2.
pub(crate) fn parse(text: &[u8]) -> Result<Value, Fault> {
    let document: Value = serde_json::from_slice(text).map_err(|error| {
        let place = format!("line {} column {}", error.line(), error.column());
        let problem = error.to_string();
        // serde_json appends the place, which stands in front already.
        let problem = problem.split(" at line ").next().unwrap_or_default().to_owned();
        Fault::malformed(place, format!("not a JSON document: {problem}"), "this is no glTF file, or a damaged one")
    })?;
    check_version(Object::of(&document)?)?;
    Ok(document)
}

fn check_version(root: Object<'_>) -> Result<(), Fault> {
    let convert = "convert the file to glTF 2.0";
    let Some(asset) = root.object("asset")? else {
        return Err(Fault::new("missing, so this is no glTF file").at("asset"));
    };
    let version = asset.text("version").map_err(|fault| fault.at("asset"))?;
    if version.is_none_or(|version| !version.starts_with("2.")) {
        let found = version.map_or("missing".to_owned(), |version| format!("{}, not \"2.0\"", quoted(version)));
        return Err(Fault::new(found).advise(convert).at("asset.version"));
    }
    match asset.text("minVersion").map_err(|fault| fault.at("asset"))? {
        Some(least) if least != "2.0" => {
            Err(Fault::new(format!("{} is newer than \"2.0\"", quoted(least))).advise(convert).at("asset.minVersion"))
        }
        _ => Ok(()),
    }
}

/// One object of the document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Object<'a>(&'a Map<String, Value>);

impl<'a> Object<'a> {
    /// The object that a value is.
    pub(crate) fn of(value: &'a Value) -> Result<Self, Fault> {
        match value {
            Value::Object(map) => Ok(Self(map)),
            other => Err(wrong(other, "an object")),
        }
    }

    /// The properties with their values, in the file's order.
    pub(crate) fn entries(self) -> impl Iterator<Item = (&'a str, &'a Value)> {
        self.0.iter().map(|(key, value)| (key.as_str(), value))
    }

    /// A property that is there and not null.
    pub(crate) fn value(self, key: &str) -> Option<&'a Value> {
        self.0.get(key).filter(|value| !value.is_null())
    }

    /// A text.
    pub(crate) fn text(self, key: &str) -> Result<Option<&'a str>, Fault> {
        self.read(key, |value| value.as_str().ok_or_else(|| wrong(value, "a text")))
    }

    /// Whether a switch is on; off by default.
    pub(crate) fn switch(self, key: &str) -> Result<bool, Fault> {
        let on = self.read(key, |value| value.as_bool().ok_or_else(|| wrong(value, "true or false")))?;
        Ok(on.unwrap_or(false))
    }

    /// A whole number, such as an index or a length.
    pub(crate) fn whole(self, key: &str) -> Result<Option<usize>, Fault> {
        self.read(key, whole)
    }

    /// An index; VRM files write -1 for what there is none of, as Unity does.
    pub(crate) fn index(self, key: &str) -> Result<Option<usize>, Fault> {
        self.read(key, index).map(Option::flatten)
    }

    /// A finite number.
    pub(crate) fn number(self, key: &str) -> Result<Option<f64>, Fault> {
        self.read(key, |value| value.as_f64().ok_or_else(|| wrong(value, "a finite number")))
    }

    /// Exactly `N` finite numbers.
    pub(crate) fn numbers<const N: usize>(self, key: &str) -> Result<Option<[f64; N]>, Fault> {
        self.read(key, |value| {
            let items = value.as_array().ok_or_else(|| wrong(value, "an array of numbers"))?;
            if items.len() != N {
                return Err(Fault::new(format!("has {} numbers, not {N}", items.len())));
            }
            let mut numbers = [0.0; N];
            for (i, (number, item)) in numbers.iter_mut().zip(items).enumerate() {
                *number = item.as_f64().ok_or_else(|| wrong(item, "a finite number").item(i))?;
            }
            Ok(numbers)
        })
    }

    /// An array of whole numbers; empty where it is absent.
    pub(crate) fn wholes(self, key: &str) -> Result<Vec<usize>, Fault> {
        let read = |(i, item)| whole(item).map_err(|fault| fault.item(i));
        let list = self.read(key, |value| array(value)?.iter().enumerate().map(read).collect())?;
        Ok(list.unwrap_or_default())
    }

    /// An array of indices, without those that are -1; empty where it is absent.
    pub(crate) fn indices(self, key: &str, len: usize, what: &str) -> Result<Vec<usize>, Fault> {
        let read = |(i, item)| {
            let within = |index: Option<usize>| index.map(|index| in_range(index, len, what)).transpose();
            index(item).and_then(within).map_err(|fault| fault.item(i)).transpose()
        };
        let list = self.read(key, |value| array(value)?.iter().enumerate().filter_map(read).collect())?;
        Ok(list.unwrap_or_default())
    }

    /// An array of texts; empty where it is absent.
    pub(crate) fn texts(self, key: &str) -> Result<Vec<&'a str>, Fault> {
        let read = |(i, item): (usize, &'a Value)| item.as_str().ok_or_else(|| wrong(item, "a text").item(i));
        let list = self.read(key, |value| array(value)?.iter().enumerate().map(read).collect())?;
        Ok(list.unwrap_or_default())
    }

    /// An object.
    pub(crate) fn object(self, key: &str) -> Result<Option<Self>, Fault> {
        self.read(key, Self::of)
    }

    /// An array of objects; empty where it is absent.
    pub(crate) fn objects(self, key: &str) -> Result<Vec<Self>, Fault> {
        let read = |(i, item)| Self::of(item).map_err(|fault| fault.item(i));
        let list = self.read(key, |value| array(value)?.iter().enumerate().map(read).collect())?;
        Ok(list.unwrap_or_default())
    }

    /// Reads every object of an array; faults say which.
    pub(crate) fn each<T>(
        self,
        key: &str,
        mut read: impl FnMut(Object<'a>) -> Result<T, Fault>,
    ) -> Result<Vec<T>, Fault> {
        let objects = self.objects(key)?;
        let entry = |(i, object)| read(object).map_err(|fault| fault.entry(key, i));
        objects.into_iter().enumerate().map(entry).collect()
    }

    /// An extension of the object.
    pub(crate) fn extension(self, name: &str) -> Result<Option<Self>, Fault> {
        let Some(extensions) = self.object("extensions")? else { return Ok(None) };
        extensions.object(name).map_err(|fault| fault.at("extensions"))
    }

    fn read<T>(self, key: &str, read: impl FnOnce(&'a Value) -> Result<T, Fault>) -> Result<Option<T>, Fault> {
        self.value(key).map(read).transpose().map_err(|fault| fault.at(key))
    }
}

/// An index that must lie in an array of `len` items.
pub(crate) fn in_range(index: usize, len: usize, what: &str) -> Result<usize, Fault> {
    if index < len {
        return Ok(index);
    }
    Err(Fault::new(format!("there is no {what} {index} (the file has {len})")))
}

fn array(value: &Value) -> Result<&Vec<Value>, Fault> {
    value.as_array().ok_or_else(|| wrong(value, "an array"))
}

fn index(value: &Value) -> Result<Option<usize>, Fault> {
    if value.as_f64() == Some(-1.0) { Ok(None) } else { whole(value).map(Some) }
}

fn whole(value: &Value) -> Result<usize, Fault> {
    let exact = value.as_u64().and_then(|number| usize::try_from(number).ok());
    exact.or_else(|| whole_number(value.as_f64()?)).ok_or_else(|| wrong(value, "a whole number"))
}

/// The whole number that a double is, if it is one and exact.
pub(crate) fn whole_number(number: f64) -> Option<usize> {
    const GREATEST_EXACT: f64 = 9_007_199_254_740_992.0;
    #[allow(clippy::cast_sign_loss, reason = "the range is checked")]
    (0.0..=GREATEST_EXACT).contains(&number).then_some(number as usize).filter(|_| number.fract() == 0.0)
}

fn wrong(found: &Value, wanted: &str) -> Fault {
    let found = match found {
        Value::Null => "null".to_owned(),
        Value::Bool(_) => "true or false".to_owned(),
        Value::Number(number) => quoted(&number.to_string()).replace('"', ""),
        Value::String(text) => format!("the text {}", quoted(text)),
        Value::Array(_) => "an array".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    };
    Fault::new(format!("is {found}, not {wanted}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(fault: Fault) -> String {
        fault.in_file("f").to_string()
    }

    #[test]
    fn numbers_keep_their_text() {
        let text = r#"{"asset":{"version":"2.0"},"extras":[1.50,1e-7,0.1000000000000000055,123456789012345678901234]}"#;
        assert_eq!(serde_json::to_string(&parse(text.as_bytes()).unwrap()).unwrap(), text);
    }

    #[test]
    fn wrong_values_name_their_place() {
        let value: Value = serde_json::from_str(r#"{"a":[1,"x"],"b":[2.5],"c":[1,2,3],"d":1e999}"#).unwrap();
        let object = Object::of(&value).unwrap();
        assert!(place(object.numbers::<2>("a").unwrap_err()).starts_with("f: a[1]: is the text \"x\""));
        assert!(place(object.wholes("b").unwrap_err()).starts_with("f: b[0]: is 2.5, not a whole number"));
        assert!(place(object.numbers::<4>("c").unwrap_err()).starts_with("f: c: has 3 numbers, not 4"));
        assert!(object.whole("d").is_err());
    }

    #[test]
    fn whole_numbers_may_have_a_point_and_null_is_absent() {
        let value: Value = serde_json::from_str(r#"{"a":2.0,"b":null}"#).unwrap();
        let object = Object::of(&value).unwrap();
        assert_eq!(object.whole("a").unwrap(), Some(2));
        assert_eq!(object.text("b").unwrap(), None);
    }

    #[test]
    fn other_versions_are_refused() {
        for text in ["{}", r#"{"asset":{"version":"1.0"}}"#, r#"{"asset":{"version":"2.0","minVersion":"2.1"}}"#, "[]"]
        {
            assert!(parse(text.as_bytes()).is_err(), "{text}");
        }
    }
}
