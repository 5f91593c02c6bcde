import { integer } from '../../i18n/numbers'
import { key, query, sentence } from '../../i18n/rich'
import type { Messages } from './messages.en'
import { hasNoHover } from '../../ui/pointer'

const tokens = (count: number) => `토큰 ${integer(count)}개`

export default {
  explorer: '탐색기',
  more: '모든 뷰',
  views: '뷰',
  panes: '나란히 볼 뷰',
  pane: (count) => `뷰 ${integer(count)}개`,
  headsTab: '헤드',
  otherViews: '다른 뷰',
  pending: '새 결과를 계산하는 중입니다.',

  strip: {
    name: '텍스트가 모델을 지나는 길',
    allHeads: '모든 헤드를 함께',
    stations: {
      text: '텍스트',
      tokens: '토큰',
      qk: 'q·k',
      rotate: '회전',
      score: '점수',
      weight: '가중치',
      value: '값',
      feedForward: '피드포워드',
      layers: '층',
      guess: '예측',
    },
    hints: {
      text: '고칠 수 있는 텍스트',
      tokens: '텍스트의 토큰: 쿼리와 키를 고릅니다',
      qk: '회전하기 전의 쿼리와 키의 곱',
      rotate: '쿼리와 키가 위치만큼 돕니다',
      score: '쿼리와 키가 함께 얻는 점수',
      weight: '소프트맥스가 한 행의 점수를 가중치로 바꿉니다',
      value: '키마다 값으로 보태는 것',
      feedForward: '피드포워드 네트워크가 토큰을 하나씩 처리합니다',
      layers: '층들이 만들어 내는 것',
      guess: '모델이 예측하는 토큰',
    },
  },
  intro: {
    name: '이 페이지는',
    rotates: sentence`RoPE는 단어마다 ${query('쿼리')}(찾는 것)와 ${key('키')}(찾게 해 주는 것)를 그 위치만큼 돌립니다. 두 단어가 어디에 있는지가 아니라 서로 얼마나 떨어져 있는지가 중요합니다. 여기서 진짜 모델이 그렇게 합니다.`,
    adds: sentence`이 모델은 ${query('쿼리')}와 ${key('키')}를 돌리지 않고 토큰 임베딩에 위치를 더합니다. 여기서 진짜 모델이 텍스트를 읽습니다. 어느 단어가 어느 단어를 보는지 보세요.`,
    own: '내 문장 쓰기',
    write: '직접 쓰기',
    writeHint: '텍스트가 선택되니 그 위에 쓰면 됩니다.',
    orExample: '또는 예문 고르기:',
  },
  walk: {
    play: '돌아가는 모습 보기',
    help: (head) => `키를 텍스트를 따라 옮깁니다. 헤드 ${head}의 쌍들이 돌고 점수가 따라 바뀝니다.`,
    search: '찾는 모습 보기',
    searchHelp: (head) =>
      `쿼리가 토큰의 키를 하나씩 만납니다. 헤드 ${head}에서 키마다 점수가 다릅니다. 다시 실행하지 않고는 키를 옮길 수 없습니다.`,
    on: '▶ 계속',
    pause: '❚❚ 멈춤',
    back: '이전 토큰으로',
    forth: '다음 토큰으로',
    stop: '끝내기',
    step: (step, of) => `${integer(of)}단계 중 ${integer(step)}번째`,
    cannot: '여기서는 키가 갈 곳이 없습니다. 다른 쿼리나 더 긴 텍스트를 고르세요.',
    searchCannot: '여기서는 찾기를 시작할 수 없습니다. 다른 쿼리나 키, 또는 더 긴 텍스트를 고르세요.',
  },
  or: ' 또는 ',

  text: '텍스트',
  textHint: {
    mask: (mask) => `모델이 예측할 단어의 자리에 ${mask} 입력`,
    writes: '모델이 텍스트의 끝에서 이어 씁니다',
    reads: '모델이 읽는 텍스트',
  },
  shortened: (count) => `모델의 최대 길이인 ${tokens(count)}까지만 실행합니다. 나머지는 남아 있지만 실행하지 않습니다.`,
  unknownWords: (words, count, model) =>
    `${model}에 없는 단어 ${integer(count)}개를 모두 같은 토큰으로 읽습니다: ${words.join(', ')}${count > words.length ? ', …' : ''}`,
  goBeyond: '그 길이를 넘어 읽기',
  beyondMeans: '모델이 학습하지 않은 길이입니다. 예측이 나빠질 수 있습니다.',
  notLinked: '텍스트가 길어 링크에 담지 않습니다.',
  nothingHidden: (mask) => `이 ${mask}에 가려진 단어를 알 수 없습니다. 예측 가운데 하나를 고르거나 직접 입력하세요.`,
  next: '다음 토큰',
  putIn: (token, share) => `${token}, ${share}: 넣기`,

  tokens: (canMask) => `토큰. 화살표로 이동, q는 쿼리로, k는 키로 선택${canMask ? ', m은 가리기' : ''}.`,
  tokenTitle: (position, id) => `위치 ${position}, id ${id}`,
  tokenName: (token, position, { query, key }) =>
    [token, `위치 ${position}`, ...(query ? ['쿼리'] : []), ...(key ? ['키'] : [])].join(', '),
  get clickTo(): string {
    return hasNoHover() ? '탭하면' : '클릭하면'
  },
  click: { query: '쿼리', key: '키', mask: '마스크' },
  clickHint: {
    query: '보는 쪽 토큰. 토큰에서 q를 눌러도 됩니다',
    key: '볼 대상인 토큰. 토큰에서 k를 눌러도 됩니다',
    mask: '단어를 가리거나 되돌림. 토큰에서 m을 눌러도 됩니다',
  },
  looks: (from, to, weight) =>
    sentence`${query(from)} → ${key(to)}: 가중치 ${weight}. 음영은 각 토큰에 주는 가중치입니다.`,
  looking: (from, to, head, weight) => sentence`${query(from)} → ${key(to)} · 헤드 ${head} · ${weight}`,
  toText: '텍스트로 돌아가기',
  positions: (from, to, length) => `${integer(length)}개 중 위치 ${integer(from)}–${integer(to)}`,
  ruler: (length) => `${tokens(length)} 전체: 화살표로 창을 옮깁니다`,

  pair: {
    part: '헤드',
    parts: { encoder: '인코더', decoder: '디코더', cross: '교차 어텐션' },
    partHints: {
      encoder: '원문이 자신을 봅니다.',
      decoder: '텍스트가 앞서 쓴 것을 봅니다.',
      cross: '텍스트가 원문을 봅니다. 다음 토큰을 쓸 때마다 원문에서 읽는 것입니다.',
    },
    source: '원문',
    sourceHint: '모델이 읽는 텍스트',
    target: '이어지는 텍스트',
    targetHint: '모델 또는 사용자가 쓰는 텍스트',
    beams: '빔',
    beamsOwn: (count) => `${integer(count)}(모델의 설정)`,
    oneBeam: '1: 토큰마다 샘플링',
    write: '쓰기',
  },
  verdict: {
    label: '모델의 판정',
    sequence: '텍스트 전체',
    tokens: '토큰마다',
    answer: '답',
    span: (start, end) => `${start}에서 시작, ${end}에서 끝`,
  },
  writing: {
    continue: '이어 쓰기',
    anew: '새로 쓰기',
    anewHint: '모델이 쓴 부분을 지우고 다시 씁니다. 실행 취소로 되돌릴 수 있습니다',
    prose: '줄글로 보는 텍스트. 모델이 쓴 부분은 색으로 표시',
    stop: '멈춤',
    takeBack: '되돌리기',
    takeBackShort: '되돌리기',
    lastToken: '마지막 토큰',
    lastContinuation: '마지막 이어 쓰기',
    speed: (speed) => `초당 토큰 ${speed}개`,
    ended: {
      end: (count) => `모델이 ${tokens(count)} 뒤에 텍스트를 끝냄`,
      length: (count) => `한도인 ${tokens(count)}에서 멈춤`,
      stop: (count) => `${tokens(count)} 뒤에 직접 멈춤`,
    },
    sampling: '샘플링',
    likeliest: '항상 가장 가능성 높은 토큰',
    setting: {
      temperature: '온도',
      topK: 'top-k',
      topP: 'top-p',
      minP: 'min-p',
      repetitionPenalty: '반복 벌점',
      maxNewTokens: '최대 새 토큰',
      seed: '시드',
    },
    zeroTemperature: '0, 가장 가능성 높은 토큰',
    allTokens: '모두',
    tokens,
    anotherSeed: '다른 시드',
    order:
      '적용 순서: 벌점이 텍스트에 나온 토큰의 확률을 낮추고, 온도가 분포를 고르게 하거나 뾰족하게 하며, 가장 가능성 높은 k개만 남기고, 그 가운데 확률의 합이 p가 될 때까지의 토큰만, 다시 그 가운데 최고 확률의 min-p배 이상인 토큰만 남깁니다. 텍스트, 설정, 시드가 같으면 결과도 같습니다. 채팅 모델도 대화 템플릿 없이 여기 있는 텍스트를 그대로 이어 씁니다.',
  },
  headPatterns: {
    title: '헤드 패턴',
    measure: '이 텍스트에서 측정한 평균 가중치',
    patterns: {
      previous: { name: '이전 토큰', plain: '하나 앞', means: '바로 앞 토큰의 가중치' },
      next: { name: '다음 토큰', plain: '하나 뒤', means: '바로 뒤 토큰의 가중치' },
      first: { name: '어텐션 싱크', plain: '첫 토큰', means: '텍스트의 첫 토큰의 가중치' },
      induction: {
        name: '인덕션',
        plain: '전에 뒤따른 토큰',
        means: '같은 토큰이 앞서 나온 자리의 바로 뒤 토큰의 가중치',
      },
      repeated: { name: '중복 토큰', plain: '같은 단어', means: '다른 자리에 있는 같은 토큰의 가중치' },
      same: { name: '자기 토큰', plain: '자기 자신', means: '자기 자신의 가중치' },
      special: { name: '특수 토큰', plain: '[CLS] 등', means: '[CLS] 같은 특수 토큰의 가중치' },
    },
    head: '헤드',
    weight: '가중치',
    tokens,
    hint: ({ means }, queries) => `가장 강한 헤드: ${means}, 토큰 ${integer(queries)}개의 평균`,
    bookHint: ({ means }, book) => `가장 강한 헤드: ${means}, ${book}의 모든 토큰의 평균`,
    overBook: (book) => `${book}의 모든 토큰의 평균`,
  },
  examples: {
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
  },
  story: {
    lessonHint: '이 텍스트로 보는 트랜스포머 전체, 아홉 단계',
    stories: '이야기',
    label: (name) => `이야기: ${name}`,
    place: (caption, all) => `${integer(all)}개 중 ${integer(caption)}`,
    back: '뒤로',
    next: '다음',
    close: '닫기',
    end: '있던 곳으로',
    keys: '화살표와 엔터로 넘어가고, Esc를 누르면 있던 곳으로 돌아갑니다.',
    measuring: '측정하는 중…',
    loading: (model) => `${model} 모델을 불러오는 중…`,
    get elsewhere(): string {
      return hasNoHover()
        ? '다른 것을 선택했습니다. ‘다음’을 누르면 이야기가 이어지고, ✕를 누르면 있던 곳으로 돌아갑니다.'
        : '다른 것을 선택했습니다. 화살표를 누르면 이야기가 이어지고, Esc를 누르면 있던 곳으로 돌아갑니다.'
    },
  },
} satisfies Messages
