import { facts } from '../../i18n/facts'
import { decimal, integer } from '../../i18n/numbers'
import type { Messages } from './messages.en'

export default {
  help: '토큰 여덟 개, 같은 가중치. 항마다 하나씩, 그 합, 모두 옮길 때의 변화, 그리고 변하지 않는 RoPE. 행은 쿼리(파랑), 열은 키(주황)입니다.',
  source: `장의 식을 배정밀도로 계산하고, 발표된 식을 쓴 NumPy 스크립트(tests/golden/generate_positions.py)와 비교했습니다. 세는 것: 표의 자리는 ${integer(facts.learnt.positions)}개, 거리는 그 절반에서 자릅니다. Shaw는 쿼리와 키마다 벡터 하나(Shaw 외 2018, 3.3절)이고 키에만 더합니다. Transformer-XL과 DeBERTa는 거리마다의 내적(Dai 외 2019, 부록 B; He 외 2020, 알고리즘 1), T5와 TUPE와 ALiBi는 헤드와 쿼리와 키마다 수 하나입니다.`,
  way: '방법',
  names: ['없음', '사인파', '학습한 표', 'Shaw', 'Transformer-XL', 'T5', 'TUPE', 'DeBERTa', 'ALiBi', 'RoPE'],
  terms: {
    content: '내용 · 내용',
    toPlace: '내용 · 위치',
    ofPlace: '위치 · 내용',
    places: '위치 · 위치',
    toDistance: '내용 · 거리',
    ofDistance: '거리 · 내용',
    any: '공통 · 내용',
    anyDistance: '공통 · 거리',
    bucket: '구간의 수',
    penalty: '벌점',
    rotated: '회전 · 회전',
    sum: '합',
    moved: '합의 변화',
  },
  ropeName: 'RoPE',
  same: (zero) => `어디서나 ${zero}`,
  first: '첫 토큰의 위치',
  at: (position) => integer(position),
  holds: '옮겨도 맵은 그대로입니다.',
  changes: (by) => `옮기면 점수가 최대 ${decimal(by, 2)} 변합니다.`,
  ends: (table) => `표의 행은 ${integer(table)}개입니다. 그 너머에는 점수가 없습니다.`,
  costs: '방법마다 학습하는 것과 담아 두는 것',
  counted: `크기 ${integer(facts.learnt.headSize)}인 헤드 ${integer(facts.learnt.heads)}개일 때 방법마다 학습하는 수와, 토큰 ${integer(facts.learnt.positions)}개를 읽는 동안 그 밖에 담아 두는 수.`,
  costColumns: ['방법', '층마다 학습', '모든 층이 함께 학습', '층마다 담는 수', '모든 층이 함께 담는 수'],
  none: '거기에는 없음',
  table: '점수',
  columns: ['쿼리', '키', '여기', '옮긴 뒤'],
} satisfies Messages
