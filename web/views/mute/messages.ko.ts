import { added } from '../../charts/held-out-loss/messages.ko'
import { distances } from '../../charts/head-grid/messages.ko'
import {
  decimal,
  integer,
  headName,
  percent,
  score as scoreText,
  signed,
  wavelength,
  weight as weightText,
} from '../../i18n/numbers'
import { key, query, sentence, strong, token, type Sentence } from '../../i18n/rich'
import type { Messages, MuteFacts } from './messages.en'

type Named = MuteFacts['ablated']

function pairsText({ pairs, spans, preset }: Named): string {
  const count = integer(pairs.length)
  if (preset === 'fast' || preset === 'slow') return `가장 ${preset === 'fast' ? '빠른' : '느린'} 쌍 ${count}개`
  if (spans.length > 3) return `쌍 ${count}개`
  return `${spans.map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`)).join(', ')}번 쌍`
}

function change({ ablated, frozen, extent, layer, heads }: MuteFacts): string {
  const parts = [
    ...(ablated.pairs.length > 0 ? [`${pairsText(ablated)} 제거`] : []),
    ...(frozen.pairs.length > 0 ? [`${pairsText(frozen)} 고정`] : []),
  ]
  if (parts.length === 0) return '다른 변경만 적용'
  const place = { head: '', layer: `${layer}층 전체에서 `, all: `헤드 ${integer(heads)}개 모두에서 ` }[extent]
  return place + parts.join(', ')
}

function moved([before, after]: readonly [number, number], write: (value: number) => string): string {
  const [was, is] = [write(before), write(after)]
  return was === is ? `그대로 ${is}` : `${was} → ${is}`
}

function guessText(guess: MuteFacts['guess']): Sentence {
  if (!guess) return []
  const chances = `${guess.chance[0]} → ${guess.chance[1]}`
  return guess.before === guess.after
    ? sentence` ${guess.place}의 예측은 그대로 ${token(guess.after)} (${chances}).`
    : sentence` ${guess.place}의 예측은 ${token(guess.before)} → ${token(guess.after)} (${chances}).`
}

const lossText = (loss: MuteFacts['loss']): string =>
  loss ? ` 학습에 쓰지 않은 텍스트의 손실: ${decimal(loss.before, 2)} → ${decimal(loss.before + loss.added, 2)}.` : ''

export default {
  help: '주파수 쌍을 끄고, 고른 헤드를 끄기 전과 비교합니다.',
  source:
    '쌍을 제거하면 모든 점수에서 그 쌍의 몫이 0이 됩니다. 고정하면(θᵢ = 0) 내용은 그대로이고 위치만 사라집니다. Barbero 외 2024(arXiv 2410.06205)를 따랐습니다. 빠른 쌍은 위치를 나르고, 느린 쌍은 저자들의 추측으로는 내용을 나릅니다. 학습된 모델에 없어도 되는 것을 보일 뿐, 그 쌍 없이 학습했다면 무엇을 배웠을지는 보이지 않습니다. 다른 헤드가 대신할 수도 있습니다. 텍스트 하나는 표본 하나입니다. 그 너머의 대가는 학습에 쓰지 않은 책의 손실이 말해 줍니다.',

  which: '끄기',
  how: '방법',
  where: '범위',
  preset: (which, count) =>
    which === 'none' ? '없음' : `가장 ${which === 'fast' ? '빠른' : '느린'} ${integer(count)}개`,
  suggest: (count) => `가장 빠른 ${integer(count)}개 끄기`,
  kind: (kind) => ({ ablated: '제거', frozen: '고정' })[kind],
  extent: (extent, layer, head) =>
    ({ head: `헤드 ${headName({ layer, head })}`, layer: `${layer}층`, all: '모든 헤드' })[extent],

  switchesLabel: '주파수 쌍, 빠른 것부터',
  switchLabel: (pairs, turn) => {
    const [first = 0] = pairs
    const last = pairs.at(-1) ?? first
    const named = first === last ? `${first}번 쌍` : `${first}–${last}번 쌍`
    return `${named}, ${Number.isFinite(turn) ? `${wavelength(turn)}토큰에 한 바퀴` : '회전 없음'}`
  },
  partsTitle: (asks, answers, short) => sentence`${query(asks)} → ${key(answers)}${short ? '의 몫' : ': 쌍마다의 몫'}`,
  read: (pair, turn, before, after, short) => {
    const turning = Number.isFinite(turn) ? `${wavelength(turn)}토큰에 한 바퀴` : '회전 없음'
    return short
      ? sentence`${strong(String(pair))}번 쌍: A ${signed(before)}, B ${strong(signed(after))}`
      : sentence`${strong(String(pair))}번 쌍, ${turning}: A에서 ${signed(before)}, B에서 ${strong(signed(after))}.`
  },
  shared: (heads) => `헤드 ${integer(heads)}개가 키 헤드 하나를 함께 씁니다. 고정한 쌍은 모두에게서 고정됩니다.`,
  elsewhere: '다른 헤드의 쌍도 껐습니다.',
  pairAxis: '쌍',
  turnAxis: '한 바퀴의 토큰',
  sum: (before, after) => ['합', before === undefined ? '' : scoreText(before), scoreText(after)],
  change: (value) => (Math.abs(value) < 0.05 ? '0' : `${value < 0 ? '−' : '+'}${decimal(Math.abs(value), 1)}`),
  mapA: 'A 원본',
  mapB: (muted) => (muted ? 'B 끈 것' : 'B 같음'),
  mapLabel: 'A와 B의 맵: 쿼리와 키',
  mapValue: (asks, answers, before, after) =>
    `쿼리 ${asks}, 키 ${answers}: A ${weightText(before)}, B ${weightText(after)}`,
  sweepTitle: '같은 쿼리와 키, 모든 거리에서',
  sweepShort: '모든 거리에서',
  sweepLabel: '곡선 위의 키',
  sweepNote: '가는 선: A',
  marker: (name, at, score, changed) => `${changed ? 'B ' : ''}${name}, ${distances.short(at)}: ${scoreText(score)}`,
  ghost: (at, before, after) => `${distances.short(at)}: A ${scoreText(before)}, B ${scoreText(after)}`,
  sweepValue: (name, at, before, after) =>
    `${name}, ${distances.where(at)}: 점수는 A에서 ${scoreText(before)}, B에서 ${scoreText(after)}`,
  guess: (place) => `${place}의 예측`,
  following: '다음 토큰',
  a: 'A',
  b: 'B',
  below: (least) => `< ${percent(least)}`,
  percent,
  pairTable: '바꾸기 전과 뒤의 몫',
  pairHeader: ['쌍', '한 바퀴의 토큰 수', 'A', 'B', 'B에서'],
  kinds: { turns: '그대로', frozen: '고정', ablated: '제거' },
  fillTable: '바꾸기 전과 뒤의 예측',
  fillHeader: ['토큰', 'A', 'B'],
  sweepTable: '모든 거리에서의 점수',
  sweepHeader: ['쿼리 − 키', 'A', 'B'],
  headline: (facts) => {
    const { query: asks, key: answers, layer, head, changed, score, weight, gave, ablated, otherwise } = facts
    const name = headName({ layer, head })
    if (!changed) {
      return {
        title: sentence`헤드 ${name}: 끈 쌍이 없습니다. ${key(answers)}의 가중치는 ${percent(weight[0])}입니다.`,
        line: sentence`${query(asks)} → ${key(answers)}의 점수는 ${scoreText(score[0])}입니다. 가장 빠른 쌍 네 개를, 그다음 가장 느린 절반을 꺼 보면 차이가 드러납니다.`,
      }
    }
    // The headline has space for this or for the loss.
    const from = ablated.pairs.length > 0 && !facts.loss ? `(제거한 쌍의 몫: ${scoreText(gave)})` : ''
    const also = otherwise ? ' B에는 다른 변경도 들어 있습니다.' : ''
    return {
      title: sentence`${change(facts)}: 헤드 ${name}에서 ${key(answers)}의 가중치는 ${moved(weight, percent)}.`,
      line: [
        ...sentence`${query(asks)} → ${key(answers)}의 점수는 ${moved(score, scoreText)}${from}.`,
        ...guessText(facts.guess),
        lossText(facts.loss),
        also,
      ],
    }
  },

  loss: {
    added,
    title: (heads) => `쌍 하나만 바꿀 때 늘어나는 손실, 헤드 ${integer(heads)}개 모두에서`,
    shortTitle: (heads) => `쌍별 손실, 헤드 ${integer(heads)}개 모두`,
    kinds: { ablated: '제거', frozen: '고정' },
    tick: (value) => `+${value}`,
    fast: '빠름',
    slow: '느림',
    scale: (tokens, book) => `로그 척도. ${book === '' ? '' : `“${book}”의 `}가린 토큰 ${integer(tokens)}개`,
    shortScale: (tokens) => `로그 척도. n = ${integer(tokens)}`,
    needNotTurn: (first, last) => [
      first === last ? `${first}번 쌍은 돌지 않아도 됩니다:` : `${first}–${last}번 쌍은 돌지 않아도 됩니다:`,
      '쌍 하나에 0.001 미만.',
    ],
    table: '학습에 쓰지 않은 텍스트의 손실',
    header: ['바꾼 것', '손실', '늘어난 양', '표준 오차', '가린 토큰'],
    baseline: '없음',
    now: '지금 바꾼 것',
    alone: (pair, kind) => `${pair}번 쌍, 모든 헤드에서 ${{ ablated: '제거', frozen: '고정' }[kind]}`,
  },
} satisfies Messages
