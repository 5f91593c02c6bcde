import { failure, isFailure, textOf } from './failure'
import type { Failure, ModelSource, TokenizerFiles } from './protocol'

/** A model's files on their way: the small ones come first, so that pipelines can be compiled while the weights arrive. */
export interface IncomingModel {
  config: Promise<string>
  tokenizer: Promise<TokenizerFiles>
  weights: Promise<Uint8Array>
  /** heads.json, what training/describe_heads.py writes beside a model; undefined where there is none. Never rejects. */
  describedHeads: Promise<string | undefined>
}

export type Progress = (file: string, loaded: number, total: number) => void

const configName = 'config.json'
export const weightsName = 'model.safetensors'
const tokenizerName = 'tokenizer.json'
const vocabularyName = 'vocab.txt'
const tokenizerConfigName = 'tokenizer_config.json'
const specialTokensName = 'special_tokens_map.json'
const headsName = 'heads.json'

/** Begins to read a model. Its promises reject with a Failure. */
export function openSource(source: ModelSource, progress: Progress, signal: AbortSignal): IncomingModel {
  const incoming =
    source.kind === 'url' ? fromUrl(source.base, progress, signal) : fromFiles(source.files, progress, signal)
  // Whoever awaits one of them hears of it; the others must not count as unhandled.
  for (const promise of Object.values(incoming)) (promise as Promise<unknown>).catch(() => {})
  return incoming
}

function fromUrl(base: string, progress: Progress, signal: AbortSignal): IncomingModel {
  const fetchText = async (name: string) => new TextDecoder().decode(await fetchFile(base, name, progress, signal))
  const fetchPerhaps = (name: string) =>
    fetchFile(base, name, () => {}, signal).then(
      (bytes) => new TextDecoder().decode(bytes),
      () => undefined,
    )
  const tokenizer: Promise<TokenizerFiles> = fetchText(tokenizerName).then(
    (text) => ({ tokenizer: text }),
    async (error: unknown) => {
      if (isFailure(error) && error.code === 'missing-file') return { vocabulary: await fetchText(vocabularyName) }
      throw error
    },
  )
  return {
    config: fetchText(configName),
    tokenizer: withNames(tokenizer, fetchPerhaps),
    weights: fetchFile(base, weightsName, progress, signal),
    describedHeads: fetchPerhaps(headsName),
  }
}

/** Adds what names a tokenizer's special tokens: old folders have the second file alone, and a model may come without both. */
async function withNames(
  tokenizer: Promise<TokenizerFiles>,
  readPerhaps: (name: string) => Promise<string | undefined>,
): Promise<TokenizerFiles> {
  const [files, config] = await Promise.all([tokenizer, readPerhaps(tokenizerConfigName)])
  return { ...files, config, specialTokens: config === undefined ? await readPerhaps(specialTokensName) : undefined }
}

async function fetchFile(base: string, name: string, progress: Progress, signal: AbortSignal): Promise<Uint8Array> {
  const url = new URL(name, base)
  let response: Response
  try {
    response = await fetch(url, { signal })
  } catch (error) {
    if (signal.aborted) throw cancelled()
    throw failure(
      'fetch-failed',
      `${name} could not be fetched (${textOf(error)}). Check the connection and try again.`,
      true,
    )
  }
  // Some servers answer a missing file with a page.
  if (response.status === 404 || response.headers.get('content-type')?.startsWith('text/html')) {
    throw failure(
      'missing-file',
      `${name} was not found at ${url.pathname}. Check that it was published with the page.`,
      true,
    )
  }
  if (!response.ok || !response.body) {
    throw failure(
      'fetch-failed',
      `${name} could not be fetched: the server answered ${response.status}.`,
      response.status >= 500,
    )
  }
  // A compressed answer's length is not the file's.
  const total = response.headers.get('content-encoding') ? 0 : Number(response.headers.get('content-length') ?? 0)
  return collect(response.body, name, total, progress, signal)
}

function fromFiles(files: readonly File[], progress: Progress, signal: AbortSignal): IncomingModel {
  const read = (file: File) => collect(file.stream(), file.name, file.size, progress, signal)
  const readText = async (file: File) => new TextDecoder().decode(await read(file))
  try {
    const readPerhaps = (file: File | undefined) =>
      file ? readText(file).catch(() => undefined) : Promise.resolve(undefined)
    const chosen = chooseFiles(files.map((file) => ({ path: file.webkitRelativePath || file.name, file })))
    return {
      config: readText(chosen.config.file),
      tokenizer: withNames(
        chosen.tokenizer
          ? readText(chosen.tokenizer.file).then((tokenizer) => ({ tokenizer }))
          : readText(chosen.vocabulary.file).then((vocabulary) => ({ vocabulary })),
        (name) => readPerhaps(name === tokenizerConfigName ? chosen.tokenizerConfig?.file : chosen.specialTokens?.file),
      ),
      weights: read(chosen.weights.file),
      describedHeads: readPerhaps(chosen.heads?.file),
    }
  } catch (error) {
    const rejected = Promise.reject(error)
    return { config: rejected, tokenizer: rejected, weights: rejected, describedHeads: Promise.resolve(undefined) }
  }
}

