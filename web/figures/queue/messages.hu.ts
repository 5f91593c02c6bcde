import { the, integer } from '../../i18n/numbers'
import { query, sentence } from '../../i18n/rich'
import type { Messages } from './messages.en'

export default {
  help: 'Ugyanannak az embernek három neve. Lent: a betöltött modell egyik fejének súlya ezen a távolságon.',
  source: 'Rajz. A súly mért: a Felfedezőben választott fejé, lekérdezésé és kulcsé.',
  people: ['szürke kalap', 'bőrönd', 'piros kabát', 'esernyő', 'kis kutya'],
  desk: 'pult',
  content: 'kinézet szerint',
  absolute: 'szám szerint',
  relative: 'szomszéd szerint',
  numbered: (place) => `${integer(place)}.`,
  behind: (who) => `${who} mögött`,
  first: 'első a pultnál',
  served: 'egy kiszolgálva',
  again: 'megint öten',
  moved: (count) => `${integer(count)} kiszolgálva`,
  inModel: (asks) => sentence`Távolság szerint, egy modellben: mennyit olvas ${query(asks)} az egyes tokenekből.`,
  weight: (head, asks, key, distance, weight) =>
    `${head} fej: ${asks} ${the(distance)} ${integer(distance)} tokennyire lévő ${key} tokennek ${weight} súlyt ad`,
  table: 'nevek',
  columns: ['ki', 'szám', 'szomszéd'],
} satisfies Messages
