import type { Messages } from './exampleTexts.en'

export default {
  oneBack: { name: '하나 앞', look: '맞힐 단어 하나, 맵의 모든 행을 읽을 만큼 짧은 문장.' },
  near: {
    name: 'Deep Learning',
    look: '“deep” 바로 뒤에 “learning”이 있습니다. 헤드가 주는 가중치를 보고 다음 예문과 비교해 보세요.',
  },
  far: { name: 'Deep ocean', look: '같은 두 단어가 열두 토큰 떨어져 있습니다. 회전도 점수도 다릅니다.' },
  repeated: {
    name: '되풀이되는 구',
    look: '가려진 단어가 앞에서 두 번 같은 자리에 나왔습니다. 헤드가 그 둘을 돌아보는지 보세요.',
  },
  paragraph: {
    name: '긴 단락',
    look: '토큰 약 200개. 어느 맵이 대각선에 머물고 어느 맵이 텍스트 전체로 퍼지는지 비교해 보세요.',
  },
  story: {
    name: '이야기의 시작',
    look: '텍스트가 도중에 끊깁니다. 모델이 이어 쓰게 하고, 맵에 새로 생기는 행을 보세요.',
  },
  phraseAgain: {
    name: '다시 시작된 구',
    look: '같은 말이 다시 나옵니다. 헤드가 앞에서 그 말을 뒤따른 토큰을 보는지 보세요.',
  },
  yearHu: {
    name: '헝가리어로 1984',
    look: '수의 낱말마다 바로 앞 행에서 예측됩니다. 그 행이 어느 숫자를 보는지 보세요.',
  },
  yearKo: { name: '한국어로 1984', look: '같은 숫자인데 사이의 자릿수 낱말이 다릅니다.' },
  dateEn: {
    name: '영어 날짜',
    look: '달이 가운데 있는데 먼저 쓰입니다. 헤드는 왼쪽에서 오른쪽으로 가지 않습니다.',
  },
  numberHu: {
    name: '아직 쓰이지 않은 긴 수',
    look: '원문 뒤가 비어 있습니다. 모델이 쓰게 하고, 새로 생기는 행을 보세요.',
  },
  protein: {
    name: '미오글로빈',
    look: '단백질 하나, 잔기마다 토큰 하나. 뒤쪽 층의 헤드가 공간에서 맞닿은 잔기를 잇는지 보세요.',
  },
  park: {
    name: '맑은 날, 중국어',
    look: '글자마다 토큰 하나, 둘은 가려져 있습니다. 헤드마다 어느 이웃을 보는지 보세요.',
  },
} satisfies Messages
