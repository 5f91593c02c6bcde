import { code, english, englishLink, key, link, linkToEnglish, query, sentence } from '../../i18n/rich'
import type { Messages, Sections } from './messages.en'

const sections: Sections = {
  what: {
    title: '이 페이지는',
    paragraphs: [
      sentence`ropescope는 회전 위치 임베딩(RoPE)을 쓰는 실제 트랜스포머를 브라우저에서 실행합니다. RoPE가 시작된 RoFormer와 그 뒤의 Llama, Mistral, Qwen2, Qwen3, Gemma 3, GPT-NeoX, ModernBERT, ESM-2, 그리고 위치를 더하는 인코더–디코더(Marian, BART, Pegasus)입니다. 헤드마다 어디를 보는지, 왜 보는지, 그 가운데 얼마가 회전인지를 보여 줍니다. 엔진은 Rust로 작성해 WebAssembly로 컴파일했으며, GPU가 있으면 WebGPU로, 없으면 CPU로 계산합니다. 둘의 결과는 같습니다.`,
      sentence`층, 헤드, 위치, 주파수 쌍은 0부터 세며 ${code('[CLS]')}의 위치는 0입니다. 어디서나 ${query('쿼리는 파란색')}, ${key('키는 주황색')}입니다.`,
    ],
  },
  privacy: {
    title: '개인정보',
    paragraphs: [
      sentence`이 페이지 뒤에는 서버가 없습니다. 페이지는 파일 묶음일 뿐입니다. 텍스트와 모델은 이 기기에서 읽고 계산하며 어디에도 보내지 않습니다. 허브에서 모델을 받도록 직접 요청하지 않는 한 다른 사이트에 아무 요청도 보내지 않습니다. 요청하면 huggingface.co와 그 다운로드 서버는 어떤 모델을 받는지와 네트워크 주소를 알게 되지만, 모델로 무엇을 하는지는 알지 못합니다. 페이지의 보안 정책이 그 밖의 사이트와의 연결을 막으며, 계정, 토큰, 쿠키는 보내지 않습니다. 선택한 것(모델, 텍스트, 헤드, 토큰, 모델의 변경)은 주소의 ${code('#')} 뒤에 담깁니다. 브라우저가 결코 전송하지 않는 부분이며, 링크로 상태를 되살릴 수 있습니다. 링크를 받은 사람은 그 안의 텍스트를 읽을 수 있습니다.`,
      sentence`이 브라우저는 선택한 테마, 언어, 백엔드, 그리고 올바르게 계산하는 그래픽 어댑터를 기억합니다. 페이지와 사용한 기본 제공 모델은 오프라인에서 쓸 수 있게 저장됩니다. 엔진 메뉴에서 그 크기를 확인하고 삭제할 수 있습니다. 허브에서 받은 모델도 ‘모델’에서 삭제할 때까지 저장되며, 브라우저에 임의로 지우지 말라고 한 번 요청합니다. 그 밖에는 텍스트도, 내 파일의 모델도 저장하지 않습니다.`,
    ],
  },
  source: {
    title: '소스 코드와 명령줄',
    paragraphs: [
      sentence`같은 엔진을 Vulkan, Metal, DirectX 12 또는 CPU에서 바로 실행할 수 있습니다. 소스 코드 폴더에서 ${code('cargo install --path . --locked')}를 실행하면 ${code('ropescope')} 프로그램이 만들어집니다. 뷰마다 ${code('더 보기')} 아래에 그 숫자를 계산하는 명령이 있습니다. ${code('ropescope run')}은 모델의 모든 활성값을 Hugging Face의 이름으로 safetensors 파일에 저장합니다.`,
    ],
  },
  embed: {
    title: '내 페이지에 넣기',
    paragraphs: [
      sentence`탐색기에서 뷰의 제목마다 있는 ${code('퍼가기')}는 지금 보는 헤드를 다른 페이지에 넣는 코드를 줍니다. ${code('<rope-attention>')} 요소와 몇 줄의 JavaScript이며, 크기와 한계도 함께 나옵니다. 둘 다 같은 패키지에 들어 있고, 그 파일은 이 페이지의 ${code('embed')} 폴더에 있습니다. 패키지는 방문자의 브라우저나 Node에서 모델을 실행하며 다른 코드가 필요 없습니다.`,
    ],
  },
  sources: {
    title: '출처',
    list: [
      sentence`Jianlin Su, Yu Lu, Shengfeng Pan, Ahmed Murtadha, Bo Wen, Yunfeng Liu: ${englishLink('RoFormer: Enhanced Transformer with Rotary Position Embedding', 'https://arxiv.org/abs/2104.09864')}, 2021. 식 번호는 이 논문을 따릅니다.`,
      sentence`Jianlin Su의 ${link('회전 위치 임베딩에 관한 글', 'https://kexue.fm/archives/8265')}(중국어). 논문 그림 2의 코드가 있습니다.`,
      sentence`Hugging Face ${link('transformers의 모델', 'https://github.com/huggingface/transformers/tree/main/src/transformers/models')}. 이 페이지의 엔진을 그 수치와 비교해 시험하며, 모델 각 부분의 이름도 그것을 따릅니다.`,
      sentence`Federico Barbero 외: ${englishLink('Round and Round We Go! What makes Rotary Positional Encodings useful?', 'https://arxiv.org/abs/2410.06205')}, 2024. 빠른 쌍은 위치 헤드를 이루고, 느린 쌍은 의미를 담는다고 추측합니다.`,
      sentence`Pengcheng He 외: ${link('DeBERTa', 'https://arxiv.org/abs/2006.03654')}, 2020. 예문 두 개는 “deep”과 “learning”의 가깝고 먼 거리에 대한 이 논문의 관찰에서 왔습니다.`,
    ],
  },
  cite: {
    title: '인용 방법',
    paragraphs: [
      sentence`ropescope가 연구에 도움이 되었다면 버전과 함께 인용해 주세요. 방법은 위의 RoFormer를 인용하세요. 소스 코드의 ${code('CITATION.cff')} 파일에도 같은 내용이 있습니다.`,
    ],
  },
  licence: {
    title: '라이선스',
    paragraphs: [
      sentence`ropescope는 자유 소프트웨어이며 MIT 라이선스와 Apache 라이선스 2.0 가운데 선택할 수 있습니다. 식은 SIL Open Font License를 따르는 STIX Two Math의 일부로 표시합니다. 기본 제공 모델은 저작권이 만료된 책으로 학습했으며, 자세한 내용은 models 폴더의 설명에 있습니다.`,
    ],
  },
}

export default {
  title: '소개',
  sections,
  cited: ({ authors, title, version }) =>
    sentence`${english(`${authors}: ${title}`)}. 버전 ${version}. 컴퓨터 소프트웨어.`,
  archive: (file) =>
    sentence`이 페이지의 소스 코드: ${link(file, file)}. 페이지와 함께 있는 모델과 시험용 기준값은 들어 있지 않습니다.`,
  docs: (href) =>
    sentence`${linkToEnglish('문서', href)}(영어)에는 페이지, 명령줄, 패키지의 사용법과 링크에 담기는 값의 뜻, 그리고 전체가 작동하는 방식이 나와 있습니다.`,
  repository: (href) => sentence`소스 코드: ${link(href.replace(/^https:\/\//, ''), href)}.`,
} satisfies Messages
