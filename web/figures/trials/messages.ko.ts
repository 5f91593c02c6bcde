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
  measure: '이 기기에서 측정',
  again: '다시 측정',
  stop: '멈춤',
  idle: '따로 띄운 엔진에서 백엔드를 하나씩 차례로 측정합니다.',
  now: (backend, kind, length, headSize) =>
    `${backend}: ${kind}, 토큰 ${integer(length)}개, 크기 ${integer(headSize)}인 헤드`,
  missing: (backend) => `${backend}: 이 브라우저에는 없어서 측정할 것이 없습니다.`,
  ended: (backend, kind, length, reason, seconds) =>
    `${backend}, ${kind}: 토큰 ${integer(length)}개 앞에서 끝납니다. ${reason === undefined ? `${integer(seconds)}초가 넘게 걸릴 것이기 때문입니다.` : `이유: ${reason}`}`,
  fitted: (label, exponent) => `${label} ∝ T^${significant(Math.round(exponent * 100) / 100, 3)}`,
  axis: '토큰 T, 로그',
  milliseconds: '밀리초, 로그',
  memory: '메모리',
  nothing: '아직 측정하지 않았습니다.',
  table: '측정값',
  columns: ['백엔드', '방식', '토큰', '헤드 크기', '밀리초'],
  rotations: {
    help: '같은 회전을 저장한 행렬로, 코사인과 사인으로, 투영 안에서. 수는 같고 비용은 다릅니다.',
    source: `RoFormer(Su 외 2021, arXiv 2104.09864) 식 15와 34. 이 크기의 헤드 네 개를 투영하고 돌립니다. 시간은 둘을 합친 것이고, 바이트는 회전에 쓰이는 것입니다. 행렬은 거의 모두 0인 수 T·d·d개, 코사인과 사인은 T·d개입니다. GPU에서 바인딩 하나에 들어가지 않는 행렬은 나누어 묶습니다. 자주 인용되는 어느 글은 행렬로 11시간 40분, 효율적인 계산법으로 4시간 학습했다고 적었습니다. 이것은 통제된 비교가 아니었습니다. 글쓴이 스스로 그사이 프로그램의 다른 느린 부분도 고쳤다고 했고, 기기도 배치도 실행 횟수도 밝히지 않았습니다. 계산법만의 차이는 이 그림에서 측정합니다. 그 차이는 길이, 헤드 크기, 기기에 달려 있으며, 모델 전체에서는 시간의 대부분이 다른 데 쓰입니다.`,
    size: '헤드 크기',
    bytes: '회전에 쓰이는 바이트',
    headline: (deviation, count) => ({
      title: deviation
        ? `세 방법은 같은 수를 줍니다. 차이는 최대 ${significant(deviation, 1)}입니다.`
        : '세 방법은 마지막 자리까지 같은 수를 줍니다.',
      line: `회전을 포함한 투영을 ${integer(count)}번 측정했습니다.`,
    }),
  },
  lengths: {
    help: '소프트맥스는 모든 토큰을 모든 토큰과 비교합니다. 선형 어텐션은 키와 값을 한 번 더해 두고 모든 쿼리가 그 합을 읽습니다.',
    source: `RoFormer(Su 외 2021, arXiv 2104.09864) 식 19, Katharopoulos 외 2020(arXiv 2006.16236)을 따릅니다. 크기 64인 헤드 네 개와 그 회전이며, 모든 토큰이 서로를 보고, 투영과 피드포워드는 없습니다. 지수는 각 선의 긴 쪽 절반에 최소제곱으로 맞춥니다. 짧은 텍스트에서는 시간의 대부분이 부대 비용입니다. 맵을 저장하지 않으므로 소프트맥스는 시간은 제곱으로, 메모리는 길이에 비례해 듭니다. 헤드 하나의 맵을 만들려면 수 T²개가 들고, 토큰 4,096개까지입니다. 5초가 넘게 걸릴 단계 앞에서 선이 끝납니다. 둘 가운데 하나로 학습한 모델의 성능을 측정하는 것은 아닙니다.`,
    bytes: '차지하는 바이트',
    headline: ({ softmax, linear }) => {
      const [one, other] = [softmax.milliseconds, linear.milliseconds]
      return {
        title: `토큰 ${integer(softmax.length)}개에 소프트맥스는 ${milliseconds(one)}, 선형 어텐션은 ${milliseconds(other)}가 걸립니다.`,
        line: `${backends[softmax.backend]}: ${one > other ? `소프트맥스가 ${decimal(one / other, 1)}배의 시간이 걸립니다` : `선형 어텐션이 ${decimal(other / one, 1)}배의 시간이 걸립니다`}.`,
      }
    },
  },
} satisfies Messages
