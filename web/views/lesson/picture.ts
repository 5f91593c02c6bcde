// The lesson's picture: the tower of the whole model, and beside it, or below it on a phone, the picture of the step.
import type { Box, Scene } from '../../charts/marks'
import { drawFeedForward } from './scenes/feedForward'
import { drawGuess } from './scenes/guess'
import { drawProjections } from './scenes/projections'
import { drawRotation } from './scenes/rotation'
import type { DrawStep, SceneInputs, StepScene } from './scenes/scene'
import { drawScores, drawWeights } from './scenes/scores'
import { drawTokens } from './scenes/tokens'
import { drawValues } from './scenes/values'
import { drawVectors } from './scenes/vectors'
import type { Step } from './steps'
import { legend, legendHeight, positionAt } from './strips'
import type { Tower } from './tower'

const drawings: Readonly<Record<Exclude<Step, 'guess'>, DrawStep>> = {
  tokens: drawTokens,
  vectors: drawVectors,
  projections: drawProjections,
  rotation: drawRotation,
  scores: drawScores,
  weights: drawWeights,
  values: drawValues,
  feedForward: drawFeedForward,
}

interface Room {
  width: number
  height: number
}

/** What a click finds: a layer and a token of the tower, or a token of the step's list. */
type Found = { layer: number; query: number } | { row: number }

export interface LessonPicture {
  scene: Scene
  step: StepScene
  hit: (x: number, y: number) => Found | undefined
}

/** Steps that show vectors as coloured strips. */
const stepsOfStrips: ReadonlySet<Step> = new Set(['vectors', 'projections', 'scores', 'values', 'feedForward'])

/** From this width on the tower is beside the step's picture. */
const wide = 640
const gap = 28
const towerOfPhone = 150
const stepOfPhone = 360

export function drawLesson(
  step: Step,
  inputs: Omit<SceneInputs, 'box'>,
  tower: Tower | undefined,
  palette: Uint8Array | undefined,
  { width, height }: Room,
): LessonPicture {
  const isWide = width >= wide
  const side = Math.min(280, Math.max(150, 0.24 * width))
  const place: Box = isWide ? { x: 0, y: 0, width: side, height } : { x: 0, y: 0, width, height: towerOfPhone }
  const bottom = tower ? tower.layOut(place).bottom : 0
  const left = isWide ? side + gap : 0
  const top = isWide ? 0 : bottom + 16
  const hasStrips = step === 'rotation' ? !inputs.subject.rotates : stepsOfStrips.has(step)
  const below = hasStrips ? legendHeight : 0
  const box = { x: left, y: top, width: width - left, height: (isWide ? height : stepOfPhone) - below }
  const drawn = { ...inputs, box }
  const found = step === 'guess' ? drawGuess(drawn, tower) : drawings[step](drawn)
  return {
    scene: {
      width,
      height: Math.max(found.bottom + below, bottom),
      marks: [
        ...(tower?.draw(place, step, palette) ?? []),
        ...found.marks,
        ...(hasStrips ? legend(left, found.bottom, inputs.scheme) : []),
      ],
    },
    step: found,
    hit(x, y) {
      if (x < left || y < top) return tower?.at(x, y, place)
      const row = found.rows && positionAt(found.rows, y)
      return row === undefined ? undefined : { row }
    },
  }
}
