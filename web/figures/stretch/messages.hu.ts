import { facts } from '../../i18n/facts'
import { decimal, integer } from '../../i18n/numbers'
import type { Messages } from './messages.en'

export default {
  help: 'Frekvenciák: 1-nél a pár változatlan, legalul a teljes tényező osztja. Árnyékolva: párok, amelyek egyszer sem fordulnak körbe a kontextusban.',
  source: `Mindegyik a cikke vagy a transformers modeling_rope_utils.py fájlja szerint; src/rope/stretched.rs. A nagyságok (attention factor) a táblázatban. LongRoPE: a Phi-3-mini-128k config.json fájljának tényezői, ${integer(facts.phi3.headSize)} méretű fejekhez. A távolságkorlát a kontextus negyede, ahogy a ReRoPE tárolójának Llama 2-es eredményeinél; a kódja log-n-nel is szoroz. A log-n a kontextuson túl ln(pozíció + 1) / ln(kontextus) szorzóval növeli a pontszámot. A pontszám olyan lekérdezésé és kulcsé, amelyek minden párban egyenlők, a párok átlagában. Számlapok: árnyékolva a kontextuson belül elért szögek, a gyűrű a hosszabb szövegben elérteké, az újak vastagon és színesen.`,
  ways: {
    trained: 'ahogy tanult',
    interpolation: 'interpolálás',
    ntk: 'NTK-tudatos',
    dynamic: 'dinamikus, a végén',
    yarn: 'YaRN, cikk',
    yarnCode: 'YaRN, kód',
    llama: 'Llama 3.1',
    partial: 'részleges',
    proportional: 'arányos',
    longrope: 'LongRoPE (Phi-3)',
    clamp: 'távolságkorlát (ReRoPE)',
    logn: 'log-n',
  },
  factor: 'ennyiszer hosszabb',
  times: (factor) => `${integer(factor)} ×`,
  waysLabel: 'Módszerek',
  quantity: 'Mit rajzol',
  quantities: { ratio: 'frekvenciák', wavelength: 'hullámhosszak', score: 'pontszámok', dials: 'számlapok' },
  dials: (way, pairs) => `${way}: ${integer(pairs)} pár jut új szögekbe`,
  wavelength: 'λ, token/fordulat',
  distance: 'távolság (token)',
  score: 'egyenlő vektorok pontszáma',
  context: 'kontextus',
  unchanged: 'a frekvenciák maradnak',
  searched: (least, most) => `minden párt a maga tényezőjével oszt, ${decimal(least, 2)} és ${decimal(most, 2)} között`,
  ratio: 'θ utána / előtte',
  unturned: (pairs) => `${integer(pairs)} pár egyszer sem fordul körbe a kontextusban`,
  counts: (unchanged, blended, divided) =>
    `${integer(unchanged)} párt megtart, ${integer(blended)} párt kever, ${integer(divided)} párt oszt`,
  still: (pairs) => `${integer(pairs)} pár áll`,
  table: 'θ hányadosa',
  magnitude: 'nagyság',
  pair: 'pár · token/fordulat (λ)',
} satisfies Messages
