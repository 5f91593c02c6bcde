import { distances } from '../../charts/head-grid/messages.ko'
import {
  decimal,
  integer,
  significant,
  plain,
  score as scoreText,
  signed,
  tokenName,
  wavelength,
  percent,
} from '../../i18n/numbers'
import { key, link, number, query, sentence, strong, together, type Sentence, type Token } from '../../i18n/rich'
import type { Messages, ScoreFacts } from './messages.en'
import { partsOfSource, type ScoreKind } from './formula'

const named = ({ text, position }: Token) => tokenName(text, position)

const degrees = (radians: number) => `${decimal((radians * 180) / Math.PI, 0)}°`

/** A key with this weight is found by its query. */
const found = 0.1
/** Hands that are less apart are in line. */
const inLine = (15 * Math.PI) / 180

/** The score of `of` among those of all keys that the query sees. */
function rowTitle(of: Sentence, { score, sites, peak, row, key: own }: ScoreFacts): Sentence {
  if (!row || peak === 'flat')
    return [...of, ...sentence`점수는 ${number(scoreText(score), sites.score)}, 쿼리가 보는 모든 키에서 같습니다.`]
  if (row.best.position === own.position)
    return [
      ...of,
      ...sentence`점수는 ${number(scoreText(score), sites.score)}, 키 ${integer(row.keys)}개 가운데 가장 높습니다.`,
    ]
  const highest = sentence`점수는 ${number(scoreText(score), sites.score)}. 키 ${integer(row.keys)}개 가운데 가장 높은 것: ${key(row.best)}, ${scoreText(peak.score)}.`
  return [...of, ...highest]
}

function sourceOf(kind: ScoreKind): string {
  const parts = {
    added:
      '위치는 0번 층 앞에서 임베딩에 더해집니다. 쿼리와 키에 이미 들어 있고, 아무것도 회전하지 않습니다. 쌍은 이웃한 두 성분입니다.',
    rotated:
      'RoFormer(Su 외 2021, arXiv 2104.09864) 식 35. qᵢ와 kᵢ는 회전하기 전 i번 쌍의 두 좌표이고, φᵢ는 둘 사이의 각입니다. 주파수 θᵢ는 이 모델의 것입니다.',
    linear:
      'RoFormer(Su 외 2021, arXiv 2104.09864) 식 19. q와 k는 특징 사상을 거친 쿼리와 키이고, qᵢ와 kᵢ는 i번 쌍의 두 좌표, φᵢ는 둘 사이의 각입니다. 주파수 θᵢ는 이 모델의 것입니다.',
    factor: `이 모델의 계수 s: ${plain(kind.factor ?? 0)}. 1/√d가 아닙니다.`,
    softmax:
      '소프트맥스가 한 행의 점수를 가중치로 바꾸므로, 한 행의 두 점수의 차는 두 가중치의 비의 로그입니다. 몫의 합을 그것과 비교하여 확인합니다.',
    noSoftmax:
      '소프트맥스가 없습니다. 가중치는 점수를 회전하지 않은 곱의 행 합으로 나눈 것입니다. 한 행의 두 점수의 비는 두 가중치의 비이며, 몫의 합을 그것과 비교하여 확인합니다.',
    rotatedFirst:
      '여기서는 회전이 특징 사상보다 먼저입니다. 그러면 모델의 점수는 이런 몫의 합이 아니므로, 합과 다릅니다.',
    bound: '상한은 이 쿼리와 키의 max |hᵢ₊₁ − hᵢ|를 넣은 식 37입니다.',
    curve: '곡선은 두 벡터를 그대로 두고 거리만 바꿉니다. 다른 텍스트에서는 벡터가 달라집니다.',
    stems: '줄기 하나는 같은 쿼리와 다른 토큰의 키가 이루는 점수입니다.',
    value: '값이 무엇을 나르는지는 보이지 않습니다.',
  }
  return partsOfSource(kind)
    .map((part) => parts[part])
    .join(' ')
}

