import type * as engine from '../protocol/failure'
import type { PartName } from '../protocol/parts'
import { integer } from '../../i18n/numbers'
import { hexadecimal, megabytes, numeral, withStop, wordsOf, type Failures, type Words } from './failureWords'

const bytes = (count: number) => `${integer(count)}바이트`
const save = 'transformers로 모델을 저장하세요. save_pretrained()가 model.safetensors를 만듭니다.'
const rename = '이름을 pytorch_model.bin으로 바꾸세요.'
const download = '다시 다운로드하세요.'

const allocations: Readonly<Record<engine.Allocation, string>> = {
  weights: '가중치',
  'weights-copy': '가중치 사본',
  'rotation-matrices': '저장한 행렬',
  activations: '활성값 텐서',
  activation: '활성값 텐서 하나',
  results: '결과 버퍼',
  cache: 'KV 캐시',
  'repetition-penalty': '반복 벌점',
}

const checks: Readonly<Record<engine.SelfCheckResult, string>> = {
  fills: '예측 토큰',
  'attention-map': '어텐션 맵',
  queries: '쿼리',
  keys: '키',
}

const lists: Readonly<Record<engine.InputList, string>> = {
  ids: '토큰 id',
  'attention-mask': '어텐션 마스크의 수',
  'token-types': '토큰 유형',
  'position-ids': '위치 id',
  labels: '레이블',
  bans: '금지된 id 목록',
  draws: '난수',
  sources: '원문',
}

const jsonTexts: Readonly<Record<engine.JsonText, string>> = {
  'rope-scaling': 'RoPE 스케일링',
  'sampling-settings': '샘플링 설정',
}

const jsonDefects: Words<engine.JsonDefect> = {
  syntax: ({ line, column }) => `${line}행 ${column}열의 구문이 잘못되었습니다`,
  'end-of-text': ({ line, column }) => `${line}행 ${column}열에서 너무 일찍 끝납니다`,
  'wrong-value': ({ line, column }) => `값이 빠졌거나 잘못되었습니다(${line}행 ${column}열)`,
  'duplicate-key': ({ key, line, column }) => `같은 키가 두 번 나옵니다: ${key}(두 번째는 ${line}행 ${column}열)`,
  'too-large': () => '너무 큽니다',
}

const findings: Words<engine.Found> = {
  missing: () => '없음',
  list: ({ length }) => `항목이 ${integer(length)}개인 목록`,
  object: () => '객체',
  key: ({ key }) => `키 ${key} 항목이 있는 객체`,
  'too-large': () => '너무 큼',
  value: ({ value }) => value,
}

const conditions: Words<engine.Condition> = {
  setting: ({ key, value }) => `${key} 값이 ${value}인 경우 `,
  'sliding-layers': () => '슬라이딩 윈도가 있는 층에서는 ',
}

const parts: Readonly<Record<PartName, string>> = {
  encoder: '인코더',
  decoder: '디코더',
  cross: '교차 어텐션',
}

const expectations: Words<engine.Expected> = {
  number: () => '수',
  'number-from': ({ least }) => `${numeral(least)} 이상`,
  'number-above': ({ bound }) => `${numeral(bound)}보다 큰 수`,
  'number-between': ({ least, most }) => `${numeral(least)}부터 ${numeral(most)}까지의 수`,
  'number-above-up-to': ({ bound, most }) => `${numeral(bound)}보다 크고 ${numeral(most)} 이하`,
  'more-than': ({ key }) => `${key}보다 큰 수`,
  'integer-between': ({ least, most }) => `${integer(least)}부터 ${integer(most)}까지의 정수`,
  'even-number-between': ({ least, most }) => `${integer(least)}부터 ${integer(most)}까지의 짝수`,
  'even-number': () => '짝수',
  'even-share': ({ dimensions }) => `차원 수가 짝수가 되는 비율(지금은 ${integer(dimensions)})`,
  'other-than-one': () => '1이 아닌 수(yarn은 빠른 쌍과 느린 쌍을 구별합니다)',
  flag: () => 'true 또는 false',
  text: () => '문자열',
  'text-list': () => '이름 목록',
  'id-list': () => '토큰 id 목록',
  'id-lists': () => '토큰 id 목록의 목록',
  ids: ({ most }) => `0부터 ${integer(most)}까지의 정수 또는 그런 정수의 목록`,
  'mask-token-id': () => '마스크 토큰의 id(token_dropout에 필요합니다)',
  object: () => '설정을 담은 객체',
  'object-with-object': ({ key }) => `${key} 아래에 객체가 있는 객체`,
  'label-names': ({ most }) => `번호에 레이블 이름을 짝지은 객체(${integer(most)}개 이하)`,
  'label-numbers': ({ last }) => `0부터 ${integer(last)}까지의 레이블 번호가 키로 한 번씩 있는 객체`,
  'entry-for-each-layer': () => '층마다 항목이 하나씩 있는 목록',
  'factor-for-each-pair': () => '회전하는 쌍마다 0보다 큰 수가 하나씩 있는 목록',
  'one-for-each-pair': ({ pairs }) => `항목이 ${integer(pairs)}개인 목록(회전하는 쌍마다 하나)`,
  'setting-of-one-rope': () => 'RoPE 하나의 설정(층 유형별 객체는 안 됩니다)',
  'paired-columns': ({ before, after }) =>
    `모델처럼 헤드의 열 ${integer(before)}개를 짝짓는 유형(이 유형은 ${integer(after)}개)`,
}

