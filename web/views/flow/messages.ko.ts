import { decimal, integer, headName, percent } from '../../i18n/numbers'
import { key, query, sentence } from '../../i18n/rich'
import type { Messages } from './messages.en'

export default {
  help: '어텐션만으로 볼 때 토큰마다 정보가 어디에서 오는지, 층과 헤드가 저마다 얼마나 더하는지.',
  source:
    '어텐션 롤아웃: Abnar와 Zuidema(2020, arXiv 2005.00928, 식 1). 층마다 헤드를 평균하고, 토큰의 절반은 제자리에 두고, 층을 차례로 곱합니다. 노름은 Hugging Face가 번호를 매긴 은닉 상태의 것입니다. RoFormer는 층마다 정규화하므로 노름의 차이가 작습니다. 헤드의 출력은 ‖Σ a v W‖, 곧 가중치를 곱한 값에 출력 투영 가운데 그 헤드의 부분을 곱한 것이고, 토큰에 대해 평균하며(Kobayashi 외 2020, arXiv 2004.10102의 노름), 투영의 편향은 뺍니다. 서로 반대로 쓰는 헤드는 구별하지 못합니다. 롤아웃은 값과 피드포워드 층을 무시하고 모든 헤드를 똑같이 칩니다. 정보가 올 수 있었던 곳을 보일 뿐, 실제로 쓰인 것을 보이지는 않습니다.',
  axes: { query: '받는 쪽: 쿼리 ↓', key: '주는 쪽: 키 →' },
  shortAxes: { query: '쿼리 ↓', key: '키 →' },
  token: (text, position) => `${text} ${integer(position)}`,
  mean: '모든 토큰의 평균',
  norm: ['토큰 벡터의 크기', ' ‖h‖'],
  change: ['층이 바꾸는 양', ' ‖Δh‖'],
  state: (at) => (at === 0 ? '입력' : String(at - 1)),
  layer: String,
  heads: (most) => ['헤드마다 출력의 크기', ' ‖A v W‖', `, ${decimal(most, 1)}까지`],
  layerAxis: '층 →',
  headAxis: '헤드 →',
  tooLong: (most, tokens) =>
    `롤아웃은 토큰 ${integer(most)}개까지의 텍스트에서 계산합니다. 이 텍스트의 토큰은 ${integer(tokens)}개입니다.`,
  loading: '롤아웃을 계산하는 중…',

  label: (query, cross) => `롤아웃 맵. 화살표로 ${cross ? '쿼리를' : '쿼리와 키를'} 옮깁니다. 지금 쿼리: ${query}.`,
  moved: (query, key, part) => `${query}: ${percent(part)}가 ${key}에서 옵니다`,
  movedHead: (head) => `헤드 ${headName(head)}`,
  headline: (of, own, other, part) =>
    sentence`${query(of)}: 자신에게 ${percent(own)}가 남고, ${key(other)}에서 가장 많은 ${percent(part)}가 옵니다.`,
  alone: (of) => sentence`${query(of)}: 모두 자신에게서 옵니다.`,
  line: (from, to, layer, change, head) =>
    `어텐션만으로 본 것입니다. 노름은 ${decimal(from, 1)} → ${decimal(to, 1)}이고, 가장 많이 바꾸는 층은 ${layer}층(${decimal(change, 1)})입니다. 출력이 가장 큰 헤드는 ${head}입니다.`,

  tables: { rollout: '롤아웃', norms: '노름', heads: '헤드' },
  corner: '받는 쪽 \\ 주는 쪽',
  normColumns: ['은닉 상태', '토큰', '노름', '층이 바꾼 양'],
  headColumns: ['헤드', '출력의 평균 노름'],
} satisfies Messages
