import { integer } from '../../i18n/numbers'
import type { Messages } from './messages.en'

export default {
  help: '쿼리 벡터의 길이, 쌍마다 그리고 전체. 막대: 그대로, 짙은 선: 위치만큼 돌린 뒤, 색 있는 선: 사인파 위치를 더한 뒤.',
  source: `논문(Su 외 2021, arXiv 2104.09864)의 식 4, 14, 15를 배정밀도로 계산했습니다. 회전은 직교 변환입니다.`,
  kinds: { before: '그대로', rotated: '돌린 뒤', added: '위치를 더한 뒤' },
  pair: '쌍',
  length: '쌍의 길이',
  row: '벡터 전체',
  changed: (position, rotated, added) =>
    `위치 ${integer(position)}: 돌리면 어느 쌍의 길이도 ${rotated}보다 더 변하지 않고, 더하면 많게는 ${added} 변합니다.`,
  table: '길이',
} satisfies Messages