const forms: Words<engine.FileForm> = {
  unknown: () => 'safetensors도 PyTorch의 아카이브나 스트림도 아닌 파일',
  'zip-without-pickle': () => 'PyTorch의 data.pkl이 하나 들어 있지 않은 zip 파일',
  'misnamed-pickle': () => 'safetensors 이름이 붙은 PyTorch 파일',
  'torch-script': () => 'TorchScript 파일: 가중치가 든 프로그램',
  'big-endian': () => '빅 엔디언 기기에서 쓴 파일',
  'overlapping-storages': () => '저장소가 서로 겹치는 state dict',
  'conjugated-tensor': () => '켤레나 음수로 표시된 텐서가 있는 state dict',
  'pickle-protocol': ({ protocol }) => `프로토콜 ${protocol}의 pickle`,
  'pickle-opcode': ({ opcode, at }) =>
    `바이트 ${integer(at)} 위치에 읽을 수 없는 연산 코드(${hexadecimal(opcode)})가 있는 pickle`,
  'encrypted-entry': ({ entry }) => `암호화된 항목(${entry})이 있는 파일`,
}

const actions: Words<engine.PickleAction> = {
  'use-name': ({ name }) => `${name} 사용`,
  'make-sparse-tensor': ({ name }) => `희소 텐서 만들기(${name})`,
  'make-quantised-tensor': ({ name }) => `양자화된 텐서 만들기(${name})`,
  'make-object': ({ name }) => `${name} 객체 만들기`,
  'make-object-by-opcode': ({ opcode }) => `임의 클래스의 객체 만들기(연산 코드 ${hexadecimal(opcode)})`,
  'use-extension': () => '등록 번호로 클래스 사용',
  'call-dtype': ({ dtype }) => `자료형 호출(${dtype})`,
  'call-non-class': () => '클래스가 아닌 것 호출',
  'set-state': () => '객체의 상태 설정(BUILD)',
}

const defects: Words<engine.TensorDefect> = {
  'same-name-twice': () => '두 번 있습니다. 모델을 다시 저장하세요.',
  'outside-storage': () => '저장소를 벗어납니다. 파일을 다시 다운로드하세요.',
  'other-order': ({ shape, strides }) =>
    `수가 형태 ${shape}의 순서로 놓여 있지 않습니다(간격 ${strides}). tensor.contiguous()로 다시 저장하거나 save_pretrained()로 모델을 저장하세요.`,
}

const fileDefects: Words<engine.FileDefect> = {
  'no-header': () => 'safetensors 헤더로 시작하지 않습니다',
  'header-not-json': ({ defect }) => `헤더가 텐서를 적은 JSON이 아닙니다: ${wordsOf(jsonDefects, defect)}`,
  'tensor-type': ({ tensor }) => `텐서 ${tensor}의 dtype이 자료형 이름이 아닙니다`,
  'tensor-place': ({ tensor }) => `텐서 ${tensor}의 바이트가 다른 것과 겹치거나, 틈을 남기거나, 시작보다 먼저 끝납니다`,
  'tensor-size': ({ tensor, bytes: count, shape, dtype }) =>
    `텐서 ${tensor}의 크기 ${bytes(count)}가 형태 [${shape.join(', ')}], 자료형 ${dtype}에 맞지 않습니다`,
  'reserved-name': () => 'safetensors가 예약한 이름 __metadata__를 쓰는 텐서가 있습니다',
  'trailing-bytes': ({ bytes: count }) => `끝부분의 ${bytes(count)} 이상이 어느 텐서에도 속하지 않습니다`,
  'too-large': () => '가중치 파일에 들어갈 수 있는 것보다 많은 것을 적고 있습니다',
  'shared-numbers': ({ most }) => `텐서들이 같은 수를 함께 써서 모두 합치면 파일의 ${integer(most)}배를 넘습니다`,
  'broken-pickle': () => 'pickle이 잘렸거나 PyTorch가 쓰는 형식과 다릅니다',
  'zip-directory': () => '압축 파일의 목록이 없거나 손상되었습니다',
  'zip-entry': ({ entry }) => `다른 항목과 겹치거나 길이가 목록과 다른 항목이 있습니다: ${entry}`,
  twice: ({ name }) => `두 번 나오는 이름이 있습니다: ${name}`,
  'missing-storage': ({ storage }) => `없는 저장소가 있습니다: ${storage}`,
  'storage-length': ({ storage }) => `저장소 ${storage}의 길이가 적힌 것과 다릅니다`,
  'storage-without-tensor': ({ storage }) => `어느 텐서에도 속하지 않는 저장소가 있습니다: ${storage}`,
}

