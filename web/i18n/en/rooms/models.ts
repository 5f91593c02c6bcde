// The room Models': fetched with it.
import { integer, plural } from '../../numbers'
import { code, sentence } from '../../rich'

const tokens = (count: number) => `${integer(count)} ${plural(count, { one: 'token', other: 'tokens' })}`

export const models = {
  title: 'Models',
  none: 'No model is loaded',
  loaded: 'is loaded: the Explorer shows its heads.',
  fact: {
    class: 'class',
    layers: 'layers',
    heads: 'heads a layer',
    keyHeads: 'key and value heads',
    headSize: 'head size',
    hiddenSize: 'hidden size',
    embeddingSize: 'embedding size',
    innerSize: 'inner size',
    vocabulary: 'vocabulary',
    longest: 'longest text',
    parameters: 'parameters',
    attention: 'attention',
    rotatesValues: 'rotates values, too',
    describedHeads: 'described heads',
    from: 'came from',
  },
  tokens,
  attention: { causal: 'to earlier tokens only', both: 'in both directions' },
  yes: 'yes',
  no: 'no',
  noHeadsFile: 'no heads.json',
  overBook: (book: string) => `over ${book}`,
  from: { files: 'your files, read in this browser only', url: 'this site' },
  bundled: 'Comes with this page',
  notebook: {
    name: 'roformer-notebook',
    described:
      'The RoFormer that a Hungarian notebook writes in plain PyTorch, in its own sizes: 77,509,632 parameters, drawn at random in this browser and trained by no one. Its rotary table is rounded to bf16.',
    open: 'Draw and open it',
    failed: 'Its tokenizer could not be fetched.',
  },
  isLoaded: 'loaded',
  load: (name: string) => `Load ${name}`,
  own: 'Open your own',
  ownFiles: sentence`A model as Hugging Face’s transformers saves it: a folder with ${code('config.json')}, weights, and ${code('tokenizer.json')} or ${code('vocab.txt')}, and ${code('heads.json')} if its heads have been described. It is read in this browser and sent nowhere.`,
  kinds: [
    [
      'Models',
      'RoFormer and ModernBERT with their heads, ESM-2; Llama, Mistral, Qwen2, Qwen3, Gemma 3 and GPT-NeoX (Pythia) as causal language models; Marian, BART and Pegasus as encoder–decoders; each of them without a head, too',
    ],
    [
      'Weights',
      'safetensors, in one file or in several with their index; PyTorch’s .bin, .pt and .pth, of which tensors are read and nothing is run; f32, f16 and bf16',
    ],
    ['Tokenizers', 'WordPiece, byte-level BPE, BPE that falls back to bytes, Unigram, and ESM’s residues'],
  ] as const,
  pickFolder: 'Choose a folder',
  pickFiles: 'Choose files',
  orDrop: 'or drop a folder or its files anywhere on this page',
}