export default {
  help: '쿼리(파랑)와 키(주황, 점선은 회전하기 전)의 세 쌍, 그리고 쌍마다 점수에 더하는 몫.',
  unrotatedHelp: '쿼리와 키의 성분 쌍마다 점수에 더하는 몫. 여기서는 아무것도 회전하지 않습니다.',
  source: sourceOf({ rotates: true, attention: 'softmax', factor: undefined }),
  sourceOf,
  barsLabel: '주파수 쌍, 빠른 것부터',
  unrotatedBars: '성분 쌍',
  noPair: '고른 쌍 없음',
  total: '점수',
  agrees: ['모델과', '일치 ✓'],
  differs: (by) => ['모델과', '차이', scoreText(by)],
  masked: ['가림:', '가중치 0'],
  slowest: (count, sum) => `가장 느린 ${count}개: ${signed(sum)}`,
  axis: '쌍',
  partsTitle: (pairs) => `쌍 ${integer(pairs)}개의 몫`,
  legend: { order: '빠름 → 느림', adds: '더함', takes: '뺌' },
  pairValue: (pair, turn, part, sum) =>
    `${pair}번 쌍, ${
      Number.isFinite(turn) ? `${wavelength(turn)}토큰에 한 바퀴` : '회전 없음'
    }: 몫 ${signed(part)}, 누적 합 ${signed(sum)}`,
  label: (facts, state, by) => {
    const checked = {
      agrees: ', 모델과 일치',
      differs: `, 모델과 ${scoreText(by)} 차이`,
      masked: ', 가림: 모델은 이 키에 가중치를 주지 않습니다',
      unchecked: '',
    }
    return `${named(facts.query)}, ${named(facts.key)}: 점수 ${scoreText(facts.score)}${checked[state]}. 행에서의 가중치 ${percent(facts.weight)}.`
  },
  sweepTitle: '같은 쿼리와 키, 모든 거리에서',
  sweepLabel: '키를 텍스트를 따라 옮기기',
  highest: ({ distance: at, peak, row, isMasked }) => {
    if (row)
      return [
        '위치는 0번 층에 앞서 더해졌으므로 이 바늘들에 이미 들어 있습니다.',
        ...(isMasked ? [] : [' 점마다 그 토큰의 키입니다.']),
      ]
    if (peak === 'flat') return sentence`어느 거리에서나 같습니다.`
    if (peak.distance === at) return sentence`가장 높은 곳은 바로 ${strong(distances.where(at))}.`
    return sentence`가장 높은 곳은 ${strong(distances.where(peak.distance))}.`
  },
  marker: (token, at, score) => `${token}, ${distances.short(at)}: ${scoreText(score)}`,
  ghost: (token, at, score) =>
    `${token === undefined ? '' : `${token} 자리, `}${distances.short(at)}: ${scoreText(score)}`,
  sweepValue: (distance, score) => `${distances.where(distance)}: 점수 ${scoreText(score)}`,
  score: (score) => scoreText(score),
  dashed: (pair) => `파선: ${pair}번 쌍만`,
  dotted: (times) => `점선: 상한 ÷ ${significant(times, 2)}`,
  ceiling: (here, href) =>
    sentence`${link('장거리 감쇠', href)}는 상한입니다. 여기서 이 둘의 점수는 ${strong(plain(here))}보다 클 수 없습니다.`,
  bound: '감쇠 상한',
  boundHelp: '곡선 위에 논문의 상한 그리기',
  pairTable: '주파수 쌍마다의 몫',
  pairHeader: ['쌍', '한 바퀴의 토큰 수', '몫', '누적 합'],
  unrotatedTable: '성분 쌍마다의 몫',
  unrotatedHeader: ['쌍', '몫', '누적 합'],
  sweepTable: '모든 거리에서의 점수',
  sweepHeader: (pair) => ['쿼리 − 키', '점수', `${pair}번 쌍만`, '논문의 상한'],
  row: {
    help: '쿼리(파랑)와 키(주황)의 세 쌍, 그리고 쌍마다 점수에 더하는 몫. 아무것도 회전하지 않습니다.',
    title: (all) => (all ? '같은 쿼리와 모든 토큰의 키' : '같은 쿼리와 주변 토큰의 키'),
    label: '텍스트의 키를 차례로 지나가기',
    marker: (token, at, score) => `${token}${at === undefined ? '' : `, ${distances.short(at)}`}: ${scoreText(score)}`,
    value: (token, at, score) =>
      `${named(token)}, ${at === undefined ? '원문' : distances.where(at)}: 점수 ${scoreText(score)}`,
    caption: ({ key: own, at, distance, isOwn, score, own: ownScore, main }) => {
      const place = distance === undefined ? '원문' : distances.where(distance)
      if (isOwn && main)
        return sentence`${place}, ${key(at)}: 점수 ${scoreText(score)}. ${String(main.pair)}번 쌍이 ${main.part < 0 ? '가장 많이 낮춥니다' : '가장 많이 더합니다'}: ${signed(main.part)}.`
      return sentence`${place}, ${key(at)}: 이 토큰의 키로는 점수가 ${scoreText(score)}. ${key(own)}의 키로는 ${scoreText(ownScore)}, 차이 ${signed(score - ownScore)}. 토큰도 자리도 다릅니다.`
    },
    table: '토큰마다 그 키와의 점수',
    header: ['위치', '토큰', '점수'],
  },
  why: ({ query: asks, key: answers, distance, score, weight, peak, main, fastest, isMasked, row }) => {
    if (!main || main.part <= 0 || score <= 0 || isMasked) return undefined
    const part = `${scoreText(score)} 가운데 ${signed(main.part)}`
    if (row)
      return sentence`${query(asks)} → ${key(answers)}: 몫이 가장 큰 것은 ${String(main.pair)}번 쌍(성분 ${String(2 * main.pair)}, ${String(2 * main.pair + 1)})으로 ${part}입니다.`
    if (!fastest || peak === 'flat') return undefined
    if (weight >= found && main.pair === fastest.pair && fastest.angle < inLine && distance !== 0)
      return sentence`${query(asks)} → ${key(answers)}, 찾아내는 까닭: 거기서 가장 빠른 ${String(main.pair)}번 쌍의 두 바늘은 ${degrees(fastest.angle)}밖에 벌어지지 않고, 몫은 ${part}입니다.`
    return sentence`${query(asks)} → ${key(answers)}: 몫이 가장 큰 것은 ${String(main.pair)}번 쌍으로 ${part}입니다.`
  },
  caption: ({ key: moved, at, distance, isOwn, pair, angle, part, own, score }) => {
    const hands = `가장 빠른 두 바늘의 사이는 ${degrees(angle)}`
    if (isOwn)
      return sentence`${distances.short(distance)}, ${key(moved)}의 제자리, ${hands}: ${String(pair)}번 쌍의 몫은 ${signed(part)}, 점수는 ${scoreText(score)}입니다.`
    const place = at === undefined ? [] : sentence` ${key(at)}의 자리,`
    return [
      `${distances.short(distance)},`,
      ...place,
      ` ${hands}: ${pair}번 쌍의 몫은 ${signed(part)}일 것입니다(제자리에서는 ${signed(own)}).`,
    ]
  },
  headline: (facts) => {
    const { query: asks, key: answers, head, score, weight, distance: at, peak, near, pairs, main, row, sites } = facts
    const most = main && main.part < 0 ? '가장 많이 낮춥니다' : '가장 많이 더합니다'
    const part = main ? ` 쌍 ${pairs}개 가운데 ${main.pair}번이 ${most}: ${signed(main.part)}.` : ''
    const line = sentence`헤드 ${head}: 점수 ${number(scoreText(score), sites.score)}, 행에서의 가중치 ${number(percent(weight), sites.weight)}.${part}`
    const of = sentence`${query(asks)} → ${key(answers)}: `
    if (row && !facts.isMasked) return { title: rowTitle(of, facts), line }
    if (row)
      return {
        title: [...of, ...sentence`점수는 ${number(scoreText(score), sites.score)}. 쿼리는 이 키를 보지 않습니다.`],
        line,
      }
    if (peak === 'flat') return { title: [...of, '점수가 어느 거리에서나 같습니다.'], line }
    if (peak.distance === at)
      return { title: [...of, `점수는 제 거리에서 가장 높습니다. ${distances.where(at)}입니다.`], line }
    if (near) {
      return {
        title: [...of, `점수는 제 거리에서 거의 가장 높습니다. ${distances.where(at)}입니다.`],
        line: together([line, `가장 높은 곳은 ${distances.where(peak.distance)}, ${scoreText(peak.score)}입니다.`]),
      }
    }
    return {
      title: [
        ...of,
        `점수는 ${distances.where(peak.distance)}에서 가장 높을 것입니다. 키는 ${distances.where(at)}에 있습니다.`,
      ],
      line: together([line, `${distances.where(peak.distance)}에서는 ${scoreText(peak.score)}일 것입니다.`]),
    }
  },
} satisfies Messages
