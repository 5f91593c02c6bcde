import { decimal, integer, the } from '../../i18n/numbers'
import type { Messages } from './messages.en'

export default {
  help: 'Fent: amit a pozíciók hozzáadnak, két dimenziója görbeként is. Lent: mi lesz tőle egy véletlen vektorból.',
  source: `A cikk (Su és mások 2021, arXiv 2104.09864) 4. egyenlete; az 1 koszinusz a pozíció nélküli vektor iránya. A tanult táblázat egy közzétett modellé (sentence-transformers/all-MiniLM-L6-v2, Apache-2.0), 8 bitre kerekítve: training/learned_table.py; a véletlen vektor olyan hosszú, mint a modell szóbeágyazásai átlagosan. A teljes szín az átlagos nagyság háromszorosa vagy több.`,
  kind: 'Amit hozzáadunk',
  kinds: { sinusoids: 'szinuszok', learned: 'tanult táblázat' },
  learned: (model, dimensions, of, rows) =>
    `${model}: ${integer(of)} dimenziójából ${integer(dimensions)}, összesen ${integer(rows)} sor.`,
  rows: 'amit hozzáadunk: pozíció →, dimenzió ↓, zöld +, bíbor −',
  positions: 'pozíció',
  pair: 'dimenziók',
  dimension: (sine, cosine) => `${integer(sine)}, ${integer(cosine)}`,
  single: (sine, cosine) => `${integer(sine)}. (szinusz) és ${integer(cosine)}. (koszinusz, szaggatott) dimenzió`,
  both: (one, other) => `${integer(one)}. és ${integer(other)}. (szaggatott) dimenzió`,
  norm: (position, norm) => `az összeg hossza: ${decimal(norm, 2)} ${the(position)} ${integer(position)}. pozícióban`,
  cosine: (position, cosine) =>
    `iránya (koszinusz az eredetihez): ${decimal(cosine, 2)} ${the(position)} ${integer(position)}. pozícióban`,
  without: (norm) => `magában ${decimal(norm, 2)}`,
  random: 'véletlen vektorok koszinusza: több dimenzióban kisebb',
  dimensions: (count) => `${integer(count)} dimenzió`,
  table: 'egy vektor a pozíciókkal',
  columns: ['pozíció', 'hossz', 'koszinusz'],
  label: 'A hozzáadott pozíció',
  value: (position, norm, cosine) =>
    `${integer(position)}. pozíció: hossz ${decimal(norm, 2)}, koszinusz ${decimal(cosine, 2)}`,
} satisfies Messages
