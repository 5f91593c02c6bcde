import { integer, percent } from '../../i18n/numbers'
import type { Messages } from './messages.en'

export default {
  help: 'Mit árul el egy fehérjemodell figyelme a fehérje alakjáról: mely aminosavak érnek egymáshoz, bármilyen messze vannak a láncban.',
  source:
    'Rao és mások (2020, bioRxiv 2020.12.15.422761), ahogy a Hugging Face ESM-modellje teszi: logisztikus regresszió az összes fej térképein, mindegyik szimmetrikussá téve és összegeinek átlagos szorzatával javítva. A regresszió együtthatói a modell fájljában vannak; olyan szerkezetekhez illesztették őket, amelyekben két aminosav legfeljebb 8 Å távolságban érintkezik. Az első és az utolsó token kimarad. A lánc szomszédai mindig közel vannak: a felsorolásokból kimaradnak a 6-nál közelebbi párok.',
  residue: (text, position) => `${text} ${integer(position)}`,
  axis: 'aminosav',
  likeliest: (name) => `${name} érintkezései`,
  none: 'nincs 6 vagy nagyobb távolságú aminosav',
  tooLong: (most, tokens) =>
    `Érintkezések legfeljebb ${integer(most)} tokenes szövegre számíthatók; ez ${integer(tokens)} tokenes.`,
  tooShort: 'Érintkezéshez két aminosav kell: írjon hosszabb fehérjét.',
  loading: 'Az összes térkép olvasása…',

  label: (one, other) => `Az érintkezések térképe. A nyilak mindkét aminosavat léptetik; most: ${one} és ${other}.`,
  moved: (one, other, probability) => `${one} és ${other}: érintkezés ${percent(probability)}`,
  headline: (one, other, probability, distance) =>
    `A legvalószínűbben ${one} és ${other} érintkezik, ${percent(probability)} eséllyel: a láncban ${integer(distance)} a távolságuk.`,
  alone: 'A láncban nincs két aminosav, amelynek távolsága legalább 6.',
  line: (count) =>
    count === 0
      ? 'Nincs legalább 6 távolságú pár, amely inkább érintkezik, mint nem.'
      : `A legalább 6 távolságú párok közül ${integer(count)} inkább érintkezik, mint nem.`,

  tables: { contacts: 'érintkezések', pairs: 'párok' },
  corner: 'aminosav',
  pairColumns: ['aminosav', 'másik aminosav', 'távolság', 'valószínűség'],
} satisfies Messages
