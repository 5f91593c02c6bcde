import { the } from '../i18n/hungarian'
import { integer, list } from '../i18n/numbers'
import type { Messages } from './changes.en'

export default {
  head: (name) => `az ${name} fej`,
  heads: (names) => `az ${list(names)} fej`,
  manyHeads: (count) => `${integer(count)} fej`,
  layer: (layer) => `${the(layer)} ${layer}. réteg`,
  allHeads: 'az összes fej',
  pairs: (pairs, where) => `${where} ${list(pairs.map((pair) => `${pair}.`))} párja`,
  manyPairs: (count, where) => `${where} ${integer(count)} párja`,
  pairsOfSeveral: 'több fej párjai',

  without: (heads) => `${heads} nélkül`,
  mean: (heads) => `${heads} helyett az átlagával`,
  frozen: (pairs) => `${pairs} megállítva`,
  ablated: (pairs) => `${pairs} kivágva`,
  scaling: (name, factor) =>
    `${name === undefined ? 'másféle RoPE-skálázással' : `a RoPE ${name} skálázásával`}${factor === undefined ? '' : `, tényező: ${factor}`}`,
  rotaryValue: 'forgatott értékekkel (rotary_value)',
  rotatesValues: 'forgatott és visszaforgatott értékekkel (RoVE)',
  logN: (n) => `log-n skálázással, n = ${n}`,
  distanceClamp: (clamp) => `legfeljebb ${integer(clamp)} token távolsággal`,
  attention: {
    softmax: 'softmax figyelemmel',
    linear: 'lineáris figyelemmel',
    linear_rotate_first: 'lineáris figyelemmel, φ előtt forgatva',
  },
  offset: (offset) => `${integer(offset)} pozícióval eltolva`,

  line: 'A modellben módosítva',
  undo: (text) => `${text}: visszavonás`,
  undoAll: 'Minden módosítás visszavonása',
} satisfies Messages
