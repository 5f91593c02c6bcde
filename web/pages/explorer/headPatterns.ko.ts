import { integer } from '../../i18n/numbers'
import type { Messages } from './headPatterns.en'

export default {
  title: '헤드 패턴',
  measure: '이 텍스트에서 측정한 평균 가중치',
  patterns: {
    previous: { name: '이전 토큰', plain: '하나 앞', means: '바로 앞 토큰의 가중치' },
    next: { name: '다음 토큰', plain: '하나 뒤', means: '바로 뒤 토큰의 가중치' },
    first: { name: '어텐션 싱크', plain: '첫 토큰', means: '텍스트의 첫 토큰의 가중치' },
    induction: {
      name: '인덕션',
      plain: '전에 뒤따른 토큰',
      means: '같은 토큰이 앞서 나온 자리의 바로 뒤 토큰의 가중치',
    },
    repeated: { name: '중복 토큰', plain: '같은 단어', means: '다른 자리에 있는 같은 토큰의 가중치' },
    same: { name: '자기 토큰', plain: '자기 자신', means: '자기 자신의 가중치' },
    special: { name: '특수 토큰', plain: '[CLS] 등', means: '[CLS] 같은 특수 토큰의 가중치' },
  },
  head: '헤드',
  weight: '가중치',
  tokens: (count) => `토큰 ${integer(count)}개`,
  hint: ({ means }, queries) => `가장 강한 헤드: ${means}, 토큰 ${integer(queries)}개의 평균`,
  bookHint: ({ means }, book) => `가장 강한 헤드: ${means}, ${book}의 모든 토큰의 평균`,
  overBook: (book) => `${book}의 모든 토큰의 평균`,
} satisfies Messages
