import { integer } from '../../viewstate/fields'
import { defineView } from '../view'
import { stationOfStep, steps, withoutAnswer } from './steps'

export const params = {
  /** The step of the lesson, from 1 to 9. */
  step: { ...integer('step', 1, 1, steps.length), values: steps.map((_, at) => at + 1) },
  /** The answer to the step's question, from 1 on; 0: none yet; 4: the visitor looks at the picture without one. */
  answer: { ...integer('answer', 0, 0, withoutAnswer), values: [0, withoutAnswer] },
}

export const lesson = defineView({
  id: 'lesson',
  order: 120,
  station: 'heads',
  stationOf: ({ step }) => stationOfStep(Number(step)),
  tab: { en: 'Lesson', ko: '수업', hu: 'Lecke' },
  title: {
    en: 'A whole transformer in nine steps',
    ko: '아홉 단계로 보는 트랜스포머 전체',
    hu: 'Egy teljes transzformer kilenc lépésben',
  },
  keyHelp: {
    en: { across: 'the step before or after', along: 'the token above or below', ends: 'the first or last step' },
    ko: { across: '앞 단계, 다음 단계로', along: '위 토큰, 아래 토큰으로', ends: '첫 단계, 마지막 단계' },
    hu: {
      across: 'az előző vagy a következő lépés',
      along: 'a felső vagy az alsó token',
      ends: 'az első vagy az utolsó lépés',
    },
  },
  shape: 'wide',
  minWidth: 320,
  assumesAllDistances: true,
  params,
  serves: ({ attention }) => attention === 'softmax',
  module: () => import('./view'),
})