/** Reads a stream to its end, saying how far it is. `total` 0: not known. */
async function collect(
  stream: ReadableStream<Uint8Array>,
  name: string,
  total: number,
  progress: Progress,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const reader = stream.getReader()
  const stop = () => void reader.cancel().catch(() => {})
  signal.addEventListener('abort', stop)
  let bytes = new Uint8Array(total || 65_536)
  let loaded = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (signal.aborted) throw cancelled()
      if (done) break
      if (loaded + value.length > bytes.length) {
        const larger = new Uint8Array(Math.max(bytes.length * 2, loaded + value.length))
        larger.set(bytes)
        bytes = larger
      }
      bytes.set(value, loaded)
      loaded += value.length
      progress(name, loaded, Math.max(total, loaded))
    }
  } catch (error) {
    if (signal.aborted) throw cancelled()
    throw failure(
      'read-failed',
      `${name} could not be read to its end (${textOf(error)}). Try again, or open the files anew.`,
      true,
    )
  } finally {
    signal.removeEventListener('abort', stop)
  }
  return bytes.subarray(0, loaded)
}

function cancelled(): Failure {
  return failure('cancelled', 'Loading was cancelled.', true)
}

interface Named {
  path: string
}

interface Small<F> {
  heads: F | undefined
  tokenizerConfig: F | undefined
  specialTokens: F | undefined
}

type Chosen<F> = { config: F; weights: F } & Small<F> &
  ({ tokenizer: F; vocabulary?: F } | { tokenizer?: undefined; vocabulary: F })

/**
 * Which of the files that a visitor opened make up the model: those of the folder nearest to the top that holds config.json.
 * @throws {Failure} that says what is missing and what to do.
 */
export function chooseFiles<F extends Named>(files: readonly F[]): Chosen<F> {
  if (files.length === 0) {
    throw failure(
      'no-files',
      'No files were opened. Choose a folder that holds config.json, model.safetensors and tokenizer.json or vocab.txt.',
    )
  }
  const depth = (file: F) => file.path.split('/').length
  const named = (name: string) => files.filter((file) => baseName(file) === name).sort((a, b) => depth(a) - depth(b))
  const folder = folderOf(named(configName)[0] ?? named(weightsName)[0])
  const here = files.filter((file) => folder === undefined || folderOf(file) === folder)
  const find = (name: string) => here.find((file) => baseName(file) === name)

  const weights = find(weightsName)
  if (!weights) throw missingWeights(here)
  const config = find(configName)
  if (!config) {
    throw failure(
      'missing-config',
      'config.json is missing: it tells the sizes of the model. Open the whole folder, or choose it together with model.safetensors.',
    )
  }
  const tokenizer = find(tokenizerName)
  const small = {
    heads: find(headsName),
    tokenizerConfig: find(tokenizerConfigName),
    specialTokens: find(specialTokensName),
  }
  if (tokenizer) return { config, weights, tokenizer, ...small }
  const vocabulary = find(vocabularyName)
  if (vocabulary) return { config, weights, vocabulary, ...small }
  throw failure(
    'missing-tokenizer',
    'Neither tokenizer.json nor vocab.txt is there, so text cannot be turned into tokens. Open the folder with one of them in it.',
  )
}

/** What to do about weights in a form this page does not read. */
function missingWeights(files: readonly Named[]): Failure {
  const names = files.map(baseName)
  const again = 'Run this once in its folder and open the folder again:'
  const merge =
    "python3 -c \"from transformers import RoFormerForMaskedLM as M; M.from_pretrained('.').save_pretrained('.', max_shard_size='100GB')\""
  if (names.some((name) => /^model-\d+-of-\d+\.safetensors$|\.safetensors\.index\.json$/.test(name))) {
    return failure(
      'sharded-weights',
      `The weights are in several files; this page reads one model.safetensors. Merge them once, in their folder, with the class of transformers that fits, and open it again: ${merge}`,
    )
  }
  const pickled = names.find((name) => /\.(bin|pt|pth|ckpt)$/.test(name))
  if (pickled) {
    const convert = `python3 -c "import torch, safetensors.torch as s; s.save_file({k: v.clone().contiguous() for k, v in torch.load('${pickled}', map_location='cpu', weights_only=True).items()}, 'model.safetensors', metadata={'format': 'pt'})"`
    return failure(
      'pickled-weights',
      `${pickled} is a PyTorch pickle, which can run code, so this page does not open it. ${again} ${convert}`,
    )
  }
  const other = names.find((name) => /\.(h5|msgpack|onnx|gguf)$/.test(name) || /\.ckpt(\.|$)/.test(name))
  if (other)
    return failure(
      'other-weights',
      `${other} is in a format this page does not read. Save the model with transformers: save_pretrained() writes model.safetensors.`,
    )
  const tensors = names.find((name) => name.endsWith('.safetensors'))
  if (tensors) {
    return failure(
      'missing-weights',
      `The weights are in ${tensors}; rename it to model.safetensors and open the folder again.`,
    )
  }
  return failure(
    'missing-weights',
    'model.safetensors is missing: the folder holds no weights. Open the folder that has it beside config.json.',
  )
}

function baseName(file: Named): string {
  return file.path.slice(file.path.lastIndexOf('/') + 1)
}

function folderOf(file: Named | undefined): string | undefined {
  return file?.path.slice(0, Math.max(0, file.path.lastIndexOf('/')))
}
