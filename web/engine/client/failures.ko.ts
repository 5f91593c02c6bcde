import { integer } from '../../i18n/numbers'
import type { Failures, Phrase } from './failures.en'

const megabytes = (bytes: number) => `${integer(Math.ceil(bytes / 2 ** 20))} MB`
const bytes = (count: number) => `${integer(count)}바이트`
/** Reasons from elsewhere end without a stop. */
const sentence = (reason: string) => (/[.!?]$/.test(reason) ? reason : `${reason}.`)
const save = 'transformers로 모델을 저장하세요. save_pretrained()가 model.safetensors를 만듭니다.'

const phrases: Readonly<Record<Phrase, string>> = {
  'the weights': '가중치',
  'a copy of the weights': '가중치 사본',
  'the stored matrices': '저장한 행렬',
  'the activations': '중간 텐서',
  'an activation': '중간 텐서 하나',
  'an answer': '결과 버퍼',
  'the cache': 'KV 캐시',
  'the repetition penalty': '반복 벌점',
  fills: '예측 토큰',
  'an attention map': '어텐션 맵',
  queries: '쿼리',
  keys: '키',
  '0 or more': '0 이상',
  'from 0 (all candidates) to 64': '0(모든 후보)부터 64까지',
  'above 0 and at most 1': '0보다 크고 1 이하',
  'from 0 to 1': '0부터 1까지',
  'from 1e-20 to 1e20': '1e-20부터 1e20까지',
  'is there twice': '두 번 있음',
  'reaches out of its storage': '저장 공간을 벗어남',
  'save the model again': '모델을 다시 저장하세요',
  'download the file again': '파일을 다시 다운로드하세요',
  'save it again with tensor.contiguous(), or the model with save_pretrained()':
    'tensor.contiguous()로 다시 저장하거나 save_pretrained()로 모델을 저장하세요',
  'a zip archive without the one data.pkl that PyTorch writes': 'PyTorch의 data.pkl이 하나 들어 있지 않은 zip 파일',
  'a TorchScript archive, a program with its weights': 'TorchScript 파일: 가중치가 든 프로그램',
  'written by a big-endian machine': '빅 엔디언 기기에서 쓴 파일',
  'a state dict whose storages are parts of each other': '저장 공간이 서로 겹치는 state dict',
  'a state dict with a tensor that is conjugated or negated': '켤레나 음수로 표시된 텐서가 있는 state dict',
}
/** A fixed phrase in this language; other parameters stay as they are. */
const phrase = (text: string) => phrases[text as Phrase] ?? text

