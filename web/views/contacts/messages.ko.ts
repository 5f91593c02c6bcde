import { percent } from '../../i18n/format'
import { integer } from '../../i18n/numbers'
import type { Messages } from './messages.en'

export default {
  help: '단백질 모델의 어텐션이 단백질의 모양에 대해 말하는 것: 사슬에서 아무리 멀어도 서로 맞닿는 잔기들.',
  source:
    'Rao 외(2020, bioRxiv 2020.12.15.422761)의 방법을 Hugging Face의 ESM과 같이 따른다. 모든 헤드의 맵을 대칭으로 만들고, 합들의 평균 곱을 빼서 보정한 다음 로지스틱 회귀에 넣는다. 회귀의 계수는 모델 파일에 있으며, 두 잔기가 8 Å 안에 있으면 접촉으로 보는 구조들에 맞춘 것이다. 첫 토큰과 마지막 토큰은 뺀다. 사슬의 이웃은 늘 가까우므로 목록에는 6칸보다 가까운 쌍을 넣지 않는다.',
  residue: (text, position) => `${text} ${integer(position)}`,
  axis: '잔기',
  likeliest: (name) => `${name}의 접촉`,
  none: '6칸 이상 떨어진 잔기가 없다',
  tooLong: (most, tokens) =>
    `접촉은 토큰 ${integer(most)}개까지의 텍스트에서 계산한다. 이 텍스트의 토큰은 ${integer(tokens)}개이다.`,
  tooShort: '접촉에는 잔기가 둘 필요하다. 단백질을 더 길게 쓰면 된다.',
  loading: '모든 맵을 읽는 중…',

  label: (one, other) => `접촉 맵. 화살표로 두 잔기를 옮긴다. 지금은 ${one}, ${other}.`,
  moved: (one, other, probability) => `${one}, ${other}: 맞닿을 확률 ${percent(probability)}`,
  headline: (one, other, probability, distance) =>
    `맞닿을 확률이 가장 큰 것은 ${one}, ${other}의 쌍으로 ${percent(probability)}이다. 사슬에서 ${integer(distance)}칸 떨어져 있다.`,
  alone: '사슬에서 6칸 이상 떨어진 두 잔기가 없다.',
  line: (count) =>
    count === 0
      ? '6칸 이상 떨어진 쌍 가운데 맞닿을 확률이 절반을 넘는 것은 없다.'
      : `6칸 이상 떨어진 쌍 가운데 ${integer(count)}개는 맞닿을 확률이 절반을 넘는다.`,

  tables: { contacts: '접촉', pairs: '쌍' },
  corner: '잔기',
  pairColumns: ['잔기', '다른 잔기', '간격', '확률'],
} satisfies Messages
