import { decimal, integer, list, capital, headName, percent, the } from '../../i18n/numbers'
import { sentence, token } from '../../i18n/rich'
import type { Messages } from './messages.en'
import { hasNoHover } from '../../ui/pointer'

/** Smaller differences are not visible in the digits. */
const visible = 0.0005

/** A difference of probabilities in percentage points, with its sign. */
function points(difference: number): string {
  if (Math.abs(difference) < visible) return '0,0'
  return `${difference < 0 ? '−' : '+'}${decimal(Math.abs(difference) * 100, 1)}`
}

const quote = (text: string) => `„${text}”`

const tokens = (count: number) => `${integer(count)} token`

const bounded = (probability: number | null, least: number) =>
  probability === null ? `< ${percent(least)}` : percent(probability)

const help: Messages['helpOf'] = (of, switches) => {
  const begin = {
    tokens: `A legvalószínűbb tokenek. ${hasNoHover() ? 'Koppintásra' : 'Kattintásra'} a helyükre kerülnek`,
    verdict: 'Amit a modell a szövegről mond',
    nothing: 'Itt nincs jóslat',
  }[of]
  return switches ? `${begin}; egy fej kikapcsolása megmutatja a hatását.` : `${begin}.`
}

export default {
  get help(): string {
    return help('tokens', true)
  },
  helpOf: help,
  source:
    'A valószínűségek a kimeneti fej logitjainak softmaxa az egész szókészleten. A folytatást abból húzzuk, amit a beállítások meghagynak, a Hugging Face sorrendjében: ismétlési büntetés, T hőmérséklet, top-k, top-p, min-p. Egy valószínű token az ilyen szövegek gyakori folytatása, nem igaz állítás. A fel nem sorolt tokenek valószínűségének csak az összege ismert. A kikapcsolt fej kimenetét a réteg kimeneti vetítése előtt nullára vagy a szöveg tokenjein vett átlagára cseréljük; ami utána jön, mind újra kiszámítjuk. Az átlag megtartja, amit a fej minden tokennek egyformán ad, így csak az tűnik el, amivel megkülönbözteti őket. Amit nem mutat: más fejek pótolhatják a hiányzót, ezért a kis különbség nem jelenti, hogy a fej semmit sem csinál. Rétegről rétegre (a „logitlencse”, nostalgebraist 2020) a kimeneti fej az egyes rétegek utáni rejtett állapotokat olvassa, az utolsó normálással együtt; csak az utolsón tanult, ezért amit korábban olvas, nem feltétlenül az, amit a modell ott tárol.',

  mask: (mask, position) => `${mask} ${integer(position)}`,
  masks: 'Maszk',
  next: 'a következő token',
  columns: ['előtte', 'utána', '%-pont'],
  numbers: (baseline, now, least) => [
    bounded(baseline, least.baseline),
    bounded(now, least.now),
    baseline === null || now === null ? '' : points(now - baseline),
  ],
  put: ', beírás',
  get none(): string {
    return hasNoHover()
      ? 'Nincs maszkolt token. Írjon [MASK] jelet, vagy válassza fent a „maszk” gombot, és koppintson egy tokenre.'
      : 'Nincs maszkolt token. Írjon [MASK] jelet, vagy válassza fent a „maszk” gombot, és kattintson egy tokenre.'
  },
  noneCausal: 'A következő tokenek futás után itt jelennek meg.',
  noneEncoder: {
    title: 'A kódoló nem jósol tokeneket.',
    line: 'Válassza a dekódolót vagy a keresztfigyelmet a következő tokenhez.',
  },
  noSwitches: 'Fejeket csak forgatásos pozíciókkal (RoPE) működő modellben lehet kikapcsolni.',
  firstOnly: (count) => `Csak az első ${integer(count)} maszk jóslatai.`,

  cumulative: 'halmozott valószínűség',
  rank: 'helyezés →',
  remaining: (count) => `${integer(count)} marad`,
  half: (count) => `a feléhez ${integer(count)}`,
  share: (part) => `${integer(part * 100)}%`,

  get switches(): string {
    return hasNoHover() ? 'Fejek kikapcsolása (koppintás)' : 'Fejek kikapcsolása (kattintás)'
  },
  switchLabel: (layer, head) => `${layer}. réteg, ${head}. fej`,
  replacedBy: 'a kikapcsolt fej ezt adja',
  by: { zero: 'nulla', mean: 'az átlaga' },
  byHint: { zero: 'nincs kimenet', mean: 'a fej kimenetének átlaga a szöveg tokenjein' },
  lossOf: (change) => `${capital(change)}, a tanításból kihagyott szövegen:`,
  presets: 'ki:',
  preset: (preset, { layer, head }) =>
    preset === 'none' ? 'semmi' : preset === 'head' ? `${headName({ layer, head })} fej` : `${layer}. réteg`,

  candidates: 'a következő token',
  before: 'előtte',
  after: 'a beállítások után',
  write: ', a végére',
  drawn: 'az utoljára húzott token',
  changedNext: 'a módosítással, a beállítások előtt',

  lens: {
    open: 'rétegről rétegre',
    title: (place) => place,
    heads: ['legvalószínűbb', '', 'második'],
    loading: 'Betöltés…',
    layer: (state) => (state === 0 ? 'bemenet' : `${state - 1}. réteg`),
    line: (place, fill, since, before) =>
      since === 0 || before === undefined
        ? `${capital(place)}: a kimeneti fej legvalószínűbb tokenje minden rétegnél ${quote(fill)}, már a beágyazásokból is.`
        : `${capital(place)}: a kimeneti fej legvalószínűbb tokenje ${the(since - 1)} ${since - 1}. rétegtől ${quote(fill)}; egy állapottal előbb ${quote(before)}.`,
    table: 'rétegről rétegre',
    columns: ['réteg', 'token', 'valószínűség'],
  },

  hiddenStatesOnly: {
    title: 'Ez a modell semmit sem jósol: a súlyai között nincs kimeneti fej.',
    line: 'Rejtett állapotokat számít. Fejeit a többi nézet mutatja.',
  },
  classes: 'a szöveg egésze',
  tokens: 'tokenenként',
  answer: 'a válasz',

  headline: {
    is: (place, fill, now) => sentence`A jóslat (${place}): ${token(fill)}, ${now}.`,
    next: (fill, now) => sentence`A modell szerint ${token(fill)} következik: ${now}.`,
    others: (fills) =>
      fills.length === 0
        ? []
        : [
            'Utána ',
            ...fills.flatMap(({ token: fill, now }, at) => [at === 0 ? '' : ', ', token(fill), ' ', now]),
            '.',
          ],
    half: (half, listed, mass) =>
      half === undefined
        ? `Az első ${tokens(listed)} valószínűsége ${percent(mass)}: kevesebb, mint a fele.`
        : `Az első ${tokens(half)} adja a valószínűség felét, az első ${integer(listed)} pedig ${percent(mass)}‑át.`,
    remaining: (count, mass, atLeast) =>
      `A beállítások ${tokens(count)}t hagynak meg, ezek valószínűsége előttük ${atLeast ? 'legalább ' : ''}${percent(mass)} volt.`,
    stays: ({ place, change }, fill, baseline, now) =>
      sentence`${capital(change)}, a jóslat (${place}) marad ${token(fill)}: ${decimal(baseline * 100, 1)} → ${now}.`,
    turns: ({ place, change }, from, to) =>
      sentence`${capital(change)}, a jóslat (${place}): ${token(from)} helyett ${token(to)}.`,
    changed: (from, baseline, to, now) =>
      sentence`Előtte ${token(from)} ${percent(baseline)} volt; most ${token(to)} ${now}.`,
    most: (moved) =>
      !moved || Math.abs(moved.now - moved.baseline) < visible
        ? 'Egyetlen más jóslat sem változik 0,1 százalékpontnyit.'
        : sentence`A többi közül ${token(moved.token)} változik a legtöbbet: ${decimal(moved.baseline * 100, 1)} → ${percent(moved.now)}, ${points(moved.now - moved.baseline)} százalékpont.`,
    noMask: 'Nincs maszkolt token.',
    noMaskLine: 'Maszkoljon egyet a nézetek fölött, és a modell megjósolja a hiányzó szót.',
    class: (label, now) => `A modell ítélete: ${label}, ${percent(now)}.`,
    classMoved: (change, label, baseline, now) =>
      `${capital(change)}, a modell ítélete: ${label}, ${decimal(baseline * 100, 1)} → ${percent(now)}.`,
    labels: (counts, tokens) =>
      `${integer(tokens)} tokenből ${list(counts.slice(0, 3).map(([label, count]) => `${integer(count)} ${label}`))}.`,
    answer: (start, end) => sentence`A válasz kezdete ${token(start)}, a vége ${token(end)}.`,
  },

  tables: {
    fills: 'jóslatok',
    classes: 'osztályok',
    tokens: 'tokenek',
    candidates: 'következő tokenek',
    position: 'pozíció',
    rank: 'helyezés',
    token: 'token',
    id: 'azonosító',
    sum: 'halmozott valószínűség',
    label: 'címke',
    baseline: 'valószínűség módosítás nélkül',
    now: 'valószínűség',
    after: 'valószínűség a beállítások után',
    unknown: 'nincs az elsők között',
  },
} satisfies Messages
