import type { Messages } from './messages.en'

export default {
  bundled: {
    'roformer-english': 'Kis angol maszkolt nyelvi modell: megjósolja, mit takar a [MASK].',
    'roformer-english-causal':
      'Kis angol kauzális nyelvi modell: minden token az előtte állókat látja, és a következőt jósolja meg.',
    'roformer-linear-english':
      'Kis angol maszkolt nyelvi modell lineáris figyelemmel (a RoFormer-cikk 19. egyenlete); a negatív súlyok negatívak maradnak.',
    'marian-numbers':
      'Kódoló–dekódoló, amely számokat és dátumokat ír ki betűvel angolul, magyarul és koreaiul: keresztfigyelme a számjegyeket követi.',
  },
  offline: {
    noWorkers: 'ebben a böngészőben nincs service worker',
    notRunning: 'a service worker nem fut',
    ended: 'a böngésző leállította a service workert',
  },
} satisfies Messages
