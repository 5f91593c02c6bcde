import { the } from '../i18n/hungarian'
import { integer } from '../i18n/numbers'
import type { Messages } from './messages.en'

const again = 'Készítse el újra a ropescope heads paranccsal, vagy törölje.'

export default {
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
