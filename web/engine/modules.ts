// The engine comes in two modules. The usual one runs RoFormer, as the bundled models are, and is what a first visit fetches.
import { settingsOf } from '../text/maskToken'

/** `families` runs every family. */
export type Module = 'usual' | 'families'

/** Which of them runs the model of this config.json, or says what is wrong with it. Takes any text. */
export function moduleFor(config: string): Module {
  const { model_type: type = 'roformer' } = settingsOf(config)
  return type === 'roformer' ? 'usual' : 'families'
}
