//! The widest vectors of f32 that kernels of native programs use, by processor.

/// Vectors of f32 on one kind of processor.
///
/// # Safety
/// Every function may be called only on a processor that has the type's instructions, and is inlined into code that is compiled for them.
pub unsafe trait NativeVectors {
    /// [`NativeVectors::LANES`] numbers.
    type Vector: Copy;
    /// Numbers of a vector.
    const LANES: usize;
    /// Rows of x, at most four, that a product takes at a time, as registers allow.
    const ROWS: usize;

    /// 0 in all lanes.
    ///
    /// # Safety
    /// That of the trait.
    unsafe fn zero() -> Self::Vector;

    /// # Safety
    /// That of the trait, and a vector of f32 is readable; it need not be aligned.
    unsafe fn load(numbers: *const f32) -> Self::Vector;

    /// # Safety
    /// That of the trait, and a vector of finite f16 is readable.
    unsafe fn load_f16(numbers: *const u16) -> Self::Vector;

    /// # Safety
    /// That of the trait, and a vector of bf16 is readable.
    unsafe fn load_bf16(numbers: *const u16) -> Self::Vector;

    /// # Safety
    /// That of the trait, and room for a vector of f32 is writable.
    unsafe fn store(vector: Self::Vector, numbers: *mut f32);

    /// sums + x · w, rounded once or twice.
    ///
    /// # Safety
    /// That of the trait.
    unsafe fn plus_product(sums: Self::Vector, x: Self::Vector, w: Self::Vector) -> Self::Vector;

    /// The sum of the lanes.
    ///
    /// # Safety
    /// That of the trait.
    unsafe fn total(sums: Self::Vector) -> f32;

    /// Asks for the memory at `address`, which need not be readable.
    ///
    /// # Safety
    /// That of the trait.
    unsafe fn prefetch<T>(address: *const T);
}
