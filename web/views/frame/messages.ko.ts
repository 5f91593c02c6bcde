import { integer, headName } from '../../i18n/numbers'
import type { Messages } from './messages.en'

export default {
  more: '더 보기',
  share: '공유',
  shared: '링크를 복사했습니다',
  figure: {
    word: '그림',
    form: '크기',
    forms: { column: '한 단', page: '두 단', slide: '슬라이드' },
    files: { svg: 'SVG', pdf: 'PDF', png: 'PNG' },
    crosshair: '십자선',
    caption: '설명',
    size: (width, height, dots) => `${integer(width)} × ${integer(height)} mm, PNG는 인치당 ${integer(dots)}픽셀`,
    stale: '텍스트나 선택이 바뀌었습니다. 새 결과가 나오면 그림을 저장할 수 있습니다.',
    pdf: 'PDF를 누르면 인쇄 창이 열립니다. ‘PDF로 저장’을 고르세요.',
  },
  parts: { encoder: '인코더', decoder: '디코더', cross: '교차 어텐션' },
  quoted: (text) => `“${text}”`,
  largestParts: '가장 큰 부분:',
  explain: {
    menu: '이 숫자는 어디에서 왔나',
    word: '계산 과정',
    help: (site) => `${site}: 이 숫자는 어디에서 왔나`,
    keys: 'e 키나 두 번 누르기로 선택한 숫자가 어디에서 왔는지 봅니다.',
  },
  embed: {
    word: '퍼가기',
    title: (layer, head) => `${headName({ layer, head })}의 맵을 다른 페이지에 넣기`,
    element: 'HTML 요소로',
    script: '모듈 안의 JavaScript로',
    unchanged: (change) => `코드는 바꾸지 않은 모델을 실행합니다. 적용되지 않는 것: ${change}.`,
    folder: (folder) => `직접 연 파일에는 주소가 없습니다. 그 폴더를 페이지 옆에 두세요. 경로: ${folder}`,
    obstacles: (most) => ({
      random: '코드 없음: 이 모델의 가중치는 이 페이지가 무작위로 만든 것이라 다른 페이지에서 불러올 수 없습니다.',
      files: '코드 없음: 패키지는 주소에서 model.safetensors만 읽습니다. 이 모델의 가중치는 다른 파일에 있습니다.',
      words:
        '코드 없음: 이 모델에는 낱말로 나눈 중국어 텍스트가 필요합니다. 패키지에 낱말을 나누는 함수를 넘기세요. README의 cutWords에 설명이 있습니다.',
      length: `코드 없음: 이 텍스트는 패키지가 이 모델로 읽는 토큰 ${integer(most)}개보다 깁니다.`,
      text: '코드 없음: 텍스트가 비어 있습니다.',
    }),
    shortened: (tokens) =>
      `텍스트가 이 모델에는 너무 깁니다. 코드에는 페이지가 읽는 부분, 곧 처음 토큰 ${integer(tokens)}개가 들어갑니다.`,
    sizes: (engine, element, shaders) =>
      `방문자가 받는 양(압축): 엔진 ${integer(engine)} kB, 요소 ${integer(element)} kB, WebGPU가 있으면 셰이더 ${integer(shaders)} kB, 그리고 모델.`,
    noSizes: '이 페이지의 embed/ 폴더를 읽지 못해 크기를 알 수 없습니다.',
    limits:
      '방문자의 메모리에 비해 너무 큰 모델은 가중치를 받기 전에 헤더만 보고 거부합니다. 모델을 줄이려면 요소에 weights="int8" 또는 "int4"를, JavaScript에는 load(…, { weights: \'int8\' })을 쓰세요.',
    threads:
      '서버가 Cross-Origin-Opener-Policy: same-origin과 Cross-Origin-Embedder-Policy: require-corp를 보내면 CPU에서 여러 스레드가 일합니다.',
    origin:
      '브라우저는 페이지와 출처가 같은 워커만 시작합니다. 다른 사이트에서는 아래 파일과 모델 폴더를 페이지 옆에 두고 그 주소를 적으세요:',
  },
  of: (word, title) => `${word}: ${title}`,
  formula: '식과 출처',
  numbers: '숫자',
  keys: '단축키',
  allKeys: '? 키를 누르면 모든 단축키가 나옵니다.',
  export: '저장과 복사',
  csv: 'CSV',
  json: 'JSON',
  everything: {
    make: '모든 활성값 다운로드(.safetensors)',
    running: '모든 활성값을 얻기 위해 텍스트 실행 중…',
    saved: (command) => `저장했습니다. 명령줄: ${command}`,
  },
  command: '명령줄에서 재현하기',
  copy: '복사',
  copied: '복사했습니다.',
  copyByHand: '클립보드가 차단되었습니다. 선택해서 복사하세요:',
  failed: (what) => `브라우저가 ${what} 파일을 만들지 못했습니다. 다른 형식을 선택하세요.`,
  close: (title) => `${title} 닫기`,
  loading: '불러오는 중…',
  broken: '이 뷰를 가져오지 못했습니다. 연결을 확인하고 다시 시도하세요.',
  sheetBroken: (word) => `대화 상자를 가져오지 못했습니다. 연결을 확인하고 ‘${word}’ 버튼을 다시 누르세요.`,
  again: '다시 시도',
  needsRun: '첫 결과와 함께 나타납니다.',
  needsModel: '불러온 모델이 없습니다. ‘모델’에서 하나를 여세요.',
  clamped: (clamp) =>
    `이 실행에서는 거리를 ${integer(clamp)}까지만 셉니다. 더 먼 토큰의 점수는 한도 없이 그린 것이며 모델의 것이 아닙니다.`,
  nothingTurns: '볼 수 없음: 이 모델은 위치를 임베딩에 더하므로 쿼리와 키가 회전하지 않습니다.',
  notServed: '이 모델에서는 볼 수 없습니다.',
  instead: '대신 어텐션 맵 보기',
  turning: (pairs, context) =>
    `첫 결과가 나올 때까지: 주파수 쌍 ${integer(pairs)}개가 토큰마다 저마다의 각도로 회전합니다. 칠한 곳: 토큰 ${integer(context)}개 안의 회전. 숫자: 한 바퀴에 드는 토큰 수.`,
} satisfies Messages
