import { integer, list, percent } from '../../i18n/numbers'
import type { Messages } from './messages.en'

const byHand = (page: string) => `본인 계정으로 파일을 받은 뒤(${page}) 여기 ‘모델’ 페이지에서 그 폴더를 여세요.`

export default {
  failures: {
    strangeAnswer: 'huggingface.co의 응답이 예상과 다릅니다. 나중에 다시 시도하세요.',
    unreachable: (why) =>
      `huggingface.co 또는 그 다운로드 서버에 연결하지 못했습니다(${why}). 연결을 확인하고 계속하세요.`,
    noRevision: ({ owner, name, revision }) =>
      `${owner}/${name}에 그런 리비전이 없습니다(${revision}). 브랜치, 태그, 커밋 중 하나를 쓰거나 비워 두세요.`,
    gated: (name, page) =>
      `${name} 모델은 접근이 제한되어 있습니다. 약관에 동의한 계정만 받을 수 있으며, 이 페이지는 계정이나 토큰을 요구하지 않습니다. ${byHand(page)}`,
    missing: (name) => `허브에 ${name} 모델이 없거나 비공개입니다. 이름을 확인하세요.`,
    noFile: (file, name) => `${name}에 ${file} 파일이 더 이상 없습니다.`,
    busy: (wait) =>
      `huggingface.co의 요청 한도를 넘었습니다. ${wait === undefined ? '몇 분' : wait < 120 ? `${integer(wait)}초` : `${integer(Math.ceil(wait / 60))}분`} 뒤에 계속하세요.`,
    refused: (status) => `huggingface.co 응답: ${status}. 나중에 계속하세요.`,
    cancellation: '다운로드를 멈췄습니다. 받은 부분은 남아 있으며 이어서 받을 수 있습니다.',
    interruption: (file, bytes, size) =>
      `${file}: 연결이 거듭 끊겼습니다(${percent(bytes / Math.max(1, size), 0)}까지 받음). 받은 부분은 남아 있으며 이어서 받을 수 있습니다.`,
    otherLength: (file) => `${file}: 길이가 허브의 목록과 달라 저장하지 않았습니다. 계속하면 새로 받습니다.`,
    shorter: (file) => `${file}: 허브의 목록보다 짧아 저장하지 않았습니다. 계속하면 새로 받습니다.`,
    otherDigest: (file) =>
      `${file}: 허브의 체크섬과 달라 저장하지 않았습니다. 다시 받으세요. 또 그러면 허브와 이 브라우저 사이에서 파일이 바뀌는 것이니 다른 네트워크를 써 보세요.`,
    noWeights: '허브의 목록에 이 페이지가 아는 이름의 가중치 파일이 없습니다.',
    full: '이 디스크에 이 페이지가 쓸 공간이 없습니다. 받은 부분은 남아 있습니다. 다른 모델이나 파일을 지우고 계속하세요.',
    notWritten: (why) => `브라우저가 저장하지 못했습니다(${why}).`,
    gone: (file) =>
      `${file} 파일이 이 기기에 더 이상 없습니다. 다른 탭이나 브라우저가 삭제했습니다. 이름으로 모델을 다시 받으세요.`,
    fetching: '다른 탭에서 이 모델을 받고 있습니다. 먼저 그 탭에서 멈추세요.',
  },
  misread: {
    form: '모델 이름이 아닙니다. HuggingFaceTB/SmolLM2-135M처럼 소유자/이름으로 쓰세요.',
    host: '주소로는 huggingface.co의 모델만 받을 수 있습니다. 다른 곳의 파일은 폴더로 여세요.',
    kind: '모델의 주소가 아닙니다. 데이터셋, 스페이스 등 허브의 다른 부분입니다.',
  },
  kind: (modelType, classes) => [modelType, ...classes].filter(Boolean).join(', ') || 'config.json에 적혀 있지 않음',
  notRead: (kind, read) =>
    `이 페이지는 ${kind} 모델을 실행하지 않습니다. 실행할 수 있는 것: ${list(read)}. 클래스 목록은 영어 문서의 모델 계열 페이지에 있습니다.`,
  noConfig: 'config.json을 읽을 수 없어 어떤 모델인지 알 수 없습니다.',
  from: (revision) => `huggingface.co, 커밋 ${revision.slice(0, 10)}`,
} satisfies Messages
