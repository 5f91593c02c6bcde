//! What the engine has done by all of its threads, or by a module of its own that the browser compiles better: plain numbers and addresses. Work is
//! cut into chunks, each of which writes its own numbers of the result and its thread's room, and reads what nobody writes.

use super::attending::Attention;
use super::norm::Norms;
use super::packed_product::PackedProduct;
use super::product::Product;
#[cfg(target_arch = "wasm32")]
use super::team::Team;

/// Work, and room for each thread that may take part.
#[repr(C)]
pub struct Job {
    pub work: Work,
    /// So many numbers for each thread, one's after the other's.
    pub room: *mut f32,
    pub each: usize,
    /// Who may take part.
    #[cfg(target_arch = "wasm32")]
    pub team: *const Team,
}

#[repr(C)]
pub enum Work {
    Product(Product),
    Packed(PackedProduct),
    Attention(Attention),
    Norms(Norms),
}

impl Work {
    /// Multiplications, about, or what takes as long.
    pub fn amount(&self) -> u64 {
        match self {
            Work::Product(product) => product.work(),
            Work::Packed(product) => product.work(),
            Work::Attention(attention) => attention.work(),
            Work::Norms(norms) => norms.work(),
        }
    }

    /// Numbers that a thread needs room for.
    pub fn room(&self) -> usize {
        match self {
            Work::Product(product) => product.room(),
            Work::Packed(product) => product.room(),
            Work::Attention(attention) => attention.room(),
            Work::Norms(_) => 0,
        }
    }

    /// Makes the chunks whose numbers it is given, as so many threads cut it, until there is none of that number.
    ///
    /// # Safety
    /// All that the work describes lies in memory that may be read, and written where it says so, which overlaps nothing else; no two threads make the
    /// same chunk, and `room` has room for [`Work::room`] numbers.
    #[inline(always)]
    pub unsafe fn make(&self, threads: usize, room: *mut f32, mut next: impl FnMut() -> usize) {
        // SAFETY: as the caller has it.
        unsafe {
            match self {
                Work::Product(product) => {
                    let chunks = product.chunks(threads);
                    while let Some(chunk) = product.chunk(&chunks, next()) {
                        product.make(chunk, room);
                    }
                }
                Work::Packed(product) => while product.make(threads, next(), room) {},
                Work::Attention(attention) => while attention.make(next(), room) {},
                Work::Norms(norms) => while norms.make(next()) {},
            }
        }
    }
}

/// Does a [`Job`] on one thread.
///
/// # Safety
/// That of `Work::make`.
pub unsafe extern "C" fn run(job: *const Job) {
    // SAFETY: as the caller has it; each number is given once.
    unsafe {
        let mut next = 0;
        (*job).work.make(1, (*job).room, || {
            next += 1;
            next - 1
        });
    }
}

/// Has work done: by [`run`], unless the engine's host put another function into its place in the table of functions.
///
/// # Safety
/// That of [`Work::make`], but for the room.
pub unsafe fn have_done(work: Work) {
    let each = work.room();
    let mut room = Vec::<f32>::with_capacity(threads() * each);
    let job = Job {
        work,
        room: room.as_mut_ptr(),
        each,
        #[cfg(target_arch = "wasm32")]
        team: &raw const TEAM,
    };
    // SAFETY: as the caller has it; there is room for all threads, and it is written before it is read.
    unsafe { run_in_use()(&job) };
}

/// The function that [`have_done`] calls.
#[cfg(target_arch = "wasm32")]
pub fn run_in_use() -> unsafe extern "C" fn(*const Job) {
    // The compiler must not know which one it is.
    std::hint::black_box(run)
}

/// The threads that the engine has, should its host give it more than one.
#[cfg(target_arch = "wasm32")]
pub static TEAM: Team = Team::new();

#[cfg(target_arch = "wasm32")]
fn threads() -> usize {
    TEAM.threads()
}

#[cfg(not(target_arch = "wasm32"))]
fn threads() -> usize {
    1
}

#[cfg(not(target_arch = "wasm32"))]
fn run_in_use() -> unsafe extern "C" fn(*const Job) {
    run
}
