import { integer, list, percent, plural } from '../numbers'
import { code, link, sentence } from '../rich'

const seconds = (count: number) => `${integer(count)} ${plural(count, { one: 'second', other: 'seconds' })}`
const minutes = (count: number) => `${integer(count)} ${plural(count, { one: 'minute', other: 'minutes' })}`

/** What can be done where the page cannot fetch a model itself. */
const byHand = (page: string) =>
  `Get its files there (${page}) with your own account and open their folder here, under Open your own.`

const failures = {
  strangeAnswer: 'The hub’s answer is not what was expected of it. Try again later.',
  unreachable: (why: string) =>
    `huggingface.co, or a host that it sends downloads on to, could not be reached (${why}). Check the connection and go on.`,
  noRevision: ({ owner, name, revision }: { owner: string; name: string; revision: string }) =>
    `${owner}/${name} has no revision “${revision}”: name one of its branches, tags or commits, or leave it out.`,
  gated: (name: string, page: string) =>
    `${name} is gated: its owner gives it only to accounts that have agreed to its terms. This page never asks for an account or a token. ${byHand(page)}`,
  missing: (name: string) => `There is no model ${name} on the hub, or it is private. Check how the name is written.`,
  noFile: (file: string, name: string) => `${name} has no ${file} any more.`,
  busy: (wait: number | undefined) =>
    wait === undefined
      ? 'The hub answers no more questions from here for now: there were too many. Go on in a few minutes.'
      : `The hub answers no more questions from here for now: there were too many. Go on in ${wait < 120 ? seconds(wait) : minutes(Math.ceil(wait / 60))}.`,
  refused: (status: number) => `The hub answered ${status}. Go on later.`,
  stopped: 'Fetching was stopped. What has come stays: it goes on from there.',
  cut: (file: string, bytes: number, size: number) =>
    `The connection broke again and again in ${file}, at last after ${percent(bytes / Math.max(1, size), 0)} of it. What has come stays: it goes on from there.`,
  otherLength: (file: string) =>
    `${file} comes in another length than the hub lists, so it is not kept. Go on to fetch it anew.`,
  shorter: (file: string) => `${file} is shorter than the hub lists, so it is not kept. Go on to fetch it anew.`,
  otherDigest: (file: string) =>
    `${file} does not match the checksum that the hub lists, so it was not kept. Fetch it again. If this happens again, something between the hub and this browser changes the file: try another network.`,
  noWeights: 'The hub lists no weights of this model under a name that this page knows.',
  full: 'There is no more room for this page on this disk. What has come stays: delete other models or files, then go on.',
  notWritten: (why: string) => `The browser could not keep it (${why}).`,
  gone: (file: string) =>
    `${file} is no longer on this machine: another tab or the browser has deleted it. Fetch the model again by its name.`,
  fetching: 'Another tab is fetching this model. Stop it there first.',
}

