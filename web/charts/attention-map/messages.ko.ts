import { decimal, integer, headName, percent, score, signed } from '../../i18n/numbers'
import { key, query, sentence } from '../../i18n/rich'
import { distances } from '../head-grid/messages.ko'
import type { Messages } from './messages.en'

type MapHeads = Parameters<Messages['heading']>[0]
type MapKind = Parameters<Messages['helpOf']>[0]
type MapFacts = Parameters<Messages['sourceOf']>[1]
type PatternMeasurement = Parameters<Messages['headline']['patternLine']>[1]

const average = ({ mean }: PatternMeasurement) => `여기서 평균 ${percent(mean)}`

/** "토큰 21개가 모두", "토큰 21개 가운데 20개가". */
const tokens = ({ queries, matches }: PatternMeasurement) =>
  matches === queries
    ? `토큰 ${integer(queries)}개가 모두`
    : `토큰 ${integer(queries)}개 가운데 ${integer(matches)}개가`

/** A head with the pattern in words, its queries, what they look at, and the pattern's short name. */
const pattern = {
  previous: {
    does: '바로 앞 토큰을 봅니다',
    line: (it: PatternMeasurement) =>
      `앞에 토큰이 있는 ${tokens(it)} 바로 앞 토큰에 가장 큰 가중치를 줍니다: ${average(it)}.`,
    where: '바로 앞 토큰',
  },
  next: {
    does: '바로 뒤 토큰을 봅니다',
    line: (it: PatternMeasurement) =>
      `뒤에 토큰이 있는 ${tokens(it)} 바로 뒤 토큰에 가장 큰 가중치를 줍니다: ${average(it)}.`,
    where: '바로 뒤 토큰',
  },
  twoBack: {
    does: '두 토큰 앞을 봅니다',
    line: (it: PatternMeasurement) =>
      `두 칸 앞에 토큰이 있는 ${tokens(it)} 두 칸 앞의 토큰에 가장 큰 가중치를 줍니다: ${average(it)}.`,
    where: '두 칸 앞의 토큰',
  },
  twoAhead: {
    does: '두 토큰 뒤를 봅니다',
    line: (it: PatternMeasurement) =>
      `두 칸 뒤에 토큰이 있는 ${tokens(it)} 두 칸 뒤의 토큰에 가장 큰 가중치를 줍니다: ${average(it)}.`,
    where: '두 칸 뒤의 토큰',
  },
  itself: {
    does: '토큰이 자기 자신을 봅니다',
    line: (it: PatternMeasurement) => `${tokens(it)} 자기 자신에게 가장 큰 가중치를 줍니다: ${average(it)}.`,
    where: '자기 자신',
  },
  first: {
    does: '첫 토큰을 봅니다',
    line: (it: PatternMeasurement) => `첫 토큰 뒤의 ${tokens(it)} 첫 토큰에 가장 큰 가중치를 줍니다: ${average(it)}.`,
    where: '첫 토큰',
  },
  same: {
    does: '다른 자리에 있는 같은 토큰을 봅니다',
    line: (it: PatternMeasurement) =>
      `다른 자리에도 나오는 ${tokens(it)} 그곳을 가장 많이 봅니다. 가중치는 ${average(it)}.`,
    where: '다른 자리에 있는 같은 토큰',
  },
  onward: {
    does: '원문을 차례로 따라 읽습니다',
    line: (it: PatternMeasurement) =>
      `첫 토큰 다음의 ${tokens(it)} 바로 앞 토큰보다 더 뒤에 있는 원문 토큰에 가장 큰 가중치를 줍니다: ${average(it)}.`,
    where: '바로 앞 토큰보다 더 뒤에 있는 원문 토큰',
  },
  sourceEnd: {
    does: '원문의 끝을 봅니다',
    line: (it: PatternMeasurement) => `${tokens(it)} 원문의 마지막 토큰에 가장 큰 가중치를 줍니다: ${average(it)}.`,
    where: '원문의 마지막 토큰',
  },
  sourceStart: {
    does: '원문의 처음을 봅니다',
    line: (it: PatternMeasurement) => `${tokens(it)} 원문의 첫 토큰에 가장 큰 가중치를 줍니다: ${average(it)}.`,
    where: '원문의 첫 토큰',
  },
  copy: {
    does: '원문에 있는 같은 토큰을 봅니다',
    line: (it: PatternMeasurement) => `원문에도 나오는 ${tokens(it)} 그곳을 가장 많이 봅니다. 가중치는 ${average(it)}.`,
    where: '원문에 있는 같은 토큰',
  },
}

