import { integer, list, the } from '../i18n/numbers'
import type { Messages } from './messages.en'

const again = 'Készítse el újra a ropescope heads paranccsal, vagy törölje.'

export default {
  change: {
    head: (name) => `az ${name} fej`,
    heads: (names) => `az ${list(names)} fej`,
    manyHeads: (count) => `${integer(count)} fej`,
    layer: (layer) => `${the(layer)} ${layer}. réteg`,
    allHeads: 'az összes fej',
    pairs: (pairs, where) => `${where} ${list(pairs.map((pair) => `${pair}.`))} párja`,
    manyPairs: (count, where) => `${where} ${integer(count)} párja`,
    pairsOfSeveral: 'több fej párjai',

    neuron: (name) => `az ${name} neuron`,
    neurons: (names) => `az ${list(names)} neuron`,
    manyNeurons: (count) => `${integer(count)} neuron vagy háló`,
    network: (layer) => `${the(layer)} ${layer}. réteg előrecsatolt hálója`,
    numbers: (places) => `beírva: ${places}`,
    manyNumbers: (count) => `${integer(count)} szám`,

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
  },
  describedHeads: {
    noJson: `A heads.json nem JSON. ${again}`,
    others: (layers, heads) =>
      `A heads.json nem ennek a modellnek ${the(layers)} ${integer(layers)} × ${integer(heads)} fejét írja le. ${again}`,
    book: 'a tanításból kihagyott szöveg',
  },
  heldOut: {
    unreadable: (file, why) => `${file}: ${why}. Készítse el újra a training/held_out.py programmal, vagy törölje.`,
    noJson: 'nem JSON',
    noRows: 'nem adja meg, hány sor hány tokenjét tartalmazza',
    tooLong: (tokens, most) => `sorai ${integer(tokens)} tokenesek, ez a modell pedig ${integer(most)} tokent olvas`,
    noBits: 'nem adja meg, hány bites egy token',
    tooShort: 'kevesebb tokent tartalmaz, mint amennyit megad',
    noSpecial: 'nem nevezi meg a speciális tokeneket',
    unknownTokens: 'olyan tokenek vannak benne, amelyek ebben a modellben nincsenek',
    noMasks: 'egyetlen tokent sem maszkol',
  },
} satisfies Messages
