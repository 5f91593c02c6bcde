import { integer, score, signed } from '../../i18n/numbers'
import { key, number, query, sentence } from '../../i18n/rich'
import type { Messages } from './messages.en'

const place = (distance: number) => (distance > 0 ? `${integer(distance)}토큰 앞` : `${integer(-distance)}토큰 뒤`)

export default {
  help: '다이얼 하나가 쌍 하나입니다. 쿼리(파랑)는 늘 위를 가리키고, 키(주황)는 회전한 만큼 돕니다. 점선은 회전하기 전의 키입니다.',
  source:
    'RoFormer(Su 외 2021, arXiv 2104.09864) 식 35. i번 쌍은 쿼리를 mθᵢ만큼, 키를 nθᵢ만큼 돌리므로 둘 사이에서는 (m − n)θᵢ만 남습니다. 칠한 각이 그것입니다. φᵢ는 회전하기 전 키에서 쿼리까지의 각입니다. 바늘의 길이는 그 쌍의 두 성분의 길이이고, 모든 다이얼의 축척은 같습니다. 몫은 두 길이, 각의 코사인, 모델의 배율을 곱한 것입니다. 키를 옮겨도 벡터는 그대로입니다. 다른 텍스트에서는 벡터가 달라집니다.',
  loading: '헤드를 읽는 중…',
  nothing: '이 헤드는 어느 쌍도 돌리지 않습니다. 점수는 거리와 무관합니다.',
  label: (query, key) => `쿼리 ${query}, 키 ${key}: 회전하는 모든 쌍의 다이얼. 화살표로 쌍을 고릅니다.`,
  distance: '키 옮기기',
  at: (distance) => (distance === 0 ? '쿼리 자리' : place(distance)),
  putBack: '제자리로',
  pair: (pair, rotation, part) => `${pair}번 쌍: ${rotation} 돌고, 몫은 ${signed(part)}`,
  none: '고른 쌍 없음',
  table: '쌍마다 도는 각',
  columns: ['쌍', '한 바퀴의 토큰 수', '|q|', '|k|', '회전 전의 각', '돈 각', '사이의 각', '몫'],
  headline({ query: asks, key: answers, head, distance, isMoved, pairs, total, site, main }) {
    const line = sentence`헤드 ${head}, 쿼리 ${query(asks)}, 키 ${key(answers)}${isMoved ? ', 옮긴 자리' : ''}. 쌍 ${integer(pairs)}개의 합은 ${number(score(total), site)}입니다.`
    if (distance === 0) return { title: '같은 자리에서는 아무것도 돌지 않습니다. 점수는 벡터만으로 정해집니다.', line }
    if (!main) return { title: `키가 ${place(distance)}에 있으면 어느 쌍도 몫이 없습니다.`, line }
    return {
      title: `키가 ${place(distance)}에 있으면 ${main.pair}번 쌍은 ${main.rotation} 돌고, 몫은 ${signed(main.part)}입니다.`,
      line,
    }
  },
} satisfies Messages
