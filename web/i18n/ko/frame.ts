import { integer } from '../numbers'
import type { Words } from '../words.svelte'

export const frame: Words['frame'] = {
  more: '더 보기',
  formula: '식과 출처',
  numbers: '숫자',
  keys: '키보드',
  export: '저장과 복사',
  png: (scale) => `PNG, ${scale}배`,
  svg: 'SVG',
  csv: 'CSV',
  json: 'JSON',
  everything: {
    make: '모든 중간값, safetensors',
    coming: '모든 중간값을 얻으려고 글을 실행하는 중 …',
    saved: (command) => `저장했다. 같은 일을 하는 명령: ${command}`,
    overtaken: '그 사이에 다른 글이 들어왔다. 다시 눌러 보라.',
  },
  link: '링크 복사',
  command: '같은 일을 하는 명령',
  copy: '복사',
  copied: '복사했다.',
  copyByHand: '브라우저가 복사를 허락하지 않았다. 선택해서 복사하라:',
  failed: (what) => `브라우저가 ${what}를 만들지 못했다. 다른 형식을 골라 보라.`,
  pin: '다른 것과 나란히 열어 두기',
  close: (title) => `${title} 닫기`,
  loading: '불러오는 중 …',
  broken: '이 그림을 가져오지 못했다. 연결을 확인하고 다시 해 보라.',
  again: '다시 하기',
  needsRun: '첫 결과와 함께 나타난다.',
  needsModel: '모델을 실행해야 나타나는데, 불러온 모델이 없다. Models에서 하나를 연다.',
  clamped: (reach) =>
    `이 실행에서는 거리를 ${integer(reach)}까지만 센다. 더 먼 토큰의 점수는 그렇지 않은 것처럼 보인 것이며 모델의 것이 아니다.`,
  nothingTurns: '이 모델은 위치를 임베딩에 더한다. 쿼리도 키도 돌지 않으므로 여기에 보일 것이 없다.',
  notServed: '이 모델에는 이 그림으로 보일 것이 없다.',
}

export const elements: Words['elements'] = {
  colours: '색: 가중치 0은 바탕색, 1이 가장 짙다(가중치의 제곱근)',
  formula: '식',
  copyCsv: 'CSV로 복사',
  rowsCopied: (rows) => `${integer(rows)}행을 복사했다`,
  clipboardRefused: '브라우저가 클립보드를 거부했다. 표를 선택해 직접 복사할 수 있다',
  moreRows: (shown, all) => `행 더 보기 (${integer(all)}행 중 ${integer(shown)}행)`,
  asTable: '숫자를 표로',
}