/** The numbers' names in tables. */
const numbers: Record<MapKind, string> = {
  weight: '가중치',
  value: '가중치 · ‖v‖',
  output: '가중치 · ‖v W‖',
  score: '소프트맥스 전의 점수',
  content: '회전 없는 점수',
  rotation: '회전이 점수에 더하는 것',
}

const heading = ({ mean, layer, head, count }: MapHeads) =>
  ({
    head: `${integer(layer)}층 ${integer(head)}번 헤드`,
    layer: `${integer(layer)}층, 헤드 ${integer(count)}개의 평균`,
    all: `모든 헤드 ${integer(count)}개의 평균`,
    some: `헤드 ${integer(count)}개의 평균`,
  })[mean]

const away = (from: number, to: number) =>
  from === to ? '자기 자신' : `${integer(Math.abs(from - to))}토큰 ${from > to ? '앞' : '뒤'}`

/** What a map of these numbers shows. */
const help = (kind: MapKind, linear: boolean) =>
  ({
    weight: linear
      ? '행 하나가 쿼리 하나입니다. 선형 어텐션에는 소프트맥스가 없어, 가중치에 부호가 있고 행의 합이 1이 아닙니다.'
      : '행 하나가 쿼리 하나입니다. 열의 색이 짙을수록 그 키를 더 많이 읽습니다. 행의 합은 1입니다.',
    value: '가중치에 키의 값의 길이를 곱한 것, 곧 쿼리가 가져가는 것의 크기입니다. 행의 합은 1이 아닙니다.',
    output: '가중치에 출력 투영을 거친 값의 길이를 곱한 것, 곧 헤드가 더하는 것의 크기입니다.',
    score: linear
      ? '행의 합으로 나누기 전의 점수 φ(q)·φ(k). 초록은 0보다 크고 자홍은 0보다 작습니다.'
      : '소프트맥스 전의 점수 q·k / √d. 초록은 0보다 크고 자홍은 0보다 작습니다.',
    content: '아무것도 돌지 않을 때의 점수, 곧 토큰의 내용만으로 정해지는 점수입니다.',
    rotation: '회전이 점수마다 더하는 것(초록)이나 빼는 것(자홍)입니다.',
  })[kind]

function source(kind: MapKind, { isLinear, isMean, rotates }: MapFacts): string {
  const isSigned = isLinear || kind === 'score' || kind === 'content' || kind === 'rotation'
  const norms =
    '(Kobayashi 외 2020, arXiv 2004.10102의 가중 노름). 행의 합은 1이 아니며, 특수 토큰을 빼도 늘려 맞추지 않습니다.'
  return [
    `RoFormer(Su 외 2021, arXiv 2104.09864) 식 ${isLinear ? 19 : 2}.${rotates ? ' q와 k는 이미 제 위치만큼 회전한 것입니다.' : ''}`,
    {
      weight: isLinear
        ? '선형 어텐션의 가중치에는 부호가 있고, 어느 행도 합이 1이 아닙니다.'
        : '가중치는 모든 맵에서 0부터 1까지 칠합니다. 값이 작으면 가중치가 커도 움직이는 것이 적습니다. 가중치 · ‖v‖는 값을 함께 셉니다.',
      value: `노름은 키의 값을 셉니다${norms}`,
      output: `노름은 출력 투영 가운데 그 헤드의 부분을 거친 값을 편향 없이 셉니다${norms}`,
      score: isLinear ? '' : '소프트맥스가 점수를 가중치로 바꿉니다.',
      content: '내용은 아무것도 돌리지 않은 점수입니다.',
      rotation: '회전은 점수와 아무것도 돌리지 않은 점수의 차이입니다.',
    }[kind],
    isMean
      ? '평균은 가중한 양을 칸마다 평균한 것입니다. 특수 토큰을 빼면 평균 가중치의 행은 다시 합이 1이 됩니다.'
      : '',
    isSigned
      ? '맵에 나오는 범위에서 양수를 초록, 음수를 자홍으로 칠합니다. 몇 칸이 나머지보다 훨씬 크면 색은 그 칸들에 못 미쳐 끝나고, 막대의 끝에 ≤와 ≥를 씁니다.'
      : kind === 'weight'
        ? ''
        : '맵에 나오는 범위만큼 칠합니다.',
    '가려진 칸은 모래색입니다. 큰 가중치는 헤드가 어디를 읽는지를 말할 뿐, 읽은 것으로 무엇을 하는지는 말하지 않습니다. 어텐션은 설명이 아닙니다.',
  ]
    .filter(Boolean)
    .join(' ')
}

