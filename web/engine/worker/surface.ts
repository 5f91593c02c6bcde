// What the worker uses of the WASM: the types are those that wasm-bindgen writes (web/wasm/ropescope.d.ts), where src/web says what they are.
import type * as wasm from '../../wasm/ropescope.js'
import type { Site } from '../protocol/site'

/** Awaited every few milliseconds; false cancels the call, which then rejects with code "cancelled". */
type Pause = () => Promise<boolean>

/** The only functions that methods take are pauses. */
type WithPause<M> = M extends (...args: infer Args) => infer R
  ? (...args: { [I in keyof Args]: Function extends Args[I] ? Pause : Args[I] }) => R
  : M

/** An object of the WASM, without what `using` calls. */
type Handle<C> = { readonly [M in Exclude<keyof C, symbol>]: WithPause<C[M]> }

/** One engine on one backend. Its methods must not overlap: each takes the engine for itself until it settles. */
export type WasmEngine = Handle<wasm.Engine>
export type WasmDevice = Handle<wasm.DeviceHandle>
export type WasmLoading = wasm.ModelLoading
export type WasmRun = Handle<wasm.RunOutput>
export type WasmHead = Handle<wasm.HeadOutput>
/** Used up by the run that it is given to. */
export type WasmChange = wasm.Change

export type Surface = Omit<typeof wasm, 'Engine'> & {
  readonly Engine: {
    /** Rejects with a Failure. `onLost` is called once, when the device is gone. */
    open(backend: wasm.BackendName, onLost: (message: string) => void): Promise<WasmEngine>
  }
  /** Its memory, where a worker has started it: shared where the page is isolated. */
  readonly memory?: WebAssembly.Memory
}

/** What the engine puts at a site. */
type Replacement = 'zero' | 'mean' | 'frozen' | 'rotated' | `log-n:${number}` | `clamp:${number}`
export type Intervention = `${Site}=${Replacement}`