const indexDefects: Words<engine.IndexDefect> = {
  'not-json': ({ defect }) => `JSON이 아닙니다: ${wordsOf(jsonDefects, defect)}`,
  'too-large': () => '어떤 모델보다도 많은 텐서를 적고 있습니다',
  'no-weight-map': () => 'weight_map에 텐서가 하나도 없습니다',
  'other-name': ({ name }) => `옆에 있는 가중치 파일의 이름이 아닙니다: ${name}`,
}

export default {
  noWorker: '워커를 시작할 수 없습니다',
  unworded: (code) => `엔진이 알린 오류: “${code}”. 엔진과 페이지의 버전이 다릅니다. 페이지를 새로 고치세요.`,
  wasm: ({ reason }) => withStop(`엔진의 WebAssembly를 불러오지 못했습니다: ${reason}`),
  restarted: () => '엔진이 다시 시작되었습니다.',
  'no-engine': () =>
    '실행 중인 엔진이 없습니다. 시작되지 않았거나 여러 번 비정상 종료되었습니다. 엔진을 다시 시작하세요.',
  'too-many-angles': ({ positions, pairs, limit }) =>
    `위치 ${integer(positions)}개 × 쌍 ${integer(pairs)}개는 각도 ${integer(limit)}개를 넘습니다.`,
  'invalid-distance': ({ distance }) =>
    `거리 한도로 ${String(distance)} 값을 쓸 수 없습니다. 0 이상의 토큰 수를 정수로 입력하세요.`,

  'no-files': () =>
    '파일이 없습니다. config.json, 가중치(model.safetensors 또는 PyTorch 파일), tokenizer.json 또는 vocab.txt가 들어 있는 폴더를 선택하세요.',
  'missing-config': () =>
    '모델의 크기를 알려 주는 config.json이 없습니다. 폴더 전체를 열거나 가중치와 함께 선택하세요.',
  'missing-tokenizer': ({ marian }) =>
    marian
      ? '폴더에 Marian의 source.spm, target.spm, vocab.json이 있지만 이 페이지는 이 파일들을 읽지 않습니다. 소스 코드의 training/marian_tokenizer.py로 tokenizer.json을 만든 뒤 폴더를 다시 여세요.'
      : 'tokenizer.json도 vocab.txt도 없어 텍스트를 토큰으로 나눌 수 없습니다. 둘 중 하나가 있는 폴더를 여세요.',
  'sharded-weights': ({ name }) =>
    `${name} 파일은 가중치의 일부이며, 전체 목록(model.safetensors.index.json)이 없습니다. 폴더 전체를 여세요.`,
  'missing-weights': ({ name }) =>
    name === undefined
      ? '폴더에 가중치가 없습니다. model.safetensors도 PyTorch 파일도 없습니다. config.json과 가중치가 함께 있는 폴더를 여세요.'
      : `가중치가 ${name} 파일에 있습니다. 이름을 model.safetensors로 바꾸고 폴더를 다시 여세요.`,
  'missing-file': ({ name, path }) =>
    path === undefined
      ? `연 파일 가운데 ${name} 파일이 없습니다.`
      : `${path}에서 ${name} 파일을 찾지 못했습니다. 페이지와 함께 게시되었는지 확인하세요.`,
  'fetch-failed': ({ name = '이런 가중치를 읽는 페이지 코드', status, reason = '' }) =>
    status === undefined
      ? `다운로드 실패: ${name} (${reason}). 연결을 확인하고 다시 시도하세요.`
      : `다운로드 실패: ${name}. 서버 응답: ${status}.`,
  'read-failed': ({ name, reason }) =>
    `${name} 파일을 끝까지 읽지 못했습니다(${reason}). 다시 시도하거나 파일을 새로 여세요.`,
  pickle: () => `가중치 파일이 safetensors가 아니라 PyTorch 파일입니다. ${rename}`,
  truncated: ({ file = '가중치 파일', expected, found }) =>
    `${file}: 파일이 잘렸습니다. ${bytes(expected)} 가운데 ${integer(found)}바이트만 있습니다. ${download}`,
  'malformed-checkpoint': ({ file = '가중치 파일', defect }) =>
    `${file}: 읽을 수 없습니다(${wordsOf(fileDefects, defect)}). ${defect.kind === 'shared-numbers' ? save : download}`,
  'missing-tensor': ({ name }) =>
    `이 아키텍처에 필요한 텐서가 가중치에 없습니다: ${name}. config.json이 같은 모델의 것인지 확인하세요.`,
  'wrong-shape': ({ name, expected, found }) =>
    `텐서 ${name}의 형태는 [${found.join(', ')}]인데 config.json에 따르면 [${expected.join(', ')}]이어야 합니다. 같은 모델의 것인지 확인하세요.`,
  'unsupported-dtype': ({ name, dtype }) =>
    `텐서 ${name}의 자료형은 ${dtype}입니다. 모델을 float32, float16, bfloat16(F32, F16, BF16) 중 하나로 저장하세요.`,
  'missing-shard': ({ index, name, others }) =>
    `${index}에 적힌 ${name} 파일이 없습니다${others > 0 ? `(그 밖에 ${integer(others)}개 더)` : ''}. 모든 파일이 있는 폴더를 여세요.`,
  'invalid-index': ({ index, defect }) =>
    `${index} 파일은 읽을 수 있는 가중치 색인이 아닙니다(${wordsOf(indexDefects, defect)}). 다시 다운로드하세요.`,
  'misplaced-tensor': ({ index, tensor, file }) =>
    `${index} 파일에 따르면 ${file} 파일에 있어야 할 텐서가 거기에 없습니다: ${tensor}. 둘을 함께 다운로드한 것인지 확인하세요.`,
  'tensor-twice': ({ tensor, first, second }) =>
    `${first}, ${second} 두 파일에 같은 텐서가 있습니다: ${tensor}. 둘을 함께 다운로드한 것인지 확인하세요.`,
  'several-weights': ({ names }) => `가중치로 보이는 파일이 여럿입니다(${names}). 하나만 있는 폴더를 여세요.`,
  'other-weights': ({ file, what }) =>
    `이 페이지가 읽지 않는 형식입니다: ${file} (${wordsOf(forms, what)}). ${what.kind === 'misnamed-pickle' ? rename : save}`,
  'compressed-weights': ({ file, entry }) =>
    `${file}: 압축된 항목이 있습니다(${entry}). PyTorch는 압축하지 않습니다. torch.save()로 다시 저장하세요.`,
  'pickle-call': ({ file, what, under }) =>
    `${file} 파일이 다음을 실행하려 합니다: ${wordsOf(actions, what)}${under === null ? '' : `(${under})`}. pickle에서는 텐서와 단순한 데이터만 읽으며, 아무것도 실행하지 않았습니다. 출처를 믿을 수 있으면 safetensors로 다시 저장하고, 아니면 삭제하세요.`,
  'invalid-tensor': ({ file, tensor, defect }) => `${file}: 텐서 ${tensor}: ${wordsOf(defects, defect)}`,
  'no-tensors': ({ file, keys }) =>
    `${file} 파일에 이름이 붙은 텐서가 없습니다${keys.length === 0 ? '' : `(있는 것: ${keys.join(', ')})`}. ${save}`,
  'beyond-format': ({ name, format }) =>
    `${name}에 ${format} 형식의 범위를 넘는 수가 있습니다. 가중치를 다른 형식으로 두세요.`,
  'config-not-json': ({ defect }) => `config.json이 설정을 담은 JSON 객체가 아닙니다: ${wordsOf(jsonDefects, defect)}.`,
  'invalid-config-value': ({ key, found, expected }) =>
    `config.json: ${key} 값 ${wordsOf(findings, found)}. 허용되는 값: ${wordsOf(expectations, expected)}.`,
  unsupported: ({ key, found, condition, supported }) =>
    `config.json: ${key}의 값이 ${condition === null ? '' : wordsOf(conditions, condition)}여기서 실행되지 않습니다: ${wordsOf(findings, found)}. 지원하는 값: ${supported}.`,
  'odd-head-size': ({ hidden_size, heads, head_size }) =>
    `config.json: hidden_size ${hidden_size} / num_attention_heads ${heads} = 헤드 크기 ${head_size}(홀수)입니다. 회전에는 쌍이 필요합니다.`,
  'heads-do-not-divide': ({ hidden_size, heads }) =>
    `config.json: hidden_size(${hidden_size})가 num_attention_heads(${heads})로 나누어떨어지지 않습니다.`,
  'key-heads-do-not-divide': ({ heads, key_heads }) =>
    `config.json: num_attention_heads(${heads})가 num_key_value_heads(${key_heads})로 나누어떨어지지 않습니다.`,
  'unsupported-rope': ({ found }) =>
    `이 RoPE 유형은 여기서 실행되지 않습니다: “${found}”. 지원하는 유형: default, linear, dynamic, yarn, longrope, llama3, proportional.`,
  'invalid-rope-value': ({ key, found, expected }) =>
    `RoPE 설정: ${key} 값 ${wordsOf(findings, found)}. 허용되는 값: ${wordsOf(expectations, expected)}.`,
  'rope-not-finite': () => 'RoPE 설정에서 나온 주파수가 수가 아닙니다. rope_theta와 계수를 확인하세요.',

  'id-out-of-vocabulary': ({ id, row, position, vocab_size }) =>
    `행 ${row}, 위치 ${position}의 토큰 id가 크기 ${integer(vocab_size)}인 어휘를 벗어납니다: ${id}. 다른 모델의 토크나이저를 쓰지 않았는지 확인하세요.`,
  'token-type-out-of-range': ({ id, row, position, type_vocab_size }) =>
    `행 ${row}, 위치 ${position}의 토큰 유형이 범위를 벗어납니다: ${id}. 모델의 유형은 0에서 ${type_vocab_size - 1}까지입니다.`,
  'text-too-long': ({ length, longest, stretches }) =>
    `텍스트는 토큰 ${integer(length)}개로, 모델의 최대 길이 ${integer(longest)}개를 넘습니다. 텍스트를 줄이세요${stretches ? '. 또는 그 길이를 넘어 읽기를 선택하세요' : ''}.`,
  'label-out-of-vocabulary': ({ label, row, vocab_size }) =>
    `행 ${row}의 레이블이 크기 ${integer(vocab_size)}인 어휘를 벗어납니다: ${label}.`,
  'wrong-count': ({ list, found, expected }) =>
    `${lists[list]} 개수가 맞지 않습니다. ${integer(expected)}개가 필요하지만 ${integer(found)}개가 있습니다.`,
  'invalid-mask': ({ row, position }) =>
    `어텐션 마스크의 행 ${row}, 위치 ${position}에 있는 값이 0도 1도 아닙니다. 토큰에는 1, 패딩에는 0을 넣으세요.`,
  'only-padding': ({ row }) => `텍스트의 행 ${row}에는 패딩만 있습니다. 토큰을 하나 이상 넣으세요.`,
  'position-out-of-range': ({ id, length }) =>
    `위치 id는 길이 ${integer(length)}보다 작아야 하는데 ${id}입니다. 위치는 0부터 셉니다.`,
  'row-out-of-range': ({ row, tokens }) =>
    `예측할 행의 번호가 토큰 ${integer(tokens)}개를 벗어납니다: ${row}. 행은 0부터 셉니다.`,
  'top-k-out-of-range': ({ top_k, most }) =>
    `top-k 값이 ${integer(top_k)}입니다. 한 행의 예측 개수이며 1부터 ${integer(most)}까지여야 합니다.`,
  'no-labels': () => '레이블이 없습니다. 손실을 계산하려면 레이블이 하나 이상 필요합니다.',
  'no-texts': () => '텍스트가 없습니다. 실행하려면 텍스트가 하나 이상 필요합니다.',
  'empty-text': () => '텍스트가 비어 있습니다. 실행하려면 토큰이 하나 이상 필요합니다.',
  'offset-too-large': ({ offset, largest }) =>
    `위치 오프셋(${integer(offset)})이 ${integer(largest)}보다 커서 각도가 정확하지 않습니다. 더 작은 값을 고르세요.`,
  'source-missing': ({ architecture }) => `${architecture} 모델은 인코더–디코더입니다. 원문도 입력하세요.`,
  'source-unexpected': ({ architecture }) => `${architecture} 모델은 원문을 읽지 않습니다. 텍스트만 입력하세요.`,
  'not-causal': ({ architecture }) =>
    `${architecture} 모델은 인과적이지 않아 텍스트를 이어 쓰지 못합니다. 인과 언어 모델을 고르세요.`,
  'no-part': ({ architecture, part }) =>
    `${architecture} 모델은 인코더–디코더가 아니어서 이 부분(${parts[part]})이 없습니다.`,
  'head-out-of-range': ({ part, layer, head, layers, heads }) =>
    `${parts[part]}에 ${layer}층 ${head}번 헤드는 없습니다. 층은 ${layers}개, 헤드는 ${heads}개이며 0부터 셉니다.`,
  'no-rotation': ({ architecture }) =>
    `${architecture} 모델은 쿼리와 키를 회전하지 않으므로 이 변경을 적용할 수 없습니다.`,
  'invalid-intervention': ({ text }) =>
    `변경을 나타내는 말이 아닙니다: “${text}”. layer.2.head[6,*,*]=zero처럼 위치에 zero, mean, frozen, rotated, log-n:N, clamp:W, 유한한 수 중 하나를 지정하세요.`,
  'wrong-replacement': ({ site, numbers }) =>
    `${site}에는 이 대체를 쓸 수 없습니다. frozen과 zero는 layer.N.query.rotated[head,*,pairs]에, zero와 mean은 layer.N.head[head,row,*]에, rotated는 layer.*.value에, log-n은 layer.*.query.rotated에, clamp는 layer.*.score에, 유한한 수와 zero는 ${numbers}에 쓰세요.`,
  'pairs-out-of-range': ({ first, last, pairs }) =>
    `쌍 ${first}부터 ${last}까지는 범위가 아닙니다. ${pairs}보다 작은 번호로 첫 쌍과 마지막 쌍을 차례로 정하세요.`,
  'unknown-site': ({ text }) =>
    `위치 이름이 아닙니다: “${text}”. layer.2.query나 attentions.0처럼 순전파의 텐서 이름을 쓰세요.`,
  'invalid-site-index': ({ text, axes }) =>
    `위치 이름이 아닙니다: “${text}”. 색인에는 항목이 ${axes}개 필요하며, 각 항목은 수, *, 또는 p0-3 같은 쌍입니다.`,
  'site-out-of-range': ({ site, layers }) => `그런 위치가 없습니다: ${site}. 모델의 층은 ${layers}개입니다.`,
  'site-row-out-of-range': ({ site, length }) =>
    `그런 위치가 없습니다: ${site}. 텍스트의 토큰은 ${length}개입니다. 행은 0부터 세세요.`,
  'no-such-tensor': ({ site }) =>
    `이 모델에 없는 텐서입니다: ${site}. 모든 모델에 각 정규화와 그 평균, 게이트, 소프트맥스, 위치·유형 임베딩, 토큰별 로짓과 확률이 있는 것은 아닙니다.`,
  'unsupported-tap': ({ site, taps }) => `실행이 보관하는 텐서가 아닙니다: ${site}. 텐서 전체만 보관합니다: ${taps}.`,
  'invalid-log-n': ({ n }) => `log-n의 n 값이 ${n}입니다. 1보다 큰 길이여야 합니다.`,
  'clamped-distances-with-changed-pairs': () =>
    '쌍을 고정하거나 제거한 상태에서는 거리 한도를 쓸 수 없습니다. 둘 중 하나만 고르세요.',
  'no-softmax': () =>
    'log-n과 거리 한도는 소프트맥스의 점수를 바꾸는데 선형 어텐션에는 소프트맥스가 없습니다. 둘 없이 실행하세요.',
  'setting-of-roformer': ({ setting, architecture }) =>
    `${setting} 설정은 RoFormer 전용인데 이 모델은 ${architecture}입니다. 이 설정 없이 실행하세요.`,
  'positions-from-table': () =>
    '이 모델은 표에 있는 위치를 임베딩에 더하므로 위치를 옮길 수 없습니다. 오프셋 없이 실행하세요.',
  'trial-size-out-of-range': ({ longest, largest }) =>
    `이 크기는 측정하지 않습니다. 토큰은 ${integer(longest)}개까지, 헤드 크기는 ${integer(largest)} 이하의 짝수로 정하세요.`,
  'trial-too-large': ({ length, head_size, needed, limit }) =>
    `토큰 ${integer(length)}개, 헤드 크기 ${integer(head_size)}의 저장 행렬은 ${megabytes(needed)}로, 측정할 수 있는 ${megabytes(limit)}를 넘습니다. 토큰이나 헤드 크기를 줄이세요.`,
  'no-variants': () => '이 모델은 파일에서 읽지 않아 변형에 필요한 config.json이 없습니다. 파일에서 불러오세요.',
  'weights-not-loaded': () => '이 설정에 필요한 가중치를 불러오지 않았습니다. 이 설정으로 모델을 불러오세요.',
  'invalid-json': ({ text, defect }) => `${jsonTexts[text]}: JSON이 아닙니다: ${wordsOf(jsonDefects, defect)}.`,
  'no-room-for-tokens': ({ max_length, prompt }) =>
    `토큰 ${integer(max_length)}개까지인 텍스트에는 처음의 토큰 ${integer(prompt)}개 뒤에 더 쓸 자리가 없습니다. 최대 길이를 늘리세요.`,
  'text-ended': () => '텍스트가 끝났습니다. 끝난 뒤에는 더 쓸 수 없습니다.',
  'no-mask': ({ mask_token }) => `텍스트에 ${mask_token} 토큰이 없습니다. 예측할 단어의 자리에 그 토큰을 넣으세요.`,
  'no-vocabulary-head': ({ architecture }) =>
    `${architecture}에는 어휘에 대한 출력 헤드가 없어 토큰을 예측하지 않습니다. 마스크 언어 모델이나 인과 언어 모델을 선택하세요.`,
  'invalid-sampling-setting': ({ key, found, expected }) =>
    `${key} 값 ${wordsOf(findings, found)}. 허용되는 값: ${wordsOf(expectations, expected)}.`,
  'no-candidates': () => '텍스트의 규칙이 모든 토큰을 금지하여 다음 토큰이 남지 않습니다. 일부를 허용하세요.',
  'logits-not-finite': () =>
    '로짓이 유한한 수가 아니어서 다음 토큰을 뽑을 수 없습니다. 가중치 파일이 온전한지 확인하세요.',
  cancelled: () => '불러오기를 취소했습니다.',
  stale: () => '엔진에 이 결과가 더 이상 없습니다. 텍스트를 다시 실행하세요.',
  busy: () => '엔진이 작업 중입니다. 끝난 뒤 다시 시도하세요.',

  'no-model': () => '아직 불러온 모델이 없습니다.',
  'nothing-to-continue': () => '이어 갈 실행이 없습니다. 먼저 텍스트를 실행하세요.',
  'no-heads': () => '이 실행에는 헤드가 남아 있지 않습니다. 텍스트를 다시 실행하세요.',
  'no-contact-head': () =>
    '모델 파일에 어텐션으로 접촉을 예측하는 접촉 헤드가 없습니다. 접촉 헤드가 있는 ESM-2를 고르세요.',
  'rotation-before-feature-map': () =>
    '이 어텐션은 특징 함수보다 먼저 회전하므로 회전을 되돌릴 수 없습니다. 선형 어텐션을 고르세요.',
  'rotation-of-changed-pairs': () =>
    '이 실행에서는 쌍을 고정하거나 제거했으므로 회전을 되돌릴 수 없습니다. 그 변경 없이 실행하세요.',
  'no-norm-of-rotated-values': () =>
    '값이 회전하는 동안에는 출력 투영을 거친 값의 노름이 정의되지 않습니다. 값 회전 없이 실행하세요.',
  'comparison-too-large': ({ needed, limit }) =>
    `이 실행의 모든 맵과 로짓은 ${megabytes(needed)}로, 비교할 수 있는 ${megabytes(limit)}를 넘습니다. 텍스트를 줄이세요.`,
  'different-shapes': ({ name, before, now }) =>
    `${name}의 형태가 한 실행에서는 [${before.join(', ')}], 다른 실행에서는 [${now.join(', ')}]입니다. 크기가 같은 실행을 비교하세요.`,
  'layers-out-of-range': ({ part, first, last, layers }) =>
    `${parts[part]}에 ${first}층부터 ${last}층까지는 없습니다. 층은 ${layers}개이며 0부터 셉니다.`,
  'mean-of-no-head': () => '평균 맵에는 헤드가 하나 이상 필요합니다. 헤드를 고르세요.',
  'mean-of-several-parts': () => '평균 맵에는 한 부분의 헤드만 쓸 수 있습니다. 부분마다 따로 고르세요.',
  'rollout-of-cross-attention': () =>
    '롤아웃은 텍스트가 자신에게 보내는 어텐션을 따라가므로 교차 어텐션에는 쓸 수 없습니다. 인코더나 디코더를 고르세요.',
  'norms-of-several-texts': ({ batch }) =>
    `노름은 텍스트 하나에만 구합니다(현재 ${integer(batch)}건). 텍스트 하나만 실행하세요.`,
  'no-picture': () => '실행 전에는 그림이 없습니다. 먼저 텍스트를 실행하세요.',
  'no-gpu-painter': () => 'CPU에는 GPU로 그리는 기능이 없습니다. CPU 그리기를 고르세요.',
  'unknown-name': ({ enumeration, names }) => `${enumeration}에 없는 이름입니다. 쓸 수 있는 이름: ${names}.`,
  'rollout-too-long': ({ longest, batch, length }) =>
    `롤아웃은 토큰 ${integer(longest)}개 이하의 텍스트 하나에만 쓸 수 있습니다(현재 ${integer(length)}개짜리 ${integer(batch)}건). 텍스트를 줄이세요.`,

  'site-of-many-numbers': ({ site, axes }) =>
    `${site}에는 숫자가 여러 개 있습니다. 축마다 0부터 센 인덱스를 하나씩 지정하세요: [${axes}].`,
  'site-index-out-of-range': ({ site, axis, size }) =>
    `그런 위치가 없습니다: ${site}. ${axis} 값은 ${integer(size)}보다 작아야 합니다.`,
  'not-explained': ({ site }) => `${site}의 숫자에는 설명이 없습니다. 다른 텐서의 숫자를 고르세요.`,
  'explains-one-text': ({ texts }) =>
    `설명은 텍스트 하나의 숫자에만 있습니다(현재 ${integer(texts)}건). 텍스트를 하나만 넣으세요.`,
  'explanation-too-large': () => '이 깊이의 설명에는 숫자가 너무 많습니다. 깊이를 줄이세요.',
  'explains-no-interventions': () =>
    '모든 변경이 숫자를 넣거나 뉴런을 끄기만 할 때 숫자에 설명이 있고, 잔차 스트림을 바꾸는 변경이 없을 때 로짓에 항이 있습니다. 다른 변경을 되돌리세요.',

  'no-adapter': ({ reason }) => `WebGPU 어댑터가 없습니다: ${reason}. 그래픽 드라이버를 설치하거나 CPU를 선택하세요.`,
  'software-adapter': ({ adapter }) => `소프트웨어 어댑터(${adapter})는 CPU보다 느립니다. CPU를 선택하세요.`,
  'no-f16': ({ device }) =>
    `${device}에는 키와 값을 저장할 16비트 부동소수점(shader-f16)이 없습니다. 캐시를 f32로 두세요.`,
  'device-refused': ({ reason }) => `GPU 장치를 얻지 못했습니다: ${reason}. CPU를 선택하거나 다시 시도하세요.`,
  'self-check-failed': ({ adapter, what }) =>
    `${adapter} 어댑터의 계산이 CPU와 다릅니다(${checks[what]}). CPU를 선택하고 이 문제를 알려 주세요.`,
  'device-lost': ({ reason }) =>
    reason === undefined ? '모델을 불러오는 동안 GPU 연결이 끊겼습니다.' : withStop(`GPU 연결이 끊겼습니다: ${reason}`),
  'out-of-memory': ({ what, needed, limit }) =>
    `${allocations[what]}: ${bytes(needed)}가 필요하지만 ${integer(limit)}바이트까지만 쓸 수 있습니다. 텍스트를 줄이거나 CPU를 선택하세요.`,
  'device-out-of-memory': ({ what, needed }) =>
    `GPU 메모리가 부족합니다: ${allocations[what]} (${bytes(needed)}). CPU를 선택하거나 더 짧은 텍스트, 더 작은 모델을 쓰세요.`,
  'memory-refused': ({ what, needed }) =>
    `${allocations[what]}: 이 기기에서 메모리 ${bytes(needed)}를 얻지 못했습니다. 텍스트를 줄이거나 더 작은 모델을 선택하세요.`,
  'too-many-maps': ({ needed, limit }) =>
    `이 텍스트에서는 헤드 하나의 맵이 ${megabytes(needed)}로, 한도 ${megabytes(limit)}를 넘습니다. 텍스트를 줄이세요.`,
  'file-too-large': ({ needed, limit }) =>
    `이 텍스트의 모든 활성값은 ${megabytes(needed)}로, 여기서 만들 수 있는 파일의 한도 ${megabytes(limit)}를 넘습니다. 텍스트를 줄이거나 명령줄로 저장하세요.`,
  'sites-too-large': ({ needed, limit }) =>
    `이 숫자들의 텐서는 ${megabytes(needed)}로, 한도 ${megabytes(limit)}를 넘습니다. 텍스트를 줄이세요.`,
  'row-too-large': ({ name, bytes: needed, limit }) =>
    `${name}의 한 행은 ${bytes(needed)}로, 이 GPU가 한 번에 다루는 ${integer(limit)}바이트를 넘습니다. CPU를 선택하세요.`,
  'canvas-refused': () => 'GPU가 이 캔버스에 그릴 수 없습니다. 페이지를 새로 고치거나 CPU를 선택하세요.',
  gpu: ({ reason }) => `GPU 오류: ${reason}. CPU를 선택하고 이 문제를 알려 주세요.`,
  internal: ({ reason }) => `엔진의 오류입니다: ${reason}. 이 문제를 알려 주세요.`,
  'shape-mismatch': ({ op, message }) => `엔진의 오류입니다: ${op}: ${message}. 이 문제를 알려 주세요.`,
} satisfies Failures
