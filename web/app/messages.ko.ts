import { integer, list } from '../i18n/numbers'
import type { Messages } from './messages.en'

export default {
  home: 'ropescope, 탐색기로',
  pages: '페이지',
  page: { explorer: '탐색기', read: '읽기', models: '모델', about: '소개' },
  language: '언어',
  skip: '본문으로 건너뛰기',
  loading: '불러오는 중…',
  pageBroken: '이 페이지를 가져오지 못했습니다. 연결을 확인하고 다시 시도하세요.',
  again: '다시 시도',
  dismiss: '닫기',
  dismissIt: (title) => `닫기: ${title}`,
  copied: '복사했습니다.',
  privacy:
    'ropescope는 이 브라우저 안에서 실행됩니다. 텍스트와 모델은 이 기기를 벗어나지 않습니다. MIT 또는 Apache 2.0.',
  hubBroken: '허브 모델용 코드를 가져오지 못했습니다',
  missingModel: {
    title: (name) =>
      name === ''
        ? '이 링크는 보낸 사람의 모델로 만들었지만 모델 이름이 없습니다.'
        : `이 링크는 이 페이지에 없는 모델로 만들었습니다: “${name}”.`,
    text: '링크의 텍스트, 헤드, 뷰는 그대로 있습니다. 그 모델의 폴더를 열거나, 대신 이 페이지의 모델로 보세요.',
    open: '모델 폴더 열기',
    instead: (model) => `대신 ${model} 보기`,
  },
  comparesWith: (layer, head) => `비교 대상: ${layer}층 ${head}번 헤드.`,

  model: '모델',
  noModel: '모델 없음',
  sizes: (layers, heads) => `${integer(layers)}층 × 헤드 ${integer(heads)}개`,
  ownModel: '내 모델 열기…',

  engine: '엔진',
  notRunning: '멈춤',
  starting: '시작 중…',
  took: (time) => `실행 시간 ${time}`,
  dispatches: (count) => `디스패치 ${integer(count)}회`,
  bytes: (allocated, read) => `할당 ${allocated}, 읽기 ${read}`,
  backendLabel: '백엔드',
  backend: {
    auto: { text: '자동', hint: '하드웨어 어댑터가 있으면 GPU, 없으면 CPU' },
    gpu: { text: 'GPU', hint: 'WebGPU(소프트웨어 어댑터 포함)' },
    cpu: { text: 'CPU', hint: 'WebAssembly' },
  },
  weightsLabel: '가중치',
  weights: {
    auto: { text: '자동', hint: '작은 모델은 f32, 아니면 메모리에 들어가는 가장 정확한 형식' },
    f32: { text: 'f32', hint: '가중치마다 4바이트' },
    f16: { text: 'f16', hint: '가중치마다 2바이트, 유효 비트 11개' },
    bf16: { text: 'bf16', hint: '가중치마다 2바이트, 유효 비트 8개' },
    int8: { text: 'int8', hint: '8비트, 32개 블록마다 스케일 하나(가중치마다 약 1바이트)' },
    int4: { text: 'int4', hint: '4비트, 32개 블록마다 스케일 하나(가중치마다 약 ½바이트)' },
    stored: { text: '파일대로', hint: '파일에 저장된 형식' },
  },
  weightsIn: (format, bytes) => `메모리의 행렬: ${format}, 가중치 ${bytes}`,
  useThreads: (count) => `스레드 ${integer(count)}개 사용(페이지를 한 번 새로 고침)`,
  useOne: '스레드 하나만 사용(페이지를 한 번 새로 고침)',
  controls: '테마, 실행 취소, 단축키',
  theme: '테마',
  themes: { system: '시스템', light: '밝게', dark: '어둡게' },
  undo: '실행 취소',
  redo: '다시 실행',
  keysButton: '단축키 목록',
  report: '보고서 복사',
  restart: '엔진 다시 시작',
  byHand: '클립보드가 차단되었습니다. 보고서를 선택해 복사하세요:',
  source: '소스 코드와 명령줄',

  offline: {
    title: '오프라인',
    unavailable: '오프라인 사본 없음: 브라우저는 https 페이지에만 허용합니다.',
    starting: '첫 결과가 나온 뒤 페이지와 모델을 이 기기에 저장합니다.',
    removed: '이 기기에 저장된 것이 없습니다.',
    stored: (bytes, models, all) =>
      `이 기기에 ${bytes} 저장됨. 오프라인에서 사용 가능: ${all ? '페이지와 모든 모델' : list(['페이지', ...models])}.`,
    lost: '브라우저가 오프라인 사본을 삭제했습니다.',
    storeAll: (bytes) => `오프라인용으로 모두 저장${bytes ? `(${bytes} 추가)` : ''}`,
    progress: '지금까지 저장된 양',
    bytes: (loaded, total) => `${total} 중 ${loaded}`,
    remove: '오프라인 사본 삭제',
    failed: (reason) => `저장하지 못했습니다(${reason}).`,
    newer:
      '이 페이지의 새 버전이 준비되었습니다. 지금 버전의 탭을 모두 닫으면 시작되며, 지금 시작할 수도 있습니다. 지금 시작하면 이 탭의 실행 취소 단계, 측정값, 파일에서 연 모델이 사라집니다. 다른 탭은 그런 것을 잃기 전에 먼저 묻습니다.',
    useNewer: '모든 탭 새로 고침',
    tookOver: {
      title: '다른 탭이 이 페이지의 새 버전으로 바뀌었습니다',
      text: (losses) =>
        `이 탭은 이전 버전으로 실행 중이며 일부가 열리지 않을 수 있습니다. 작업을 마치면 새로 고치세요. 텍스트는 남지만 다음은 사라집니다: ${list(losses)}.`,
      reload: '이 탭 새로 고침',
    },
    unsaved: {
      files: '파일에서 연 모델',
      writing: '진행 중인 이어 쓰기',
      losses: '측정한 손실',
      undo: '실행 취소 단계',
    },
  },

  keys: {
    title: '단축키',
    lead: '지금 열려 있는 것의 단축키입니다. Tab으로 다음 것으로 갑니다.',
    close: '닫기',
    characters: '? [ ] b 같은 한 글자 단축키. 꺼도 화살표, Escape, Ctrl이나 ⌘과 함께 누르는 키는 작동합니다.',
    everywhere: '어디서나',
    page: {
      undo: '마지막 선택이나 입력한 단어 되돌리기',
      redo: '다시 하기',
      keys: '이 목록 열기',
      hold: '포인터를 올렸을 때의 내용만 보기(선택하지 않음)',
    },
    heads: '헤드',
    headKeys: {
      heads: '이전 헤드, 다음 헤드',
      layers: '이전 층, 다음 층의 같은 헤드',
      compare: '이 헤드를 비교 대상으로',
    },
    grid: '헤드 격자에서',
    gridKeys: {
      across: '다른 헤드',
      along: '다른 층',
      ends: '첫 헤드, 마지막 헤드',
      pages: '첫 층, 마지막 층',
    },
    tokens: '토큰에서',
    tokenKeys: (canMask) => ({
      across: '이전 토큰, 다음 토큰',
      ends: '첫 토큰, 마지막 토큰',
      pages: '토큰 열 개 앞뒤로',
      query: '쿼리로 선택',
      key: '키로 선택',
      ...(canMask ? { mask: '가리거나 단어를 되돌리기' } : {}),
    }),
    figures: '그림에서',
    figureKeys: {
      across: '이전 쌍이나 자리, 다음 것',
      along: '같은 일, 또는 더하거나 빼기',
      ends: '처음, 마지막',
      figure: '이 장의 그림으로 가기',
      leave: '쌍 선택 해제, 또는 글로 돌아가기',
    },
  },
} satisfies Messages
