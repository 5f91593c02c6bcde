import { decimal, integer, headName, percent } from '../../i18n/numbers'
import { quote, sentence, token } from '../../i18n/rich'
import type { Messages } from './messages.en'
import { hasNoHover } from '../../ui/pointer'

/** Smaller differences are not visible in the digits. */
const visible = 0.0005

/** A difference of probabilities in percentage points, with its sign. */
function points(difference: number): string {
  if (Math.abs(difference) < visible) return '0.0'
  return `${difference < 0 ? '−' : '+'}${decimal(Math.abs(difference) * 100, 1)}`
}

const tokens = (count: number) => `토큰 ${integer(count)}개`

const bounded = (probability: number | null, least: number) =>
  probability === null ? `< ${percent(least)}` : percent(probability)

const help: Messages['helpOf'] = (of, switches) => {
  const begin = {
    tokens: '확률이 가장 높은 토큰. 누르면 그 자리에 들어갑니다.',
    verdict: '모델이 텍스트에 대해 내린 판단입니다.',
    nothing: '여기에는 예측이 없습니다.',
  }[of]
  return switches ? `${begin} 헤드를 끄면 무엇이 바뀌는지 보입니다.` : begin
}

export default {
  help: help('tokens', true),
  helpOf: help,
  source:
    '확률은 출력 헤드의 로짓을 어휘 전체에서 소프트맥스한 것입니다. 이어 쓸 토큰은 설정이 남긴 것에서 Hugging Face의 순서로 뽑습니다. 반복 벌점, 온도 T, top-k, top-p, min-p의 순서입니다. 확률이 높은 토큰은 그런 텍스트에서 흔히 이어지는 것일 뿐, 참인 것은 아닙니다. 목록에 없는 토큰은 확률의 합만 알 수 있습니다. 끈 헤드의 출력은 층의 출력 투영 앞에서 0이나 텍스트의 토큰에 대한 평균으로 바뀌고, 그 뒤는 모두 다시 계산합니다. 평균은 헤드가 모든 토큰에 똑같이 주는 것을 남기므로, 토큰을 구별하게 하는 것만 사라집니다. 보이지 않는 것: 다른 헤드가 빠진 헤드를 대신할 수 있으므로, 차이가 작다고 그 헤드가 하는 일이 없는 것은 아닙니다. 층별 보기(“로짓 렌즈”, nostalgebraist 2020)에서는 출력 헤드가 마지막 정규화를 포함하여 층마다의 은닉 상태를 읽습니다. 출력 헤드는 마지막 상태로만 학습했으므로, 앞에서 읽은 것이 모델이 거기 지닌 것이라고 할 수는 없습니다.',

  mask: (mask, position) => `${mask} ${integer(position)}`,
  masks: '마스크',
  next: '다음 토큰',
  columns: ['전', '후', '%p'],
  numbers: (baseline, now, least) => [
    bounded(baseline, least.baseline),
    bounded(now, least.now),
    baseline === null || now === null ? '' : points(now - baseline),
  ],
  put: ', 넣기',
  get none(): string {
    return hasNoHover()
      ? '가린 토큰이 없습니다. [MASK]를 쓰거나, 위의 ‘마스크’를 누르고 토큰을 탭하면 됩니다.'
      : '가린 토큰이 없습니다. [MASK]를 쓰거나, 위의 ‘마스크’를 누르고 토큰을 누르면 됩니다.'
  },
  noneCausal: '실행하면 다음 토큰이 여기에 나타납니다.',
  noneEncoder: {
    title: '인코더는 토큰을 예측하지 않습니다.',
    line: '디코더나 교차 어텐션을 고르면 다음 토큰이 보입니다.',
  },
  noSwitches: '헤드는 회전 위치 임베딩을 쓰는 모델에서만 끌 수 있습니다.',
  firstOnly: (count) => `처음 마스크 ${integer(count)}개의 예측만 보입니다.`,

  cumulative: '누적 확률',
  rank: '순위 →',
  remaining: (count) => `${integer(count)}개 남음`,
  half: (count) => `절반까지 ${integer(count)}개`,
  share: (part) => `${integer(part * 100)}%`,

  get switches(): string {
    return hasNoHover() ? '헤드 끄기(탭)' : '헤드 끄기(클릭)'
  },
  switchLabel: (layer, head) => `${layer}층 ${head}번 헤드`,
  replacedBy: '끈 헤드의 출력',
  by: { zero: '0', mean: '평균' },
  byHint: { zero: '출력 없음', mean: '텍스트의 토큰에 대한 헤드 출력의 평균' },
  lossOf: (change) => `${change}, 학습에 쓰지 않은 텍스트에서:`,
  presets: '끄기:',
  preset: (preset, { layer, head }) =>
    preset === 'none' ? '없음' : preset === 'head' ? `헤드 ${headName({ layer, head })}` : `${layer}층`,

  candidates: '다음 토큰',
  before: '설정 전',
  after: '설정 후',
  write: ', 이어 붙이기',
  drawn: '마지막으로 뽑은 토큰',
  changedNext: '바꾼 뒤, 설정 전',

  lens: {
    open: '층별 보기',
    title: (place) => `${place}, 모든 층에서`,
    heads: ['1순위 토큰', '', '2순위'],
    loading: '불러오는 중…',
    layer: (state) => (state === 0 ? '입력' : `${state - 1}층`),
    line: (place, fill, since, before) =>
      since === 0 || before === undefined
        ? `${place}: 출력 헤드의 1순위 토큰은 모든 층에서, 임베딩만으로도 ${quote(fill)}입니다.`
        : `${place}: 출력 헤드의 1순위 토큰은 ${since - 1}층부터 ${quote(fill)}이고, 바로 앞 상태에서는 ${quote(before)}입니다.`,
    table: '층별 보기',
    columns: ['층', '토큰', '확률'],
  },

  hiddenStatesOnly: {
    title: '이 모델은 아무것도 예측하지 않습니다. 가중치에 출력 헤드가 없습니다.',
    line: '은닉 상태를 계산합니다. 다른 뷰에서 헤드를 볼 수 있습니다.',
  },
  classes: '텍스트 전체',
  tokens: '토큰마다',
  answer: '답',

  headline: {
    is: (place, fill, now) => sentence`${place}의 예측은 ${token(fill)}: ${now}.`,
    next: (fill, now) => sentence`모델이 예측하는 다음 토큰은 ${token(fill)}: ${now}.`,
    others: (fills) =>
      fills.length === 0
        ? []
        : [
            '그다음은 ',
            ...fills.flatMap(({ token: fill, now }, at) => [at === 0 ? '' : ', ', token(fill), ' ', now]),
            '.',
          ],
    half: (half, listed, mass) =>
      half === undefined
        ? `상위 ${tokens(listed)}의 확률은 ${percent(mass)}로 절반이 되지 않습니다.`
        : `상위 ${tokens(half)}가 확률의 절반을, ${integer(listed)}개가 ${percent(mass)}를 차지합니다.`,
    remaining: (count, mass, atLeast) =>
      `설정이 남긴 것은 ${tokens(count)}이고, 설정 전의 확률은 ${atLeast ? '최소 ' : ''}${percent(mass)}입니다.`,
    stays: ({ place, change }, fill, baseline, now) =>
      sentence`${change}: ${place}의 예측은 그대로 ${token(fill)}, ${decimal(baseline * 100, 1)} → ${now}.`,
    turns: ({ place, change }, from, to) => sentence`${change}: ${place}의 예측은 ${token(from)} → ${token(to)}.`,
    changed: (from, baseline, to, now) =>
      sentence`바꾸기 전에는 ${token(from)} ${percent(baseline)}, 지금은 ${token(to)} ${now}.`,
    most: (moved) =>
      !moved || Math.abs(moved.now - moved.baseline) < visible
        ? '다른 예측은 0.1%p도 변하지 않습니다.'
        : sentence`나머지 가운데 가장 많이 변한 것은 ${token(moved.token)}: ${decimal(moved.baseline * 100, 1)} → ${percent(moved.now)}, ${points(moved.now - moved.baseline)}%p.`,
    noMask: '가린 토큰이 없습니다.',
    noMaskLine: '뷰 위에서 토큰 하나를 가리면 모델이 빠진 단어를 예측합니다.',
    class: (label, now) => `모델의 판정은 ${label}: ${percent(now)}.`,
    classMoved: (change, label, baseline, now) =>
      `${change}: 모델의 판정은 ${label}, ${decimal(baseline * 100, 1)} → ${percent(now)}.`,
    labels: (counts, tokens) =>
      `토큰 ${integer(tokens)}개 가운데 ${counts
        .slice(0, 3)
        .map(([label, count]) => `${label} ${integer(count)}개`)
        .join(', ')}.`,
    answer: (start, end) => sentence`답은 ${token(start)}에서 시작하여 ${token(end)}에서 끝납니다.`,
  },

  tables: {
    fills: '예측',
    classes: '분류',
    tokens: '토큰',
    candidates: '다음 토큰',
    position: '위치',
    rank: '순위',
    token: '토큰',
    id: 'id',
    sum: '누적 확률',
    label: '분류',
    baseline: '바꾸지 않았을 때의 확률',
    now: '확률',
    after: '설정 후의 확률',
    unknown: '상위에 없음',
  },
} satisfies Messages