export default {
  help: help('weight', false),
  helpOf: help,
  source: source('weight', { isLinear: false, isMean: false, rotates: true }),
  sourceOf: source,
  heading,
  label: (subject) =>
    `어텐션. ${heading(subject)}. 화살표로 칸을 옮기고, Home과 End는 행의 처음과 끝으로, Page 키는 열 행씩 움직입니다.`,
  axes: (cross) => (cross ? { query: '텍스트 ↓', key: '원문 →' } : { query: '쿼리 ↓', key: '키 →' }),
  kind: {
    name: '숫자',
    weight: '가중치',
    value: '가중치 · ‖v‖',
    output: '가중치 · ‖v W‖',
    score: '점수',
    content: '내용',
    rotation: '회전',
  },
  measured: (kind, value) =>
    ({
      weight: value,
      value: `가중치 곱하기 값의 노름 ${value}`,
      output: `가중치 곱하기 투영한 값의 노름 ${value}`,
      score: `점수 ${value}`,
      content: `회전 없는 점수 ${value}`,
      rotation: `회전이 더하는 것 ${value}`,
    })[kind],
  mean: {
    name: '헤드',
    layer: '그 층',
    all: '모든 헤드',
    some: '고른 헤드',
  },
  picked: {
    name: '고른 헤드',
    place: (layer, head) => headName({ layer, head }),
    add: (layer, head) => `${headName({ layer, head })} 더하기`,
    leave: (layer, head) => `헤드 ${headName({ layer, head })} 빼기`,
    hint: '다른 헤드는 격자에서 더할 수 있습니다.',
  },
  scale: {
    name: '색',
    root: '색: √',
    linear: '색: 선형',
    log: '색: 로그',
  },
  special: { name: '특수 토큰', show: '모든 토큰', hide: '특수 토큰 없이' },
  hiddenHere: '여기는 특수 토큰뿐입니다. ‘모든 토큰’을 고르면 가중치가 보입니다.',
  pair: (queryToken, m, keyToken, n) =>
    sentence`${query({ text: queryToken, position: m })} → ${key({ text: keyToken, position: n })}`,
  rank: (rank, of) => `키 ${integer(of)}개 중 ${integer(rank)}번째`,
  leftOut: '특수 토큰, 여기서는 뺐습니다',
  forbidden: '가림(뒤에 오는 토큰)',
  away,
  rankAway: (kind, rank, away) => {
    const number = {
      weight: undefined,
      value: '가중치 · ‖v‖',
      output: '가중치 · ‖v W‖',
      score: '소프트맥스 전의 점수',
      content: '회전 없는 점수',
      rotation: '회전이 더하는 것',
    }[kind]
    return [number, rank, away].filter((part) => part !== undefined).join(', ')
  },
  ranking: (kind, queryToken, position) => {
    const token = query({ text: queryToken, position })
    return {
      weight: sentence`${token}의 쿼리가 보는 것`,
      value: sentence`${token}의 쿼리가 가져가는 것, ‖v‖로`,
      output: sentence`${token}의 쿼리가 가져가는 것, ‖v W‖로`,
      score: sentence`${token}의 가장 높은 점수`,
      content: sentence`${token}의 회전 없는 점수`,
      rotation: sentence`${token}의 점수에 회전이 더하는 것`,
    }[kind]
  },
  others: (count) => `그 밖에 ${integer(count)}개, 모두 0.001 미만`,
  spoken: (place, reading) =>
    `${heading(place.subject)}, 쿼리 ‘${place.query}’ ${place.m}, 키 ‘${place.key}’ ${place.n}: ${reading}`,
  bar: (least, most) => `색: ${least}부터 ${most}까지`,
  corner: '쿼리 \\ 키',

  quantity: (subject, kind, withoutSpecial) => {
    const quantity =
      kind === 'weight'
        ? '어텐션 가중치'
        : kind === 'value' || kind === 'output'
          ? `어텐션 ${numbers[kind]}`
          : numbers[kind]
    return `${quantity}${subject.mean === 'head' ? '' : `, ${heading(subject)}`}${withoutSpecial ? ', 특수 토큰을 뺌' : ''}`
  },
  table: (subject, kind, withoutSpecial) =>
    `${heading(subject)}: ${numbers[kind]}${withoutSpecial ? ', 특수 토큰을 뺌' : ''}. 세로 쿼리, 가로 키`,
  headline: {
    subject: ({ mean, layer, head, count }) =>
      ({
        head: `헤드 ${headName({ layer, head })}`,
        layer: `${integer(layer)}층의 평균`,
        all: `모든 헤드 ${integer(count)}개의 평균`,
        some: count === 1 ? '고른 헤드' : `헤드 ${integer(count)}개의 평균`,
      })[mean],
    highest: (kind, head, asks, answers, most) =>
      kind === 'score'
        ? sentence`헤드 ${headName(head)}의 가장 높은 점수는 ${query(asks)} → ${key(answers)}의 ${most}입니다.`
        : sentence`회전이 없다면 헤드 ${headName(head)}의 가장 높은 점수는 ${query(asks)} → ${key(answers)}의 ${most}입니다.`,
    scoreRange: (kind, { least, most, mean }, linear) =>
      `${kind === 'score' ? '' : '회전 없는 '}점수의 범위: ${score(least)} ~ ${score(most)}, 평균 ${score(mean)}.${kind === 'score' && !linear ? ' 소프트맥스가 한 행의 점수를 가중치로 바꿉니다.' : ''}`,
    rotation: (distance, there, elsewhere) =>
      `회전은 ${distance === 0 ? '쿼리 자신의 자리' : distances.where(distance)}에 유리합니다: 그곳은 평균 ${signed(there)}, 다른 곳은 ${signed(elsewhere)}.`,
    rotationLine: (subject, least) =>
      `${subject}: 회전한 점수에서 회전 없는 점수를 뺀 것입니다. 한 칸에서 가장 많이 잃는 것은 ${decimal(Math.max(0, -least), 2)}입니다.`,
    measuring: (subject) => `${subject}…`,
    measuringLine: '맵을 측정하는 중…',
    pattern: (subject, found) => `${subject}: ${pattern[found].does}.`,
    patternLine: (found, measured) => pattern[found].line(measured),
    spread: (subject, largest) =>
      `${subject}: 가중치가 퍼져 있습니다. 가장 큰 가중치가 평균 ${percent(largest)}입니다.`,
    picks: (subject, largest) =>
      `${subject}: 토큰을 하나씩 골라 봅니다. 가장 큰 가중치가 평균 ${percent(largest)}입니다.`,
    takes: (subject, { name, position, share }, kind) =>
      sentence`${subject}: ${key({ text: name, position })}에서 가장 많이 가져갑니다. ${numbers[kind]} 전체의 ${percent(share)}입니다.`,
    byWeight: ({ name, position, share }) =>
      sentence`가중치만으로는 ${key({ text: name, position })}에서 가장 많이(${percent(share)}) 가져갈 것입니다.`,
    sameByWeight: (share) => `가중치만으로도 여기가 가장 크며, ${percent(share)}입니다.`,
    mean: (count) => `맵 ${integer(count)}개의 평균에서 측정한 값으로, 꼭 그런 헤드가 있는 것은 아닙니다.`,
    few: '패턴을 찾기에는 토큰이 너무 적습니다.',
    noPattern: (commonest, cross) =>
      commonest
        ? `한곳에 모이지 않습니다. 가장 가까운 패턴: ${pattern[commonest.pattern].where}에 가장 큰 가중치를 주는 토큰이 ${integer(commonest.queries)}개 가운데 ${integer(commonest.matches)}개입니다.`
        : cross
          ? '한곳에 모이지 않습니다. 가장 큰 가중치는 원문을 따라가지도, 첫 토큰이나 마지막 토큰에 머물지도 않습니다.'
          : '한곳에 모이지 않습니다. 옆 토큰도, 자기 자신도, 첫 토큰도 아닙니다.',
    whileWriting: '한 행은 모델이 그다음 토큰을 쓰는 동안 읽는 것입니다.',
    withoutSpecial: '특수 토큰은 뺐습니다.',
  },
} satisfies Messages
