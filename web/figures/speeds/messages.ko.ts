import { integer } from '../../i18n/numbers'
import type { Messages } from './messages.en'

export default {
  help: '바늘 아래: 한 바퀴에 드는 토큰 수(λ). 회색: 문맥 안에서 닿는 곳. 가는 바늘은 쿼리, 굵은 바늘은 키.',
  source: `논문(Su 외 2021, arXiv 2104.09864)의 식 15, 배정밀도로 계산. 픽셀 하나에 여러 위치가 들면 평균 색입니다.`,
  mapTitle: '바늘을 읽을 수 있는 곳',
  mode: '그림',
  modes: { angle: '각도', cos: 'cos', sin: 'sin', turns: '회전수' },
  axis: '토큰',
  axes: { log: '로그', linear: '선형' },
  wavelength: 'λ, 한 바퀴의 토큰',
  tokens: '토큰',
  context: (tokens) => `문맥 ${integer(tokens)}`,
  distance: (tokens) => `간격 ${integer(tokens)}`,
  still: '정지: 거의 움직이지 않음',
  blurred: '흐림: 너무 많이 돎',
  turn: '한 바퀴',
  openPairs: (open, all, context) =>
    `바늘 ${integer(all)}개 중 ${integer(open)}개는 토큰 ${integer(context)}개 안에 한 바퀴를 돌지 못합니다(점선).`,
  label: '주파수 쌍',
  pair: (pair, wavelength, query, key) =>
    `${integer(pair)}번 쌍, λ 토큰 ${wavelength}개: 쿼리는 ${query}바퀴, 키는 ${key}바퀴 돌았습니다`,
  none: '고른 쌍 없음',
  table: '쌍',
  columns: ['쌍', 'λ (토큰)', 'θ', '쿼리 (rad)', '키 (rad)'],
} satisfies Messages
