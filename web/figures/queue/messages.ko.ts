import { integer } from '../../i18n/numbers'
import { query, sentence } from '../../i18n/rich'
import type { Messages } from './messages.en'

export default {
  help: '같은 사람의 세 가지 이름. 아래는 불러온 모델의 헤드가 그 거리에 주는 가중치입니다.',
  source: '줄은 그림이고, 가중치는 탐색기에서 고른 헤드, 쿼리, 키에서 측정한 값입니다.',
  people: ['회색 모자', '여행 가방', '빨간 코트', '우산', '작은 개'],
  desk: '창구',
  content: '눈에 보이는 대로',
  absolute: '번호로',
  relative: '이웃으로',
  numbered: (place) => `${integer(place)}번`,
  behind: (who) => `${who} 뒤`,
  first: '맨 앞',
  served: '한 사람 보내기',
  again: '다시 다섯 사람',
  moved: (count) => `${integer(count)}명이 일을 마침`,
  inModel: (asks) => sentence`모델에서는 거리로. ${query(asks)} → 토큰마다 읽는 양:`,
  weight: (head, asks, key, distance, weight) =>
    `헤드 ${head}: ${asks} → ${key}, 거리 ${integer(distance)}, 가중치 ${weight}`,
  table: '이름',
  columns: ['사람', '번호', '이웃'],
} satisfies Messages
