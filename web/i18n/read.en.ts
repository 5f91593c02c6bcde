// Read's words: what its chapters and ruler say. They are fetched with the page.
import { beyond, byDistance, deep, facts, guesses, mutedPairs, otherScaling, set, trained, training } from './facts'
import { decimal, integer } from './numbers'
import { code, key, link, query, sentence, sub, variable, type Sentence } from './rich'

/** What a chapter of Read says. */
interface ChapterWords {
  name: string
  /** The words that people search for. */
  topic: string
  /** What it asks and answers. */
  question: string
  text: readonly Sentence[]
  guess: { question: string; answers: readonly string[]; because: string }
  /** What its links set, in the order of `web/pages/read/chapters.ts`. */
  tries: readonly string[]
  /** What its figure does not show. */
  not: Sentence
  sources: Sentence
}

const i = variable('i')
const paper = 'Su et al. 2021, arXiv 2104.09864'

/** Written anew for each reader: numbers follow the language. */
const chapters = (): Record<string, ChapterWords> => ({
  1: {
    name: 'Who stands where?',
    topic: 'order',
    question: 'What does a word’s position say that the word does not?',
    text: [
      sentence`Five people queue at a desk. You can name one of them by what you see, “the woman in the red coat”; by her number, “the third”; or by her neighbour, “the one behind the man with the suitcase”. The first name has nothing to do with place. The second is wrong for everyone as soon as one person has been served. The third stays true wherever the queue goes.`,
      sentence`Words can be named in the same three ways. In one sentence “deep” and “learning” stand ${integer(deep.near)} token apart, in another ${integer(deep.far)}: the same two words, and they mean different things together. How far apart they are matters; at which token the sentence begins hardly does. Absolute positions hold both, and a model has to learn which one matters; relative positions hold the distance alone.`,
    ],
    guess: {
      question: 'The first in the queue is served and leaves. Which names are still true?',
      answers: ['“the third”, “behind the suitcase”', 'only “the red coat”', '“the red coat”, “behind the suitcase”'],
      because: 'What one sees and who stands before whom stay. Every number changes.',
    },
    tries: ['let the queue move up', 'the model on “deep learning”', 'the model on “deep ocean … learning”'],
    not: sentence`How a model learns to use a distance, or whether it does. The weight below the queue is that of one head of the loaded model; other heads differ.`,
    sources: sentence`The two sentences follow an observation of He et al. 2020 (DeBERTa, arXiv 2006.03654), section 1. Absolute and relative positions are distinguished as in section 2 of the paper (${paper}).`,
  },
  2: {
    name: 'Attention by hand',
    topic: 'permutation',
    question: 'What does attention know about order?',
    text: [
      sentence`Each token has three vectors: a ${query('query')}, what it looks for; a ${key('key')}, what it can be found by; and a value, what it hands on. The product of one token’s query and another’s key is a score. It is divided by √${variable('d')}, because dot products of long vectors spread: those of random vectors of ${variable('d')} numbers by √${variable('d')}. Softmax turns a row of scores into weights that sum to 1, and the token’s output is the sum of the values, each times its weight.`,
      sentence`A mask takes keys out: padding takes out the same columns in every row, a causal mask takes out all that comes later, and between an encoder and a decoder it is the encoder’s padding alone. Now swap two tokens. Rows and columns change places, and each token’s output is the same as before. Without a mask attention knows nothing about order. That is what positions are for.`,
    ],
    guess: {
      question: 'Nothing is masked, and two tokens change places. What is the output of the third?',
      answers: ['exactly what it was before', 'the same values with other weights', 'something else altogether'],
      because:
        'Its scores belong to tokens, not to places. A causal mask does tell something: the last token sees more than the first.',
    },
    tries: ['swap the first two tokens', 'mask all that comes later', 'do not divide by √d'],
    not: sentence`The three matrices that make query, key and value of one embedding, several heads side by side, and layers above each other.`,
    sources: sentence`Vaswani et al. 2017 (arXiv 1706.03762), equation 1, sections 3.2.1 and 3.2.3; equation 2 of the paper (${paper}). Vaswani et al. set masked scores to −∞; here, as in transformers, a large negative number is added to them: a row without any key left then has equal weights, not undefined ones.`,
  },
  3: {
    name: 'Add the position?',
    topic: 'absolute positions',
    question: 'What happens to a vector when its position is added?',
    text: [
      sentence`The first transformers add a vector to each embedding: a sine and a cosine of the position for each pair of dimensions, each pair at its own speed; or a vector that is learnt for each position. All sinusoidal vectors are equally long (${decimal(facts.placeNorm, 2)} in ${integer(facts.headSize)} dimensions), and the product of two depends on their distance alone: it is the sum of cosines of chapter 6.`,
      sentence`But addition mixes. At every position the sum has another length and another direction, and a score becomes a sum of four: content with content, content with position, position with content, position with position. A learnt table ends at its last row; the one in the figure has learnt waves of its own. What helps is room: in many dimensions two random vectors are almost at right angles. Their cosines crowd at 0, with a spread of ${decimal(facts.spread, 3)} in ${integer(facts.headSize)} dimensions, so a sum changes little along most directions.`,
    ],
    guess: {
      question: 'Two vectors are drawn at random. In how many dimensions are they nearest to a right angle?',
      answers: guesses.dimensions.map((count) => integer(count)),
      because: 'The spread of the cosine is one over the root of the dimensions.',
    },
    tries: ['a table that a model has learnt', `base ${integer(set.base)}`, `a head of ${integer(set.largeHead)}`],
    not: sentence`Whether a trained model suffers from it: many read well with added positions. The vector that positions are added to is random, not an embedding of a model.`,
    sources: sentence`Equations 3, 4 and 6 of the paper (${paper}); Vaswani et al. 2017 (arXiv 1706.03762), section 3.5. The period of a sinusoid follows from its dimension; it does not grow with the position. The learnt table: sentence-transformers/all-MiniLM-L6-v2.`,
  },
  4: {
    name: 'Turn instead',
    topic: 'rotation, mθ and nθ',
    question: 'What stays if every token is turned by its position?',
    text: [
      sentence`Take two numbers of a ${query('query')} as an arrow and turn it by ${variable('mθ')}, where ${variable('m')} is its position. Turn the ${key('key')}’s arrow by ${variable('nθ')}. Their product is the two lengths times the cosine of the angle between them, and turning changes that angle by (${variable('m')} − ${variable('n')})${variable('θ')}: only the distance is left. Shift both, and nothing moves. Shift one, and the score does.`,
      sentence`Its sign counts, too. With θ = 30°, q = (1, 0) and k = (0.7, 0.7) the score is ${decimal(facts.score.ahead, 2)} where the key stands two ahead, and ${decimal(facts.score.behind, 2)} where it stands two behind. Nothing is added, so every pair keeps its length, and so does the whole vector.`,
      sentence`Which two numbers make a pair is a convention: RoFormer takes neighbours, Llama and GPT-NeoX the ${i}-th of each half. The angles are the same. Weights trained with the one make no sense with the other until their rows are put in its order.`,
    ],
    guess: {
      question: 'm and n change places. Is the score the same?',
      answers: ['yes: the distance is the same', 'not in general: the sign of the distance counts'],
      because: 'It is the same only where the two arrows begin in line, or where turning brings them back.',
    },
    tries: [
      `m = ${integer(set.near.query)}, n = ${integer(set.near.key)}`,
      `m = ${integer(set.near.key)}, n = ${integer(set.near.query)}`,
      'lengths, turned and added',
    ],
    not: sentence`A whole head: that has many such pairs, each with a speed of its own (chapter 5).`,
    sources: sentence`Equations 11 to 16 and 34 of the paper (${paper}). Halves: rotate_half in transformers’ Llama and GPT-NeoX.`,
  },
  5: {
    name: 'Many speeds',
    topic: 'frequencies, θᵢ',
    question: 'Why does each pair turn at its own speed?',
    text: [
      sentence`Cut a ${query('query')} or a ${key('key')} into pairs, and each pair is a clock hand. In a head of ${integer(facts.headSize)} pair 0 turns by one radian a token and completes a turn after ${decimal(facts.first, 1)}. Every next one is ${decimal(facts.slower, 2)} times slower; the last of ${integer(facts.pairs)} needs ${integer(facts.last)} tokens.`,
      sentence`A fast hand tells neighbours apart, but soon it stands where it stood before. A slow hand comes round late or never, but from one token to the next it hardly moves. So by itself a hand tells a distance only where it has moved, and is not yet round. In the figure that is the striped band. Left of it hands stand still; right of it they have gone round too often.`,
      sentence`A model that reads ${integer(facts.context)} tokens has seen some hands all the way round, and others only at the beginning of their first turn. Chapter 8 is about those.`,
    ],
    guess: {
      question: `How many of the ${integer(facts.pairs)} hands complete a turn within ${integer(facts.context)} tokens?`,
      answers: guesses.parts.map((part) => integer((facts.pairs * part) / guesses.parts.length)),
      because: 'Wavelengths grow by an equal factor from pair to pair: on a log axis they stand evenly.',
    },
    tries: [`${integer(set.farDistance)} tokens apart`, 'one token apart', `base ${integer(set.largerBase)}`],
    not: sentence`Whether a model needs a hand. ${link('In the Explorer hands can be frozen or ablated', mutedPairs)}, and the loss says what that costs.`,
    sources: sentence`Equation 15 and section 3.3 of the paper (${paper}): θ${sub('i')} = ${variable('b')} to the power −2${i}/${variable('d')}, with ${i} from 0; ${variable('b')} = 10,000 there.`,
  },
  6: {
    name: 'Near and far',
    topic: 'long-term decay',
    question: 'Does a score fall with distance?',
    text: [
      sentence`Each pair is a hand that distance turns. Between neighbours the hands agree, and their parts of the score add up. Far apart they disagree, and cancel: that is the decay the paper promises, as an upper bound, not as a rule.`,
      sentence`The paper proves an upper bound: no score exceeds a factor that depends on the contents, max |h${sub('i+1')} − h${sub('i')}|, times a sum that depends on the distance alone. Its figure 2 draws the mean of that sum: for ${variable('d')} = 128, from ${decimal(facts.bound.at0, 1)}, where the printed figure is cut off, it falls to ${decimal(facts.bound.lowest, 2)} at distance ${integer(facts.bound.lowestAt)}, and then it ripples.`,
      sentence`Where q and k are the same in every pair, the score is the sum of cos ${variable('mθᵢ')}. It falls as well, and is negative first at distance ${integer(facts.crossing.d64)} for ${variable('d')} = 64, at ${integer(facts.crossing.d128)} for 128, and at ${integer(facts.crossing.d64Base500k)} and ${integer(facts.crossing.d128Base500k)} with base ${integer(facts.crossing.larger)}. The longer the text, the larger the base that keeps it positive. The scores of random q and k do not fall: their spread is the same at every distance. And a key that is the query turned by some distance has its highest score at that distance.`,
    ],
    guess: {
      question: `q and k are drawn at random. How large is their score ${integer(guesses.distance.far)} tokens apart, compared with ${integer(guesses.distance.near)} apart?`,
      answers: ['much smaller, as the bound says', 'about as large'],
      because: 'Rotating a random vector gives another random vector. Only the bound above it has fallen.',
    },
    tries: ['all pairs equally fast', `aligned at ${integer(set.aligned)} tokens`, 'the smallest base'],
    not: sentence`What trained heads do: ${link('the Explorer measures it', byDistance)}. Barbero et al. find that Gemma 7B uses its fastest pairs to build heads that look at a position, and uses the slowest most, for content, they suspect. They doubt that decay with distance is the main reason why the rotation helps.`,
    sources: sentence`Section 3.4.3, equations 35 to 37 and figure 2 of the paper (${paper}); ${variable('d')} = 128 is from its author’s code (kexue.fm/archives/8265). Sum of cosines: Su, kexue.fm/archives/10122, and Men et al. 2024 (arXiv 2405.14591). Barbero et al. 2024 (arXiv 2410.06205).`,
  },
  7: {
    name: 'Move everything',
    topic: 'only distance counts',
    question: 'What changes when every position moves by the same amount?',
    text: [
      sentence`Add one number to every position of a whole model, in all its layers and heads. If scores depend on distances alone, no weight and no prediction may change. RoFormer’s embeddings hold no position; it rotates queries and keys, and nothing else. So only rounding is left, of angles, products and sums to 32-bit numbers, however far the text is moved. The figure compares every weight of every head, and every logit.`,
      sentence`One setting breaks it. With ${code('rotary_value')} values rotate, too. The output of a head then depends on the position, and every later layer reads that. Rotated back by the query’s position, a value arrives rotated by its distance alone, and a shift changes nothing again.`,
    ],
    guess: {
      question: `${integer(set.offset)} is added to every position. By how much do attention weights change?`,
      answers: ['by rounding only', 'the more, the deeper the layer', 'beyond recognition'],
      because: 'The figure measures the largest change, on the loaded model and its text.',
    },
    tries: [`by ${integer(set.offset)}`, 'turn the values, too', 'and turn them back'],
    not: sentence`What a model does with distances that it has never seen: here they all stay as they were.`,
    sources: sentence`Equation 16 of the paper (${paper}); ${code('rotary_value')} in transformers’ RoFormer; RoVE, arXiv 2606.11275.`,
  },
  8: {
    name: 'Beyond the length',
    topic: 'context extension',
    question: 'How does a model read beyond the length it was trained on?',
    text: [
      sentence`Within its length a model has seen fast hands all the way round, and slow ones on a part of the way. To read further, one changes the frequencies. Position interpolation divides them all, and neighbours are harder to tell apart. NTK-aware scaling raises the base: the first pair stays, the last is divided by the whole factor. YaRN keeps what turns often, divides what does not turn once, and blends between; its paper by turns, its code by the pair’s number, up to ${decimal(facts.yarn.ratio, 2)} times apart. LongRoPE searches for a factor for each pair. Llama 3.1 keeps ${integer(facts.llama.kept)} pairs, blends ${integer(facts.llama.blended)} and divides ${integer(facts.llama.divided)}.`,
      sentence`ReRoPE and log-n leave the frequencies alone: one cuts every distance off at a limit, the other sharpens the softmax as the text grows. There are at least two reasons to fail: distances never seen, and weight spread thinner over more tokens. Which of them it is has to be measured. At its own ${integer(beyond.context)} tokens our model’s loss on a held-out book is ${decimal(beyond.losses.plain[1], 2)}, at four times as many ${decimal(beyond.losses.plain[4], 2)}. Log-n brings that to ${decimal(beyond.losses.logn[4], 2)}, the limit to ${decimal(beyond.losses.clamp[4], 2)}, both together to ${decimal(beyond.losses.both[4], 2)}. Interpolation, without any further training, ruins it: ${decimal(beyond.losses.interpolation[4], 2)}.`,
    ],
    guess: {
      question: `Positions are interpolated by ${integer(guesses.factor)}. By how much is the fastest pair slowed down?`,
      answers: ['not at all', `by ${integer(guesses.factor / 2)}`, `by ${integer(guesses.factor)}`],
      because: 'Interpolation divides all of them alike; NTK-aware and YaRN leave the fastest alone.',
    },
    tries: [`${integer(set.factor)} times as long, d = ${integer(set.headSize)}`, 'Llama 3.1', 'LongRoPE’s factors'],
    not: sentence`What further training would change: these losses are without any. ${link('The Explorer runs the loaded model under another scaling', otherScaling)}, side by side with the unchanged one.`,
    sources: sentence`Chen et al. 2023 (arXiv 2306.15595); Peng et al. 2023 (YaRN, arXiv 2309.00071), equation 13 and appendix A.2 as at ICLR 2024; Ding et al. 2024 (LongRoPE, arXiv 2402.13753), sections 3.1 and 3.2; transformers’ modeling_rope_utils.py. LongRoPE’s factors are found by search and are part of each model’s file. Its paper also leaves a text’s first tokens unchanged. The magnitude is that of transformers. ReRoPE: github.com/bojone/rerope, whose code has log-n, too. Log-n: Su, kexue.fm/archives/8823. Losses: training/measure_lengths.py.`,
  },
  9: {
    name: 'Other position encodings',
    topic: 'ALiBi, T5, sinusoids',
    question: 'How else can attention know where tokens are?',
    text: [
      sentence`All of these begin with a query times a key. Some add a vector to the embeddings, computed or learnt: the score then has four terms. Some add a vector for the distance to the key (Shaw), or multiply it with query and key (Transformer-XL, DeBERTa). Some add a number to the score: learnt for buckets of distances (T5), the same together with products of positions (TUPE), or a fixed penalty (ALiBi). RoPE adds nothing and rotates.`,
      sentence`Move all tokens and compare the maps. Maps made from distances stay; maps made from positions change, and a learnt table ends. They differ in what they learn, too: for ${integer(facts.learnt.heads)} heads of ${integer(facts.learnt.headSize)} and ${integer(facts.learnt.positions)} positions a table has ${integer(facts.learnt.learned)} numbers, T5 ${integer(facts.learnt.t5)} and RoPE none.`,
      sentence`Three misprints are common. The four terms of added positions (equation 6) appear as Transformer-XL’s, which are equation 7. DeBERTa’s position p̃ appears as x̃. The paper itself credits equation 9 to Raffel et al., though it is TUPE, by Ke et al.`,
    ],
    guess: {
      question: `All tokens move on by ${integer(set.first)} positions. Which map changes?`,
      answers: ['ALiBi’s', 'T5’s', 'that of a learnt table'],
      because: 'ALiBi and T5 see distances only. A table has another row for every position.',
    },
    tries: [
      'a learnt table at its end',
      `sinusoids, moved by ${integer(set.first)}`,
      `RoPE, moved by ${integer(set.first)}`,
    ],
    not: sentence`Which is better. All weights are drawn from seeds, in place of those that a model would learn.`,
    sources: sentence`Equations 3 to 10 and 16 of the paper (${paper}). Two have the form of their own papers here. Shaw et al. 2018 (arXiv 1803.02155) add a vector to the finished key (equation 5 does so before ${variable('W')}${sub('k')}), and one to the value. In Transformer-XL (Dai et al. 2019, arXiv 1901.02860) u and v stand in place of a whole query (equation 7 multiplies them by ${variable('W')}${sub('q')}). TUPE: Ke et al. 2020 (arXiv 2006.15595). DeBERTa itself (arXiv 2006.03654) counts the third term’s distance the other way round, and learns matrices for positions. ALiBi (Press et al. 2022, arXiv 2108.12409) is causal there; here its penalty holds both ways. T5 divides no product by √${variable('d')}, TUPE and DeBERTa theirs by the root of two and three times as much; here all are divided by √${variable('d')}.`,
  },
  10: {
    name: 'What it costs, and what it buys',
    topic: 'compute, kernels',
    question: 'What does turning cost, and what is it good for?',
    text: [
      sentence`As the paper’s matrix, rotating a vector of ${integer(facts.headSize)} takes ${integer(facts.cost.matrix)} multiplications, nearly all with 0. Pair by pair it takes ${integer(facts.cost.pairwise)}; as products of complex numbers it is the same. Cosines and sines for ${integer(facts.context)} positions are ${integer(facts.cost.table)} numbers, which all heads and layers share. As matrices they would be ${integer(facts.cost.matrices)}.`,
      sentence`Attention over ${variable('N')} tokens makes ${variable('N')}² weights. Linear attention makes the sum over keys once and never the map. There the rotation comes after the feature map, and the denominator is not rotated (equation 19): weights may be negative, and do not sum to 1.`,
      sentence`Trained alike and briefly, three times each, our models came to a loss of ${decimal(trained.rotary.loss_by_length[128].mean, 2)} with rotary positions, ${decimal(trained.sinusoidal.loss_by_length[128].mean, 2)} with sinusoids and ${decimal(trained.learned.loss_by_length[128].mean, 2)} with a learnt table. That says who learns sooner. It does not say how far apart they end.`,
    ],
    guess: {
      question: `The rotary models were trained on ${integer(training.tokens)} tokens. On ${integer(training.longest)}, their loss is …`,
      answers: ['a little higher', 'twice as high', 'lower'],
      because: 'They get worse slowly beyond their length; the learnt table has no rows there.',
    },
    tries: ['rotary alone', 'time three ways to rotate', 'time attention by length'],
    not: sentence`A race to the end: after ${integer(training.steps)} steps the two absolute kinds had hardly begun to learn, and no settings that suit them better were searched for.`,
    sources: sentence`Equation 34 and section 3.4.2, equations 17 to 19 of the paper (${paper}); its figure 3 in small: training/compare_positions.py, results in training/results/positions.json.`,
  },
})

