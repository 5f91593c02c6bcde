import { integer } from '../../i18n/numbers'
import type { Messages } from './headPatterns.en'

export default {
  title: 'Fejek mintázatai',
  measure: 'átlagos súly ezen a szövegen',
  patterns: {
    previous: { name: 'Előző token', plain: 'eggyel vissza', means: 'a megelőző token súlya' },
    next: { name: 'Következő token', plain: 'eggyel előre', means: 'a következő token súlya' },
    first: { name: 'Figyelemnyelő', plain: 'első token', means: 'a szöveg első tokenjének súlya' },
    induction: {
      name: 'Indukció',
      plain: 'korábban követte',
      means: 'az ugyanilyen korábbi tokent követő token súlya',
    },
    repeated: { name: 'Ismétlődés', plain: 'ugyanaz a szó', means: 'a többi ugyanilyen token súlya' },
    same: { name: 'Önmaga', plain: 'saját maga', means: 'a token saját magára eső súlya' },
    special: { name: 'Speciális tokenek', plain: 'például [CLS]', means: 'a speciális tokenek, például a [CLS] súlya' },
  },
  head: 'fej',
  weight: 'súly',
  tokens: (count) => `${integer(count)} token`,
  hint: ({ means }, queries) => `A legerősebb fej: ${means}, ${integer(queries)} token átlaga`,
  bookHint: ({ means }, book) => `A legerősebb fej: ${means}, a könyv (${book}) összes tokenjének átlaga`,
  overBook: (book) => `a könyv (${book}) összes tokenjének átlaga`,
} satisfies Messages
