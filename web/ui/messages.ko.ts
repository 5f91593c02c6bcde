import { integer } from '../i18n/numbers'
import type { Messages } from './messages.en'

export default {
  colours: '색: 가중치 0은 바탕색, 1은 가장 짙은 색(가중치의 제곱근)',
  part: {
    loading: '불러오는 중…',
    broken: '페이지의 이 부분을 가져오지 못했습니다. 연결을 확인하고 다시 시도하세요.',
    again: '다시 시도',
  },
  formula: '식',
  copyCsv: 'CSV로 복사',
  rowsCopied: (rows) => `${integer(rows)}행 복사됨`,
  clipboardRefused: '클립보드가 차단되었습니다. 표를 선택해 직접 복사하세요.',
  moreRows: (visible, all) => `행 더 보기(${integer(all)}행 중 ${integer(visible)}행)`,
  asTable: '숫자를 표로',
  seconds: (value) => `${value}초`,
  milliseconds: (value) => `${value} ms`,
  attention: {
    name: '어텐션',
    kinds: {
      softmax: '소프트맥스',
      linear: '선형(식 19)',
      linear_rotate_first: '선형, 먼저 회전',
    },
    hints: {
      softmax: '가중치는 점수의 소프트맥스입니다.',
      linear:
        '논문의 선형 어텐션: 쿼리와 키에 φ(x) = elu(x) + 1을 적용한 뒤 회전하고, 회전하지 않은 합으로 나눕니다. 가중치가 음수일 수 있고 합이 1이 아닙니다. 점수는 거리에만 달려 있습니다.',
      linear_rotate_first:
        '논문의 것이 아닌 흔한 변형: φ보다 먼저 회전합니다. 점수가 텍스트의 시작 위치에 달려 있습니다. 모든 위치를 옮겨 확인해 보세요.',
    },
  },
  loading: {
    label: '모델',
    initializing: (name) => `${name}: 다운로드 완료. 초기화 중…`,
    loading: (name) => `${name} 불러오는 중:`,
    bytes: (loaded, total) => (total === undefined ? loaded : `${total} 중 ${loaded}`),
    progress: (name) => `${name} 불러오는 중`,
    meanwhile: '읽기는 가중치 없이 볼 수 있습니다. 회전 위치 임베딩을 열 장으로 설명합니다.',
    cancel: '취소',
    notRunning: '엔진이 멈춰 있습니다. 텍스트는 그대로입니다.',
    start: '엔진 시작',
    running: '텍스트 실행 중…',
    none: '불러온 모델이 없습니다. 읽기는 모델 없이 볼 수 있습니다.',
    load: '모델 불러오기',
  },
  keyNames: {
    across: '← →',
    along: '↑ ↓',
    ends: 'Home, End',
    pages: 'Page Up, Page Down',
    take: 'Space, Enter',
    leave: 'Escape',
    heads: '[ ]',
    layers: '{ }',
    query: 'q',
    key: 'k',
    mask: 'm',
    compare: 'b',
    undo: 'Ctrl+Z',
    redo: 'Ctrl+Shift+Z',
    keys: '?',
    wheel: '휠',
    drag: '끌기',
    hold: '길게 누르기',
    pinch: '두 손가락',
  },
} satisfies Messages
