import type { Messages } from './messages.en'

export default {
  vocabulary: (why) => `vocab.txt를 WordPiece 어휘로 읽지 못했습니다(${why}). 한 줄에 토큰이 하나씩 있어야 합니다.`,
  file: (why) =>
    `tokenizer.json을 읽지 못했습니다(${why}). Hugging Face의 tokenizer.save_pretrained()로 다시 저장하세요.`,
  noObject: 'JSON 객체가 아님',
  noModel: '모델이 없음',
  empty: '비어 있음',
  noWords: '중국어를 단어 단위로 읽는데 단어 분할기가 없음',
  noJieba: (why) =>
    `이 모델은 중국어를 단어 단위로 읽는데, 텍스트를 단어로 나누는 jieba(4 MB)를 가져오지 못했습니다(${why}). 온라인일 때 모델을 다시 여세요.`,
  part: {
    model: 'model',
    normalizer: 'normalizer',
    'pre-tokenizer': 'pre-tokenizer',
    'post-processor': 'post-processor',
    decoder: 'decoder',
    afterFuse: '"Fuse" 뒤의 decoder',
  },
  unknown: (part, type) => `${part}의 알 수 없는 유형 "${type || '유형 없음'}"`,
  behavior: (name) => `pre-tokenizer의 알 수 없는 behavior "${name}"`,
  bpe: (key) => `BPE 모델의 알 수 없는 설정 ${key}`,
  noUnknownToken: 'Unigram 모델에 미등록 토큰이 없음',
  emptyPattern: '빈 패턴이 있음',
  pattern: (pattern) => `읽을 수 없는 패턴: ${pattern}`,
  templateToken: (key) => `템플릿에 ${key} 토큰이 없음`,
  templateUnknown: (token) => `템플릿이 모르는 토큰: ${token}`,
} satisfies Messages
