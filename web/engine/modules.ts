// The engine comes in two modules. Most visitors open no encoder–decoder, and do not fetch what runs one.
import { settingsOf } from '../text/maskToken'

/** `pairs` runs encoder–decoders, too. */
export type Module = 'usual' | 'pairs'

/** `model_type` of the families that only `pairs` runs: as src/model/families has them. */
const ofPairs: readonly unknown[] = ['marian', 'bart', 'pegasus']

/** Which of them runs the model of this config.json. Takes any text. */
export function moduleFor(config: string): Module {
  return ofPairs.includes(settingsOf(config)['model_type']) ? 'pairs' : 'usual'
}
