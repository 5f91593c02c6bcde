import { decimal, integer, significant } from '../../i18n/numbers'
import type { Messages } from './messages.en'

const backends = { gpu: 'GPU (WebGPU)', cpu: 'CPU (WebAssembly)' }
const milliseconds = (value: number) => `${significant(value, 3)} ms`

export default {
  backends,
  kinds: {
    blocks: '저장한 행렬',
    elementwise: '코사인과 사인',
    fused: '투영 안에서',
    softmax: '소프트맥스',
    map: '소프트맥스와 맵 하나',
    linear: '선형',
  },
  measure: '이 기기에서 재기',
  again: '다시 재기',
  stop: '멈춤',
  idle: '따로 띄운 엔진에서 백엔드를 하나씩 차례로 잰다.',
  now: (backend, kind, length, headSize) =>
    `${backend}: ${kind}, 토큰 ${integer(length)}개, 크기 ${integer(headSize)}인 헤드`,
  missing: (backend) => `${backend}: 이 브라우저에는 없어서 잴 것이 없다.`,
  ended: (backend, kind, length, reason, seconds) =>
    `${backend}, ${kind}: 토큰 ${integer(length)}개 앞에서 끝난다. ${reason === undefined ? `${integer(seconds)}초가 넘게 걸릴 것이기 때문이다.` : `까닭: ${reason}`}`,
  fitted: (label, exponent) => `${label} ∝ T^${significant(Math.round(exponent * 100) / 100, 3)}`,
  axis: '토큰 T, 로그',
  milliseconds: '밀리초, 로그',
  memory: '메모리',
  nothing: '아직 재지 않았다.',
  table: '잰 것',
  columns: ['백엔드', '방식', '토큰', '헤드 크기', '밀리초'],
  rotations: {
    help: '같은 회전을 저장한 행렬로, 코사인과 사인으로, 투영 안에서. 수는 같고 비용은 다르다.',
    source: `RoFormer(Su 외 2021, arXiv 2104.09864) 식 15와 34. 이 크기의 헤드 네 개를 투영하고 돌린다. 시간은 둘을 합친 것이고, 바이트는 회전에 쓰이는 것이다. 행렬은 거의 모두 0인 수 T·d·d개, 코사인과 사인은 T·d개이다. GPU에서 바인딩 하나에 들어가지 않는 행렬은 나누어 묶는다. 자주 옮겨지는 어느 글은 행렬로 11시간 40분, 효율적인 꼴로 4시간 학습했다고 적는다. 이것은 통제된 비교가 아니었다. 글쓴이 스스로 그사이 프로그램의 다른 느린 부분도 고쳤다고 했고, 기기도 배치도 실행 횟수도 밝히지 않았다. 꼴 하나의 값어치는 여기서 재는 그것이다. 길이와 헤드 크기와 기기에 달려 있고, 모델 전체에서는 시간의 대부분이 다른 데 쓰인다.`,
    size: '헤드 크기',
    bytes: '회전에 쓰이는 바이트',
    headline: (deviation, count) => ({
      title: deviation
        ? `세 방법은 같은 수를 준다. 차이는 최대 ${significant(deviation, 1)}이다.`
        : '세 방법은 마지막 자리까지 같은 수를 준다.',
      line: `회전을 포함한 투영을 ${integer(count)}번 쟀다.`,
    }),
  },
  lengths: {
    help: '소프트맥스는 모든 토큰을 모든 토큰과 비교한다. 선형 어텐션은 키와 값을 한 번 더해 두고 모든 쿼리가 그 합을 읽는다.',
    source: `RoFormer(Su 외 2021, arXiv 2104.09864) 식 19, Katharopoulos 외 2020(arXiv 2006.16236)을 따른다. 크기 64인 헤드 네 개와 그 회전이며, 모든 토큰이 서로를 보고, 투영과 피드포워드는 없다. 지수는 각 선의 긴 쪽 절반에 최소제곱으로 맞춘다. 짧은 글은 대부분 부대 비용이다. 맵을 저장하지 않으므로 소프트맥스는 시간은 제곱으로, 메모리는 길이에 비례해 든다. 헤드 하나의 맵을 만들려면 수 T²개가 들고, 토큰 4,096개까지이다. 5초가 넘게 걸릴 단계 앞에서 선이 끝난다. 둘로 학습한 모델의 값어치를 재는 것은 아니다.`,
    bytes: '잡고 있는 바이트',
    headline: ({ softmax, linear }) => {
      const [one, other] = [softmax.milliseconds, linear.milliseconds]
      return {
        title: `토큰 ${integer(softmax.length)}개에 소프트맥스는 ${milliseconds(one)}, 선형 어텐션은 ${milliseconds(other)}가 걸린다.`,
        line: `${backends[softmax.backend]}: ${one > other ? `소프트맥스가 ${decimal(one / other, 1)}배 걸린다` : `선형 어텐션이 ${decimal(other / one, 1)}배 걸린다`}.`,
      }
    },
  },
} satisfies Messages
