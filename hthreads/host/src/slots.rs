//! Numbered things of a cluster of which there is a fixed number.

/// Places of things.
#[derive(Debug)]
pub struct Slots<T> {
    places: Vec<Option<T>>,
}

impl<T> Slots<T> {
    /// Free places.
    pub fn new(count: usize) -> Self {
        let places = std::iter::repeat_with(|| None);
        Self {
            places: places.take(count).collect(),
        }
    }

    /// Puts what `make` makes, which is given the number of its place, into the first free one. `None`
    /// if there is none, or `make` gives none.
    pub fn put(&mut self, make: impl FnOnce(u32) -> Option<T>) -> Option<u32> {
        let place = self.places.iter().position(Option::is_none)?;
        let number = u32::try_from(place).ok()?;
        self.places[place] = Some(make(number)?);
        Some(number)
    }

    /// What is at a place.
    pub fn get(&self, number: u32) -> Option<&T> {
        self.places.get(number as usize)?.as_ref()
    }

    /// Frees a place.
    pub fn take(&mut self, number: u32) -> Option<T> {
        self.places.get_mut(number as usize)?.take()
    }

    /// Whether no place is free.
    pub fn are_full(&self) -> bool {
        self.places.iter().all(Option::is_some)
    }

    /// All things.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.places.iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_free_place_is_taken() {
        let mut slots = Slots::new(2);
        assert_eq!(slots.put(|_| Some('a')), Some(0));
        assert_eq!(slots.put(|_| None), None);
        assert_eq!(slots.put(|_| Some('b')), Some(1));
        assert!(slots.are_full() && slots.put(|_| Some('c')).is_none());
        assert_eq!(
            (slots.take(0), slots.take(0), slots.take(9)),
            (Some('a'), None, None)
        );
        assert_eq!(slots.put(|_| Some('d')), Some(0));
        assert_eq!(slots.get(0), Some(&'d'));
    }
}
