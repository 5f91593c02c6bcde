// What a step's picture is drawn of, and what it consists of.
import type { Box, Mark } from '../../../charts/marks'
import type { LensResult } from '../../../engine/protocol/protocol'
import type { Scheme } from '../../../styles/colours'
import type { Matrix, Rows } from '../strips'
import type { Subject } from '../subject'

export interface SceneInputs {
  subject: Subject
  /** Of `sitesOf`, by name. */
  numbers: Readonly<Record<string, Matrix>>
  /** The logit lens at the predicted token; undefined where the model predicts none. */
  lens: LensResult | undefined
  /** How far the picture has moved, 0 … 1. */
  at: number
  box: Box
  scheme: Scheme
}

export interface StepScene {
  marks: Mark[]
  /** CSS px down to its last mark. */
  bottom: number
  /** Its tokens, of which a click selects one as query or as key. */
  rows?: Rows
  selects?: 'query' | 'key'
}

export type DrawStep = (inputs: SceneInputs) => StepScene
