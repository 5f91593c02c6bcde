import { integer, percent } from '../../i18n/numbers'
import type { Messages } from './messages.en'

export default {
  help: '단백질 모델의 어텐션이 단백질의 구조에 대해 알려 주는 것: 사슬에서 아무리 멀어도 서로 맞닿는 잔기들.',
  source:
    'Rao 외(2020, bioRxiv 2020.12.15.422761)의 방법을 Hugging Face의 ESM과 같이 따릅니다. 모든 헤드의 맵을 대칭으로 만들고, 합들의 평균 곱을 빼서 보정한 다음 로지스틱 회귀에 넣습니다. 회귀의 계수는 모델 파일에 있으며, 두 잔기가 8 Å 안에 있으면 접촉으로 보는 구조들에 맞춘 것입니다. 첫 토큰과 마지막 토큰은 뺍니다. 사슬의 이웃은 늘 가까우므로 목록에는 6칸보다 가까운 쌍을 넣지 않습니다.',
  residue: (text, position) => `${text} ${integer(position)}`,
  axis: '잔기',
  likeliest: (name) => `${name}의 접촉`,
  none: '6칸 이상 떨어진 잔기가 없습니다',
  tooLong: (most, tokens) =>
    `접촉은 토큰 ${integer(most)}개까지의 텍스트에서 계산합니다. 이 텍스트의 토큰은 ${integer(tokens)}개입니다.`,
  tooShort: '접촉에는 잔기가 둘 필요합니다. 단백질을 더 길게 쓰면 됩니다.',
  loading: '모든 맵을 읽는 중…',

  label: (one, other) => `접촉 맵. 화살표로 두 잔기를 옮깁니다. 지금은 ${one}, ${other}.`,
  moved: (one, other, probability) => `${one}, ${other}: 맞닿을 확률 ${percent(probability)}`,
  headline: (one, other, probability, distance) =>
    `맞닿을 확률이 가장 큰 것은 ${one}, ${other}의 쌍으로 ${percent(probability)}입니다. 사슬에서 ${integer(distance)}칸 떨어져 있습니다.`,
  alone: '사슬에서 6칸 이상 떨어진 두 잔기가 없습니다.',
  line: (count) =>
    count === 0
      ? '6칸 이상 떨어진 쌍 가운데 맞닿을 확률이 절반을 넘는 것은 없습니다.'
      : `6칸 이상 떨어진 쌍 가운데 ${integer(count)}개는 맞닿을 확률이 절반을 넘습니다.`,

  tables: { contacts: '접촉', pairs: '쌍' },
  corner: '잔기',
  pairColumns: ['잔기', '다른 잔기', '간격', '확률'],
} satisfies Messages
