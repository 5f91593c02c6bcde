import { searched } from '../../i18n/facts'
import { decimal, integer, signedDecimal } from '../../i18n/numbers'
import type { Messages } from './messages.en'

export default {
  help: '모델이 읽지 않은 책에서, 같은 가린 토큰을 학습 길이의 텍스트와 더 긴 텍스트에 두었을 때의 손실. 아래는 각 텍스트에서 헤드 하나의 맵.',
  source: `모두 transformers의 방식을 추가 학습 없이 적용했습니다. YaRN의 논문은 회전수로, 코드는 쌍의 번호로 섞습니다. LongRoPE의 계수(${decimal(searched.least, 2)}에서 ${decimal(searched.most, 2)}까지)는 training/search_factors.py가 이 모델이 학습한 책에서 길이의 네 배를 두고 탐색한 것으로, 논문보다 적은 ${integer(searched.tries)}번을 시도했습니다. 읽지 않은 책에서는 LongRoPE의 크기 계수만 쓴 손실을 그 길이에서 ${decimal(searched.gains[4].mean, 3)} ± ${decimal(searched.gains[4].error, 3)}(행들의 평균과 표준 오차) 줄이고, 두 배의 길이에서는 오차를 넘는 차이가 없습니다(${signedDecimal(searched.gains[2].mean, 3)} ± ${decimal(searched.gains[2].error, 3)}). Phi-3의 계수는 헤드 크기가 맞지 않습니다. 부분 회전과 비례 회전은 어느 길이에서나 가장 빠른 4분의 1의 쌍만 돌립니다. 그런 모델은 그렇게 학습한 것이지만 이 모델은 아닙니다. 거리 한도는 길이의 4분의 1이고(ReRoPE, github.com/bojone/rerope), log-n은 Su, kexue.fm/archives/8823을 따릅니다. held-out-long.json의 행을 각 길이의 텍스트로 잘라 읽습니다. 맵의 점은 그 아래에서 가장 큰 가중치입니다. training/measure_lengths.py가 같은 것을 PyTorch로 측정합니다.`,
  ways: {
    plain: '그대로',
    interpolation: '보간',
    dynamic: 'NTK (동적)',
    yarn: 'YaRN, 논문',
    yarnCode: 'YaRN, 코드',
    llama: 'Llama 3.1',
    longrope: 'LongRoPE',
    partial: '부분 회전',
    proportional: '비례 회전',
    clamp: '거리 한도',
    logn: 'log-n',
    both: '거리 한도와 log-n',
  },
  waysLabel: '측정하는 방법',
  across: '텍스트 길이',
  up: '손실 (nat)',
  times: (times, tokens) => `${integer(times)}배 (${integer(tokens)})`,
  nothing: '아직 측정하지 않았습니다.',
  start: '더 긴 텍스트 측정',
  resume: '이어서 측정',
  stop: '멈춤',
  duration: 'GPU가 없으면 몇 분이 걸립니다. 첫 텍스트를 읽고 나면 남은 시간을 알려 주며, 언제든 멈출 수 있습니다.',
  progressLabel: '읽은 텍스트',
  progress: (done, all) => `${integer(all)}번 가운데 ${integer(done)}번 읽음`,
  left: (seconds) =>
    `약 ${seconds < 100 ? `${integer(Math.ceil(seconds))}초` : `${integer(Math.ceil(seconds / 60))}분`} 남음`,
  notStarted: '학습한 길이보다 긴 텍스트는 직접 시작할 때만 실행합니다.',
  tokens: (tokens, book) => `모델이 읽지 않은 “${book}”의 가린 토큰 ${integer(tokens)}개.`,
  maps: (head) => `헤드 ${head}의 맵과, 쿼리마다 가장 강한 키가 받는 가중치의 평균:`,
  map: (tokens, strongest) => `토큰 ${integer(tokens)}개: ${decimal(strongest, 2)}`,
  notServed: '충분히 긴, 학습에 쓰지 않은 텍스트는 이 페이지의 모델 roformer-english에만 들어 있습니다.',
  table: '길이별 손실',
  columns: ['방법', '토큰', '손실', '가린 토큰'],
} satisfies Messages