const page = {
  title: 'Read',
  chapters: 'Chapters',
  figures: 'Figures of this chapter',
  all: 'all figures',
  previous: (name: string) => `Back: ${name}`,
  lesson: 'Lesson: a whole transformer in nine steps',
  next: (name: string) => `Next: ${name}`,
  toFigure: 'to its figure',
  larger: 'larger',
  smaller: 'smaller',
  allTitle: 'All figures',
  allLead: 'Every figure by itself, or two side by side. They follow one ruler.',
  guess: 'Guess first',
  right: 'Yes.',
  wrong: 'No.',
  attempt: 'Try',
  not: 'What it does not show:',
  sources: 'Sources',
  errata: 'Often said, and wrong',
  noEngine: 'The engine has not started: figures do not move, but the text is complete.',
  noModel: 'This needs a model: it appears with the first result.',
  ruler: {
    label: 'Ruler of all figures',
    headSize: 'head size',
    base: 'base',
    context: 'context',
    vectors: 'q and k',
    vector: { random: 'random', equal: 'equal', head: 'this head' },
    query: 'query',
    key: 'key',
    both: 'both',
    distance: (tokens: number) => `${integer(Math.abs(tokens))} apart`,
    back: (what: string) => `${what} one back`,
    on: (what: string) => `${what} one on`,
    play: 'play',
    stop: 'stop',
    ofModel: 'of the model',
  },
}

export const read = { chapters, page }

/** What every other language has to have. */
export type ReadWords = typeof read
