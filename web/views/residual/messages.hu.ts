import { integer, signed } from '../../i18n/numbers'
import { sentence } from '../../i18n/rich'
import type { Messages } from './messages.en'

export default {
  help: 'Egy jóslat logitja összegként: amit a beágyazás, a rétegek figyelme és előrecsatolt hálója hozzáad.',
  source:
    'Közvetlen logitfelbontás: minden réteg hozzáad a token reziduális folyamához, és a kimeneti fej az összeget olvassa. A normalizálások szorzója, valamint az aktiválás eredményének és bemenetének aránya e futásé marad: így minden lineáris, és a tagok összege a logit. Amit egy fej a későbbi rétegekben okoz, az nincs benne.',
  loading: 'A logit felbontása…',
  none: 'A kódoló nem jósol tokent. Válassza a dekódolót vagy a keresztfigyelmet.',
  token: 'Jóslat',
  heads: 'Fejenként',
  kinds: {
    embedding: 'beágyazás',
    head: 'fej',
    cross_head: 'a keresztfigyelem feje',
    feed_forward: 'előrecsatolt háló',
    bias: 'eltolás',
  },
  rows: {
    embedding: 'Beágyazás',
    attention: (layer) => `Figyelem ${integer(layer)}`,
    cross: (layer) => `Keresztfigyelem ${integer(layer)}`,
    feed_forward: (layer) => `Előrecsatolt ${integer(layer)}`,
    bias: 'Minden eltolás',
    others: 'Minden más',
    rounding: 'Kerekítés',
  },
  crossHead: (head) => `Kereszt ${head}`,
  total: (token) => `${token} logitja`,
  headline: (token, part, value, logit) =>
    sentence`A(z) „${token}” logitjához (${logit}) a legtöbbet ez adja: ${part} (${value}).`,
  totalOf: (token, logit) => sentence`A(z) „${token}” logitja ${logit}.`,
  unavailable: 'Ez a logit nem bontható fel',
  line: ({ embedding, attention, feedForward, bias }) =>
    `Beágyazás ${signed(embedding)}, figyelem ${signed(attention)}, előrecsatolt hálók ${signed(feedForward)}, eltolások ${signed(bias)}.`,
  label: (token) => `Vízesés: fentről lefelé, amiből ${token} logitja összeáll.`,
  moved: (part, value) => `${part}: ${signed(value)}`,
  limits:
    'A normalizálások és az aktiválások e futáséi maradnak. A logit nem valószínűség: csak a többi logittól való távolsága számít.',
  table: 'a logit tagjai',
  columns: ['rész', 'hely', 'hozzáad'],
} satisfies Messages
