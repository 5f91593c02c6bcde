import { training } from '../../i18n/facts'
import { integer } from '../../i18n/numbers'
import type { Messages } from './messages.en'

export default {
  get help() {
    return `어느 모델도 읽지 않은 책에서 텍스트 길이에 따른 손실. 모두 토큰 ${integer(training.tokens)}개로 학습했습니다.`
  },
  get source() {
    const { layers, heads, steps, seeds } = training
    return `training/compare_positions.py: 헤드 ${integer(heads)}개인 층 ${integer(layers)}개, ${integer(steps)}스텝, 시드 ${integer(seeds)}개씩. 막대는 최소에서 최대까지.`
  },
  kinds: { rotary: '회전 위치', sinusoidal: '사인파', learned: '학습한 표' },
  choice: '종류',
  all: '세 가지 모두',
  across: '텍스트의 토큰 수',
  up: '손실 (nat)',
  trainedAt: '학습 길이',
  ends: '여기서 끝',
  counts: '벡터 하나의 곱셈 횟수',
  table: '텍스트 길이별 손실',
  columns: ['종류', '토큰', '평균', '최소', '최대'],
  costColumns: ['헤드 크기', '행렬로', '쌍마다'],
} satisfies Messages
