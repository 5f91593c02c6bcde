import { integer } from '../../i18n/numbers'
import type { Messages } from './messages.en'

const elsewhere = '모든 기능이 CPU에서도 작동합니다. 큰 모델은 더 느립니다.'

export default {
  reasons: {
    'hardware-adapter': { why: '하드웨어 어댑터', advice: '' },
    choice: { why: '직접 선택함', advice: '' },
    'insecure-context': {
      why: '보안 연결이 아니어서 WebGPU를 쓸 수 없음',
      advice: `브라우저는 https와 localhost에서만 WebGPU를 제공합니다. ${elsewhere}`,
    },
    'no-webgpu': {
      why: '이 브라우저에는 WebGPU가 없음',
      advice: `최신 Chrome, Edge, Firefox, Safari는 대부분의 시스템에서 WebGPU를 지원합니다. ${elsewhere}`,
    },
    'no-adapter': {
      why: 'WebGPU 어댑터 없음',
      advice: `브라우저는 WebGPU를 지원하지만 그래픽 어댑터를 찾지 못했습니다. 드라이버가 없거나 차단되었거나, 브라우저 설정에서 하드웨어 가속이 꺼져 있을 수 있습니다. ${elsewhere}`,
    },
    'fallback-adapter': {
      why: 'WebGPU 어댑터가 소프트웨어뿐임',
      advice:
        '소프트웨어 어댑터도 CPU에서 계산하며, 이 페이지의 CPU 백엔드보다 훨씬 느립니다. 그래도 쓰려면 GPU를 선택하세요.',
    },
    'device-refused': {
      why: 'GPU가 거부함',
      advice:
        '브라우저가 어댑터를 찾았지만 장치를 얻지 못했습니다. GPU 메모리가 부족하거나 GPU가 너무 작을 수 있습니다. GPU를 쓰는 다른 페이지를 닫고 엔진을 다시 시작하세요.',
    },
    'wrong-numbers': {
      why: 'GPU의 계산 결과가 틀림',
      advice:
        '작은 시험 모델의 결과가 이 어댑터와 CPU에서 서로 달라 이 어댑터를 쓰지 않습니다. 그래픽 드라이버나 브라우저를 업데이트해 보세요.',
    },
    'device-lost': {
      why: 'GPU 연결이 두 번 끊김',
      advice: '드라이버가 GPU를 연달아 두 번 회수했습니다. 다시 쓰려면 엔진을 다시 시작하세요.',
    },
  },
  software: '이 어댑터는 소프트웨어입니다. CPU에서 계산하며, 이 페이지의 CPU 백엔드보다 훨씬 느립니다.',
  browserSaid: (detail) => `브라우저 메시지: “${detail}”.`,
  threads: (count) => `행렬 곱과 어텐션을 스레드 ${integer(count)}개에서 계산`,
  notIsolated: '스레드 1개: 페이지가 격리되지 않음',
  refused: '스레드 1개: 브라우저가 페이지를 격리하지 않음',
  troubles: {
    load: {
      cancelled: '불러오지 않음',
      failed: '이 모델을 불러오지 못했습니다',
      stays: (model) => `${model} 모델은 그대로 남아 있습니다.`,
    },
    run: '이 텍스트를 실행하지 못했습니다',
    changedRun: '이 변경으로는 모델을 실행하지 못했습니다',
    gone: {
      title: '이 텍스트를 다시 실행해야 합니다',
      result: '엔진에 결과가 더 이상 없습니다. 아직 읽지 않은 헤드와 통계는 볼 수 없습니다.',
      model: '엔진에 이 모델이 더 이상 없습니다. 다시 불러오세요.',
    },
    writing: '이 텍스트를 이어 쓰지 못했습니다',
    engine: {
      notStarted: '엔진이 시작되지 않았습니다',
      notPainted: '엔진이 그림을 그리지 못했습니다',
      noWebAssembly: '이 브라우저에는 엔진에 필요한 WebAssembly가 없습니다.',
    },
    page: {
      title: '페이지에서 오류가 발생했습니다',
      text: (error) =>
        `브라우저 메시지: “${error}”. 페이지의 일부가 반응하지 않으면 페이지를 새로 고치세요. 텍스트와 선택은 링크에 남습니다. 보고서에는 코드의 위치만 있고 텍스트는 들어 있지 않습니다.`,
    },
    silent: {
      title: '엔진이 응답하지 않습니다',
      text: (seconds) =>
        `${integer(seconds)}초 넘게 응답이 없습니다. 아직 계산 중일 수 있으며, 응답하면 이 알림은 사라집니다. 계속 남아 있으면 엔진을 다시 시작하거나(모델을 다시 읽고 텍스트는 그대로입니다) 더 짧은 텍스트를 넣어 보세요.`,
    },
    silentLoad: {
      title: '모델을 불러오지 못하고 있습니다',
      text: (seconds) =>
        `${integer(seconds)}초 넘게 데이터가 오지 않았습니다. 다시 오기 시작하면 이 알림은 사라집니다. 계속 남아 있으면 네트워크를 확인하거나 엔진을 다시 시작하세요(모델을 다시 읽고 텍스트는 그대로입니다).`,
    },
    lost: {
      title: 'GPU 연결이 끊겼습니다',
      text: '새 장치를 준비하고 모델을 다시 읽습니다. 텍스트는 그대로입니다.',
    },
    crash: {
      restarting: {
        title: '엔진이 비정상 종료되어 다시 시작했습니다',
        text: (message) => `모델을 다시 읽습니다. 텍스트는 그대로입니다. 엔진 메시지: “${message}”.`,
      },
      repeated: {
        title: '엔진이 여러 번 비정상 종료되었습니다',
        text: (message) =>
          `자동으로 다시 시작하지 않습니다. 텍스트나 모델을 바꾸거나 엔진을 다시 시작하세요. 엔진 메시지: “${message}”.`,
      },
    },
  },
} satisfies Messages
