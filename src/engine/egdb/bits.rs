//! The bits of a word.

/// The bits of a word one by one, ascending.
#[inline]
pub(super) fn bits(word: u32) -> impl Iterator<Item = u32> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let lowest = rest & rest.wrapping_neg();
        rest ^= lowest;
        (lowest != 0).then_some(lowest)
    })
}
