// The types of the WASM, from wasm-bindgen's web/wasm/ropescope.d.ts, with narrower functions.
import type * as wasm from '../../wasm/ropescope.js'
import type { Site } from '../protocol/site'

/** Awaited every few milliseconds; false cancels the call, which then rejects with code "cancelled". */
type Pause = () => Promise<boolean>

/** Every function parameter of a method is a pause. */
type WithPause<M> = M extends (...args: infer Args) => infer R
  ? (...args: { [I in keyof Args]: Function extends Args[I] ? Pause : Args[I] }) => R
  : M

/** An object of the WASM, without its symbols. */
type Handle<C> = { readonly [M in Exclude<keyof C, symbol>]: WithPause<C[M]> }

/** One engine on one backend. Its methods must not overlap: each takes the engine for itself until it settles. */
export type WasmEngine = Handle<wasm.Engine>
export type WasmDevice = Handle<wasm.DeviceHandle>
export type WasmLoading = wasm.ModelLoading
export type WasmRun = Handle<wasm.RunOutput>
export type WasmHead = Handle<wasm.HeadOutput>
/** A run consumes it. */
export type WasmChange = wasm.Change

export type Surface = Omit<typeof wasm, 'Engine'> & {
  readonly Engine: {
    /** Rejects with a Failure. `onLost` is called once, when the device is gone. */
    open(backend: wasm.BackendName, onLost: (message: string) => void): Promise<WasmEngine>
  }
  /** Its memory, which is shared where the page is isolated. */
  readonly memory?: WebAssembly.Memory
}

type Replacement = 'zero' | 'mean' | 'frozen' | 'rotated' | `log-n:${number}` | `clamp:${number}`
export type Intervention = `${Site}=${Replacement}`