export const hub = {
  failures,
  byName: {
    title: 'By name, from the hub',
    lead: sentence`The name of a model on ${link('huggingface.co', 'https://huggingface.co/models')}, as ${code('owner/name')}, with a revision if you like (${code('owner/name@refs/pr/1')}), or the address of its page. Looking it up asks the hub for its sizes, licence and config; its weights are fetched only when you say so.`,
    field: 'Name of a model on huggingface.co',
    placeholder: 'owner/name',
    look: 'Look it up',
    misread: {
      form: 'That is no name of a model: write owner/name, as HuggingFaceTB/SmolLM2-135M.',
      host: 'Only models on huggingface.co can be fetched by their address. Files from elsewhere can be opened from a folder.',
      kind: 'That is no model’s address: it is of a data set, a space or another part of the hub.',
    },
  },
  card: {
    /** What is known of a model, in one place for the link, the name and the shelf. */
    label: (name: string) => `${name}, on the hub`,
    fromLink: 'This link names a model on huggingface.co. Nothing has been asked of the hub yet.',
    chosen: 'Nothing has been asked of the hub yet.',
    usually: (size: string, licence: string) => `${size}, licence ${licence}, as the shelf has it.`,
    look: 'Ask huggingface.co for its sizes and licence',
    asking: 'Asking huggingface.co …',
    stop: 'Stop',
    notNow: 'Not now',
    ownInstead: 'Open the page’s own model instead',
    dismiss: 'Dismiss',
    fact: {
      revision: 'revision',
      kind: 'model',
      licence: 'licence',
      files: 'files',
      toFetch: 'to fetch',
    },
    commit: (revision: string, commit: string) =>
      revision === commit ? commit.slice(0, 10) : `${revision}, now ${commit.slice(0, 10)}`,
    kind: (modelType: string | undefined, classes: readonly string[]) =>
      [modelType, ...classes].filter(Boolean).join(', ') || 'not named in config.json',
    noLicence: 'none is named: ask its owner before you use it',
    file: (path: string, size: string) => `${path} ${size}`,
    ofThem: (there: string, all: string) => `${there} of ${all} are here`,
    all: 'all of it is here',
    notRead: (kind: string, read: readonly string[]) =>
      `This page does not run ${kind}. It runs ${list(read)}, as the classes that README.md lists.`,
    noConfig: 'Its config.json cannot be read, so it is not known what this model is.',
    refused: 'It cannot be opened here.',
    large: 'That is a lot for a page: whether the weights fit into memory is known only when they are opened.',
    little: (room: string) => `The browser has room for about ${room} more.`,
    forgets: 'This browser keeps no files for this page: what is fetched is there until the tab is closed.',
    page: 'Its page on huggingface.co',
    fetch: (bytes: string) => `Fetch ${bytes} and open it`,
    goOn: (bytes: string) => `Go on: ${bytes} are missing`,
    again: 'Try again',
    open: 'Open it',
    waiting: 'Another tab is fetching this model: this one waits, and opens it when it is there.',
    fetching: (file: string) => `${file} is on its way:`,
    bytes: (there: string, all: string) => `${there} of ${all}`,
    progress: (file: string) => `Bytes of ${file}`,
    total: 'All files',
  },
  kept: {
    title: 'Kept on this machine',
    lead: (bytes: string, count: number) =>
      `${bytes} of ${integer(count)} ${plural(count, { one: 'model', other: 'models' })} from the hub: what is whole opens without a network.`,
    at: (revisions: readonly string[], commit: string) =>
      list([...revisions.filter((revision) => revision !== commit), `commit ${commit.slice(0, 10)}`]),
    part: (there: string, all: string) => `${there} of ${all}`,
    isLoaded: 'loaded',
    open: (name: string) => `Open ${name}`,
    goOn: (name: string) => `Go on fetching ${name}`,
    remove: (name: string) => `Delete ${name}`,
    openIt: 'Open',
    goOnIt: 'Go on',
    removeIt: 'Delete',
  },
  shelf: {
    title: 'A shelf of small models',
    lead: 'Models on the hub for what this page shows, by family. A click on a name asks before anything is fetched. Sizes are of the weights alone, as the hub’s pages listed them in 2024 and 2025.',
    columns: { model: 'model', size: 'size', licence: 'licence', look: 'what to look at' },
    size: (megabytes: number, exact: boolean) => `${exact ? '' : 'about '}${integer(megabytes)} MB`,
    gated: 'gated',
    noLicence: 'no licence named',
    families: {
      roformer: 'RoFormer',
      llama: 'Llama',
      mistral: 'Mistral',
      qwen2: 'Qwen2',
      qwen3: 'Qwen3',
      gpt_neox: 'GPT-NeoX',
      esm: 'ESM-2',
      modernbert: 'ModernBERT',
      gemma3_text: 'Gemma 3',
    } as Readonly<Record<string, string>>,
    looks: {
      'junnyu/roformer_small_generator@refs/pr/1':
        'English, and a RoFormer: mask a word, and stand its heads beside the bundled model’s',
      'junnyu/roformer_chinese_char_small': 'Chinese by character, 6 layers of 6 heads: which look at the neighbours',
      'HuggingFaceTB/SmolLM2-135M': '30 layers, three query heads to a key: sort its heads by what they do, in Points',
      'M4-ai/TinyMistral-248M-v3': 'a Mistral small enough for a page: where a token comes from, in Flow',
      'Qwen/Qwen2.5-0.5B': 'base 1,000,000: how little the slow pairs turn, in Distance',
      'Qwen/Qwen3-0.6B': 'queries and keys get a norm before they turn: how constant they are, in Distance',
      'EleutherAI/pythia-14m': 'only a quarter of each head turns: mute it, and see what is left',
      'EleutherAI/pythia-70m': 'write a phrase twice, and sort its heads by induction',
      'EleutherAI/pythia-160m': 'trained on the same text as 70m: stand the two side by side in Compare',
      'facebook/esm2_t6_8M_UR50D': 'proteins, a residue a token, 6 layers of 20 heads: opens in a moment',
      'facebook/esm2_t12_35M_UR50D': 'proteins: maps of late heads hold which residues touch',
      'answerdotai/ModernBERT-base': 'layers with a window and layers without, each kind with its own base',
      'google/gemma-3-270m': 'a window of 512 tokens in five layers of six, each kind with its own base',
    } as Readonly<Record<string, string>>,
  },
  /** Where a loaded model came from. */
  from: (revision: string) => `huggingface.co, commit ${revision.slice(0, 10)}`,
}
