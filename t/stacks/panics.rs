// SPDX-License-Identifier: BSD-3-Clause
// panics.rs - calls below Rust's library: of buffers, when values go, in a thread, a sort.
use std::fs::File;
use std::io::{BufWriter, Write};

struct Writes;

impl Drop for Writes {
    fn drop(&mut self) {
        File::create("/dev/null").unwrap().write_all(b"dropped").unwrap();
    }
}

fn panics() {
    let _value = Writes;
    panic!("on purpose");
}

fn main() {
    let mut f = BufWriter::new(File::create("lines").unwrap());
    for i in 0..2000 {
        writeln!(f, "line {}", i).unwrap();
    }
    drop(f);
    println!("{}", std::fs::read_to_string("lines").unwrap().len());
    let thread = std::thread::spawn(|| {
        let mut v = vec![3, 1, 2];
        v.sort_by(|a: &i32, b| {
            eprint!(".");
            a.cmp(b)
        });
    });
    thread.join().unwrap();
    let _ = std::panic::catch_unwind(panics);
    std::fs::remove_file("lines").unwrap();
}
