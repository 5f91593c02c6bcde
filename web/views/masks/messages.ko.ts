import { integer } from '../../i18n/numbers'
import type { Messages } from './messages.en'

export default {
  help: '마지막 실행에 쓰인 인코더–디코더의 마스크 셋. 칠한 칸은 쿼리가 볼 수 있는 키입니다.',
  source:
    '실행에서 읽은 것입니다. 마스크는 칠한 칸의 점수에 0을, 나머지에는 나타낼 수 있는 가장 작은 수를 더합니다(Vaswani 외 2017, 3.2.3절). 원문이 하나뿐이면 패딩이 없으므로, 원문의 마스크와 텍스트에서 원문을 볼 때의 마스크는 아무것도 가리지 않습니다.',
  names: {
    encoder: '패딩: 원문 → 원문',
    decoder: '인과: 텍스트 → 텍스트',
    cross: '인코더–디코더: 텍스트 → 원문',
  },
  loading: '마스크를 읽는 중…',
  label: '마스크 셋. 칠한 칸은 쿼리가 볼 수 있는 키입니다.',
  headline: (visible, all) =>
    `텍스트의 쿼리는 키 ${integer(all)}개 가운데 ${integer(visible)}개를 봅니다. 뒤에 오는 것은 보지 못합니다.`,
  line: (source, text) => `원문은 토큰 ${integer(source)}개, 텍스트는 시작 토큰까지 ${integer(text)}개입니다.`,
  corner: '쿼리',
} satisfies Messages
