//! Lists in which nothing stands twice.

/// Each of them once, in the order in which they come.
pub fn each_once<T: PartialEq>(all: Vec<T>) -> Vec<T> {
    let mut once = Vec::with_capacity(all.len());
    for one in all {
        if !once.contains(&one) {
            once.push(one);
        }
    }
    once
}
