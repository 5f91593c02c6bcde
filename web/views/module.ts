// The module of a view: what it asks the engine, and how it turns the answers into its output.
import type { Component } from 'svelte'
import type { Scene } from '../charts/marks'
import type { Bench } from '../session/bench.svelte'
import type { Run } from '../session/runs.svelte'
import type { Scheme } from '../styles/colours'
import type { Point } from '../ui/pointer'
import type { Output, Picture, Target } from './output'
import type { Language } from '../i18n/language'
import type { AnyParams } from '../viewstate/fields'

/** What the frame gives a view. Each property is a signal: whoever reads it is computed again when it changes. */
export interface FrameInputs<P = unknown> {
  /** The view's parameters, as the link holds them. */
  readonly params: P
  readonly scheme: Scheme
  /** Room in CSS px. On a phone the height is that of the screen; a picture may be taller. */
  readonly width: number
  readonly height: number
  /** Where the pointer is above the scene, in CSS px from its upper left corner. */
  readonly pointer: Point | undefined
  readonly phone: boolean
  /** Whether there is room for the picture alone. */
  readonly isPictureOnly: boolean
}

/** What a view reads of the bench. */
interface BenchInputs {
  readonly bench: Bench
  /** The result on show. */
  readonly run: Run | undefined
  /** The same text without interventions; the result on show itself where it has none. */
  readonly baseline: Run | undefined
  /** The selection, with positions of the result on show. */
  readonly cursor: Bench['cursor']
  /** 256 sRGB colours of attention weights; undefined until the engine has computed them. */
  readonly palette: Uint8Array | undefined
}

/** What a view reads. */
export interface Inputs<P = unknown> extends FrameInputs<P>, BenchInputs {}

/** The inputs of a view. Getters stay getters, so each property stays a signal. */
export function inputsOf<P>(bench: Bench, frame: FrameInputs<P>): Inputs<P> {
  const ofBench: BenchInputs = {
    bench,
    get run() {
      return bench.run
    },
    get baseline() {
      return bench.baseline
    },
    get cursor() {
      return bench.cursor
    },
    get palette() {
      return bench.palette.table
    },
  }
  return Object.defineProperties(ofBench, Object.getOwnPropertyDescriptors(frame)) as Inputs<P>
}

/** Draws a view's figure. */
export type DrawFigure = (
  room: Pick<Inputs<unknown>, 'width' | 'height' | 'phone'>,
  crosshair: boolean,
) => Scene | undefined

/** What the frame says of a view. */
interface ViewMessages {
  /** One line that a newcomer understands. */
  help: string
  /** Where the formula comes from, and what the picture does not show. */
  source: string
}

/** What the module of a view exports. By default without its types: for the frame, which opens all views. */
export interface ViewModule<P = AnyParams, D = unknown, C = unknown> {
  messages: (() => ViewMessages) & { language?: () => Language }
  /** Called once, while the view is opened: creates its resources, which follow the inputs. */
  data: (inputs: Inputs<P>) => D
  /** Pure: the same inputs and data give the same output. */
  output: (inputs: Inputs<P>, data: D) => Output<P, C>
  /** Its figure, where the output's scene is not what is printed. @param crosshair whether the selected tokens stand out */
  figure?: (inputs: Inputs<P>, data: D, crosshair: boolean) => Scene | undefined
  /** Draws the output's drawing, where a scene alone is not enough. Without a drawing the frame draws scene, message and rows. */
  component?: Component<ComponentProps<P, C>>
}

/** What a component reads: the output, opened with the run on show, and through its `drawing` state of the pointer or a measurement. */
export interface ComponentProps<P, C> {
  inputs: FrameInputs<P>
  picture: Picture<P>
  /** The picture's. */
  drawing: C
  /** What the pointer is over, which other views show. */
  bench: Pick<Bench, 'preview' | 'cellUnderPointer'>
  /** Follows a click, a key or a control; false if it leads nowhere. */
  go(target: Target<P> | undefined): boolean
  /** Sets the inputs' pointer. */
  setPointer: (at: Point | undefined) => void
  /** The height of the component's own controls above the picture, which the inputs' height leaves out. Bindable. */
  controlsHeight?: number
}
