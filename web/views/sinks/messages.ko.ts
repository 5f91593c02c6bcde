import { integer, headName, percent } from '../../i18n/numbers'
import { key, sentence } from '../../i18n/rich'
import type { Messages } from './messages.en'

export default {
  help: '모든 쿼리를 합쳐 키마다 헤드의 어텐션을 얼마나 받는지.',
  source:
    '헤드의 맵에서 열마다 구한 합이 전체 합에서 차지하는 비율입니다. 비율이 큰 키를 어텐션 싱크라고 합니다(Xiao 외 2024, arXiv 2309.17453). 인과 모델에서는 앞에 있는 키를 더 많은 쿼리가 보므로, 그것만으로도 더 많이 받습니다.',
  loading: '헤드를 읽는 중…',
  linear:
    '선형 어텐션은 가중치가 음수일 수 있어 합에서 차지하는 비율을 구할 수 없습니다. ‘모두 옮기기’ 뷰에서 소프트맥스 어텐션을 고르면 됩니다.',
  order: '순서',
  orders: { part: '큰 것부터', text: '텍스트 순서' },
  label: (layer, head) =>
    `막대: 키마다 받는 어텐션의 비율, 헤드 ${headName({ layer, head })}. 화살표로 목록을 따라 움직입니다.`,
  headline: (of, part) => sentence`이 헤드의 어텐션을 가장 많이 받는 것은 ${key(of)}: ${percent(part)}.`,
  line: (keys) => `키 ${integer(keys)}개가 똑같이 받는다면 하나에 ${percent(1 / keys)}씩입니다.`,
  limits: (left, most, causal) =>
    [
      left > 0 ? `목록에 없는 키: ${integer(left)}개, 하나에 많아야 ${percent(most)}.` : '',
      causal ? '앞에 있는 키는 더 많은 쿼리가 보므로 더 많이 받습니다.' : '',
      '특수 토큰도 쿼리와 키로 셉니다. 값은 넣지 않았습니다. 값이 작은 키는 가중치가 아무리 커도 더하는 것이 적습니다.',
    ]
      .filter(Boolean)
      .join(' '),
  moved: (token, part) => `${token}: ${percent(part)} 받음`,
  table: '받은 어텐션',
  columns: ['키', '위치', '비율'],
} satisfies Messages
