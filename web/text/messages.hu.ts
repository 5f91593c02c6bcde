import type { Messages } from './messages.en'

export default {
  vocabulary: (why) =>
    `A vocab.txt nem olvasható WordPiece-szókészletként (${why}). Soronként egy tokent kell tartalmaznia.`,
  file: (why) =>
    `A tokenizer.json nem olvasható (${why}). Mentse újra a Hugging Face tokenizer.save_pretrained() függvényével.`,
  noObject: 'nem JSON-objektum',
  noModel: 'nincs modellje',
  empty: 'üres',
  noWords: 'kínai szöveget olvas szavanként, és nincs hozzá szódaraboló',
  noJieba: (why) =>
    `Ez a modell szavanként olvassa a kínait, és a szavakra bontó jiebát (4 MB) nem sikerült letölteni (${why}). Nyissa meg újra a modellt, ha van hálózat.`,
  part: {
    model: 'model',
    normalizer: 'normalizer',
    'pre-tokenizer': 'pre-tokenizer',
    'post-processor': 'post-processor',
    decoder: 'decoder',
    afterFuse: 'decoder a "Fuse" után',
  },
  unknown: (part, type) => `${part}: ismeretlen típus, "${type || 'típus nélkül'}"`,
  behavior: (name) => `pre-tokenizer: ismeretlen behavior, "${name}"`,
  bpe: (key) => `BPE-modell: ismeretlen beállítás, ${key}`,
  noUnknownToken: 'az Unigram-modellnek nincs ismeretlen tokenje',
  emptyPattern: 'az egyik mintája üres',
  pattern: (pattern) => `nem olvasható minta: ${pattern}`,
  templateToken: (key) => `a sablon nem nevez meg ${key} tokent`,
  templateUnknown: (token) => `a sablon ezt a tokent nem ismeri: ${token}`,
} satisfies Messages