export default {
  noWorker: '워커를 시작할 수 없습니다',
  wasm: ({ reason }) => sentence(`엔진의 WebAssembly를 불러오지 못했습니다: ${reason}`),
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
  'file-not-found': ({ path }) =>
    `${path}: 찾을 수 없습니다. 모델은 config.json과 model.safetensors가 들어 있는 폴더입니다.`,
  io: ({ path, reason }) => sentence(`${path} 파일을 읽지 못했습니다: ${reason}`),
  pickle: () => '가중치 파일이 safetensors가 아니라 PyTorch 파일입니다. 이름을 pytorch_model.bin으로 바꾸세요.',
  'cut-short': ({ file = '가중치 파일', expected, found }) =>
    `${file}: 파일이 잘렸습니다. ${bytes(expected)} 가운데 ${integer(found)}바이트만 있습니다. 다시 다운로드하세요.`,
  'malformed-checkpoint': ({ file = '가중치 파일', reason }) =>
    `${file}: 읽을 수 없습니다(${reason}). 다시 다운로드하세요.`,
  'missing-tensor': ({ name }) =>
    `가중치에 이 구조가 필요로 하는 텐서 ${name}이(가) 없습니다. config.json이 같은 모델의 것인지 확인하세요.`,
  'wrong-shape': ({ name, expected, found }) =>
    `텐서 ${name}의 형태는 [${found.join(', ')}]인데 config.json에 따르면 [${expected.join(', ')}]이어야 합니다. 같은 모델의 것인지 확인하세요.`,
  'unsupported-dtype': ({ name, dtype }) =>
    `텐서 ${name}의 자료형은 ${dtype}입니다. 모델을 float32, float16, bfloat16(F32, F16, BF16) 중 하나로 저장하세요.`,
  'missing-shard': ({ index, name, others }) =>
    `${index}에 적힌 ${name} 파일이 없습니다${others > 0 ? `(그 밖에 ${integer(others)}개 더)` : ''}. 모든 파일이 있는 폴더를 여세요.`,
  index: ({ index, reason }) => `${index}은(는) 읽을 수 있는 가중치 색인이 아닙니다(${reason}). 다시 다운로드하세요.`,
  'misplaced-tensor': ({ index, tensor, file }) =>
    `${index}에 따르면 텐서 ${tensor}이(가) ${file}에 있어야 하지만 거기에 없습니다. 둘을 함께 다운로드한 것인지 확인하세요.`,
  'tensor-twice': ({ tensor, first, second }) =>
    `텐서 ${tensor}이(가) ${first}와 ${second} 양쪽에 있습니다. 둘을 함께 다운로드한 것인지 확인하세요.`,
  'several-weights': ({ names }) => `가중치로 보이는 파일이 여럿입니다(${names}). 하나만 있는 폴더를 여세요.`,
  'other-weights': ({ file, what }) =>
    `이 페이지가 읽지 않는 형식입니다: ${file}${what === undefined ? '' : ` (${phrase(what)})`}. ${save}`,
  'compressed-weights': ({ file, entry }) =>
    `${file}: 항목 ${entry}이(가) 압축되어 있습니다. PyTorch는 압축하지 않습니다. torch.save()로 다시 저장하세요.`,
  'pickle-call': ({ file, what, under }) =>
    `${file} 파일이 다음을 실행하려 합니다: ${what}${under === null ? '' : `(${under})`}. pickle에서는 텐서와 단순한 데이터만 읽으며, 아무것도 실행하지 않았습니다. 출처를 믿을 수 있으면 safetensors로 다시 저장하고, 아니면 삭제하세요.`,
  tensor: ({ file, tensor, what, remedy }) => `${file}: 텐서 ${tensor}: ${phrase(what)}. 해결 방법: ${phrase(remedy)}.`,
  'no-tensors': ({ file, keys }) =>
    `${file} 파일에 이름이 붙은 텐서가 없습니다${keys.length === 0 ? '' : `(있는 것: ${keys.join(', ')})`}. ${save}`,

  'beyond-format': ({ name, format }) =>
    `${name}에 ${format} 형식의 범위를 넘는 수가 있습니다. 가중치를 다른 형식으로 두세요.`,
  'config-not-json': ({ reason }) => sentence(`config.json이 설정을 담은 JSON 객체가 아닙니다: ${reason}`),
  'config-value': ({ key, found, expected }) => `config.json: ${key} 값 ${found}. 허용되는 값: ${expected}.`,
  unsupported: ({ key, found, supported }) =>
    `config.json: ${key} 값 ${found}은(는) 여기서 실행되지 않습니다. 지원하는 값: ${supported}.`,
  'odd-head-size': ({ hidden_size, heads, head_size }) =>
    `config.json: hidden_size ${hidden_size} / num_attention_heads ${heads} = 헤드 크기 ${head_size}(홀수)입니다. 회전에는 쌍이 필요합니다.`,
  'heads-do-not-divide': ({ hidden_size, heads }) =>
    `config.json: hidden_size ${hidden_size}은(는) num_attention_heads ${heads}(으)로 나누어떨어지지 않습니다.`,
  'key-heads-do-not-divide': ({ heads, key_heads }) =>
    `config.json: num_attention_heads ${heads}은(는) num_key_value_heads ${key_heads}(으)로 나누어떨어지지 않습니다.`,
  'unsupported-rope': ({ found }) =>
    `RoPE 유형 “${found}”은(는) 여기서 실행되지 않습니다. 지원하는 유형: default, linear, dynamic, yarn, longrope, llama3, proportional.`,
  'rope-value': ({ key, found, expected }) => `RoPE 설정: ${key} 값 ${found}. 허용되는 값: ${expected}.`,
  'rope-not-finite': () => 'RoPE 설정에서 나온 주파수가 수가 아닙니다. rope_theta와 계수를 확인하세요.',

  'id-out-of-vocabulary': ({ id, row, position, vocab_size }) =>
    `토큰 id ${id}(행 ${row}, 위치 ${position})이(가) 크기 ${integer(vocab_size)}인 어휘를 벗어납니다. 다른 모델의 토크나이저를 쓰지 않았는지 확인하세요.`,
  'token-type-out-of-range': ({ id, row, position, type_vocab_size }) =>
    `토큰 유형 ${id}(행 ${row}, 위치 ${position})이(가) 범위를 벗어납니다. 모델의 유형은 0에서 ${type_vocab_size - 1}까지입니다.`,
  'text-too-long': ({ length, longest, stretches }) =>
    `텍스트는 토큰 ${integer(length)}개로, 모델의 최대 길이 ${integer(longest)}개를 넘습니다. 텍스트를 줄이세요${stretches ? '. 또는 그 길이를 넘어 읽기를 선택하세요' : ''}.`,
  'label-out-of-vocabulary': ({ label, row, vocab_size }) =>
    `행 ${row}의 레이블 ${label}이(가) 크기 ${integer(vocab_size)}인 어휘를 벗어납니다.`,
  'invalid-input': ({ reason }) => sentence(reason),
  'empty-text': () => '텍스트가 비어 있습니다. 실행하려면 토큰이 하나 이상 필요합니다.',
  'offset-too-large': ({ offset, largest }) =>
    `위치 오프셋 ${integer(offset)}이(가) ${integer(largest)}보다 커서 각도가 정확하지 않습니다. 더 작은 값을 고르세요.`,
  'source-missing': ({ architecture }) => `${architecture} 모델은 원문이 있어야 글을 씁니다. 원문도 입력하세요.`,
  'source-unexpected': ({ architecture }) => `${architecture} 모델은 원문을 읽지 않습니다. 텍스트만 입력하세요.`,
  'not-causal': ({ architecture }) =>
    `${architecture} 모델은 인과적이지 않아 텍스트를 이어 쓰지 못합니다. 인과 언어 모델을 고르세요.`,
  'no-part': ({ architecture, part }) => `${architecture} 모델은 스택이 하나뿐이라 이 부분(${part})이 없습니다.`,
  'head-out-of-range': ({ layer, head, layers, heads }) =>
    `레이어 ${layer}, 헤드 ${head}은(는) 없습니다. 레이어는 ${layers}개, 헤드는 ${heads}개이며 0부터 셉니다.`,
  'no-rotation': ({ architecture }) =>
    `${architecture} 모델은 바꿀 수 없습니다. 쿼리와 키를 회전하는 모델에서만 바꿀 수 있습니다.`,
  'log-n': ({ n }) => `log-n의 n 값이 ${n}입니다. 1보다 큰 길이여야 합니다.`,
  'clamped-pairs': () =>
    '거리를 제한하면 행을 거꾸로 회전하므로 쌍을 고정하거나 제거한 상태에서는 쓸 수 없습니다. 둘 중 하나만 고르세요.',
  'no-softmax': () =>
    'log-n과 거리 제한은 softmax 점수를 바꾸는데 선형 어텐션에는 softmax가 없습니다. 둘 없이 실행하세요.',
  'setting-of-roformer': ({ setting, architecture }) =>
    `${setting} 설정은 RoFormer 전용인데 이 모델은 ${architecture}입니다. 이 설정 없이 실행하세요.`,
  'positions-from-table': () =>
    '이 모델은 표에 있는 위치를 임베딩에 더하므로 위치를 옮길 수 없습니다. 오프셋 없이 실행하세요.',
  'trial-size': ({ longest, largest }) =>
    `이 크기는 측정하지 않습니다. 토큰은 ${integer(longest)}개까지, 헤드 크기는 ${integer(largest)} 이하의 짝수로 정하세요.`,
  'trial-too-large': ({ length, head_size, needed, limit }) =>
    `토큰 ${integer(length)}개, 헤드 크기 ${integer(head_size)}의 저장 행렬은 ${megabytes(needed)}로, 측정할 수 있는 ${megabytes(limit)}를 넘습니다. 토큰이나 헤드 크기를 줄이세요.`,
  'no-mask': ({ mask_token }) =>
    `텍스트에 ${mask_token} 토큰이 없습니다. 예측할 단어의 자리에 ${mask_token}을(를) 넣으세요.`,
  'no-vocabulary-head': ({ architecture }) =>
    `${architecture}에는 어휘 헤드가 없어 토큰을 예측하지 않습니다. 마스크 언어 모델이나 인과 언어 모델을 선택하세요.`,
  tokenizer: ({ path, reason }) => sentence(`${path}: ${reason}`),
  'sampling-setting': ({ key, found, expected }) => `${key} 값 ${found}. 허용되는 값: ${phrase(expected)}.`,
  'no-candidates': ({ reason }) => `다음 토큰을 뽑을 수 없습니다: ${reason}. 가중치 파일이 온전한지 확인하세요.`,
  cancelled: () => '불러오기를 취소했습니다.',
  stale: () => '엔진에 이 결과가 더 이상 없습니다. 텍스트를 다시 실행하세요.',
  busy: () => '엔진이 작업 중입니다. 끝난 뒤 다시 시도하세요.',

  'no-model': () => '아직 불러온 모델이 없습니다.',
  'nothing-to-continue': () => '이어 갈 실행이 없습니다. 먼저 텍스트를 실행하세요.',
  'no-heads': () => '이 실행에는 헤드가 남아 있지 않습니다. 텍스트를 다시 실행하세요.',
  'no-contact-head': () =>
    '모델 파일에 어텐션으로 접촉을 예측하는 접촉 헤드가 없습니다. 접촉 헤드가 있는 ESM-2를 고르세요.',
  'rotation-before-feature-map': () =>
    '이 어텐션은 특징 맵보다 먼저 회전하므로 회전을 되돌릴 수 없습니다. 어텐션을 linear로 고르세요.',
  'changed-pairs': () =>
    '이 실행에서는 쌍을 고정하거나 제거했으므로 회전을 되돌릴 수 없습니다. 그 변경 없이 실행하세요.',
  'rotated-values': () =>
    '이 실행에서는 각 헤드의 출력을 쿼리 위치만큼 거꾸로 회전하므로, 출력 투영을 거친 값에는 고유한 노름이 없습니다. 값 회전 없이 실행하세요.',
  'comparison-too-large': ({ needed, limit }) =>
    `이 실행의 모든 맵과 로짓은 ${megabytes(needed)}로, 비교할 수 있는 ${megabytes(limit)}를 넘습니다. 텍스트를 줄이세요.`,
  'rollout-too-long': ({ longest, batch, length }) =>
    `롤아웃은 토큰 ${integer(longest)}개 이하의 텍스트 하나에만 쓸 수 있습니다(현재 ${integer(length)}개짜리 ${integer(batch)}건). 텍스트를 줄이세요.`,

  'no-adapter': ({ reason }) => `WebGPU 어댑터가 없습니다: ${reason}. 그래픽 드라이버를 설치하거나 CPU를 선택하세요.`,
  'device-refused': ({ reason }) => `GPU 장치를 얻지 못했습니다: ${reason}. CPU를 선택하거나 다시 시도하세요.`,
  'self-check': ({ adapter, what }) =>
    `${adapter} 어댑터의 계산이 CPU와 다릅니다(${phrase(what)}). CPU를 선택하고 이 문제를 알려 주세요.`,
  'device-lost': ({ reason }) =>
    reason === undefined ? '모델을 불러오는 동안 GPU 연결이 끊겼습니다.' : sentence(`GPU 연결이 끊겼습니다: ${reason}`),
  'out-of-memory': ({ what, needed, limit }) =>
    `${phrase(what)}: ${bytes(needed)}가 필요하지만 ${integer(limit)}바이트까지만 쓸 수 있습니다. 텍스트를 줄이거나 CPU를 선택하세요.`,
  'device-memory': ({ what, needed }) =>
    `GPU 메모리가 부족합니다: ${phrase(what)} (${bytes(needed)}). CPU를 선택하거나 더 짧은 텍스트, 더 작은 모델을 쓰세요.`,
  'memory-refused': ({ what, needed }) =>
    `${phrase(what)}: 이 기기에서 메모리 ${bytes(needed)}를 얻지 못했습니다. 텍스트를 줄이거나 더 작은 모델을 선택하세요.`,
  'too-many-maps': ({ needed, limit }) =>
    `이 텍스트에서는 헤드 하나의 맵이 ${megabytes(needed)}로, 한도 ${megabytes(limit)}를 넘습니다. 텍스트를 줄이세요.`,
  'file-too-large': ({ needed, limit }) =>
    `이 텍스트의 모든 중간값은 ${megabytes(needed)}로, 여기서 만들 수 있는 파일의 한도 ${megabytes(limit)}를 넘습니다. 텍스트를 줄이거나 명령줄로 저장하세요.`,
  'row-too-large': ({ name, bytes: needed, limit }) =>
    `${name}의 한 행은 ${bytes(needed)}로, 이 GPU가 한 번에 다루는 ${integer(limit)}바이트를 넘습니다. CPU를 선택하세요.`,
  gpu: ({ reason }) => `GPU 오류: ${reason}. CPU를 선택하고 이 문제를 알려 주세요.`,
  'shape-mismatch': ({ op, message }) => sentence(`${op}: ${message}`),
} satisfies Failures
