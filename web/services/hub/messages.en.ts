import { messages } from '../../i18n/messages.svelte'
import { integer, list, percent, plural } from '../../i18n/numbers'

const seconds = (count: number) => `${integer(count)} ${plural(count, { one: 'second', other: 'seconds' })}`
const minutes = (count: number) => `${integer(count)} ${plural(count, { one: 'minute', other: 'minutes' })}`

/** What to do where the page cannot fetch a model. */
const byHand = (page: string) =>
  `Download its files (${page}) with your own account and open their folder here, on the page Models.`

const en = {
  failures: {
    strangeAnswer: 'Unexpected answer from huggingface.co. Try again later.',
    unreachable: (why: string) =>
      `huggingface.co, or one of its download hosts, could not be reached (${why}). Check the connection and go on.`,
    noRevision: ({ owner, name, revision }: { owner: string; name: string; revision: string }) =>
      `${owner}/${name} has no revision “${revision}”: name one of its branches, tags or commits, or leave it out.`,
    gated: (name: string, page: string) =>
      `${name} is gated: only accounts that have agreed to its terms can fetch it. This page never asks for an account or a token. ${byHand(page)}`,
    missing: (name: string) => `No model ${name} on the hub, or it is private. Check the spelling.`,
    noFile: (file: string, name: string) => `${name} no longer has ${file}.`,
    busy: (wait: number | undefined) =>
      `Rate-limited by huggingface.co. Go on in ${wait === undefined ? 'a few minutes' : wait < 120 ? seconds(wait) : minutes(Math.ceil(wait / 60))}.`,
    refused: (status: number) => `huggingface.co answered ${status}. Go on later.`,
    cancellation: 'Download stopped. What has arrived stays: it goes on from there.',
    interruption: (file: string, bytes: number, size: number) =>
      `The connection broke repeatedly while fetching ${file}, the last time after ${percent(bytes / Math.max(1, size), 0)} of it. What has arrived stays: it goes on from there.`,
    otherLength: (file: string) =>
      `${file} has another length than the hub lists, so it is not stored. Go on to fetch it again.`,
    shorter: (file: string) => `${file} is shorter than the hub lists, so it is not stored. Go on to fetch it again.`,
    otherDigest: (file: string) =>
      `${file} does not match the hub’s checksum, so it is not stored. Fetch it again. If this happens again, something between the hub and this browser changes the file: try another network.`,
    noWeights: 'The hub lists no weights of this model under a name that this page knows.',
    full: 'No room left for this page on this disk. What has arrived stays: delete other models or files, then go on.',
    notWritten: (why: string) => `The browser could not store it (${why}).`,
    gone: (file: string) =>
      `${file} is no longer on this machine: another tab or the browser has deleted it. Fetch the model again by its name.`,
    fetching: 'Another tab is fetching this model. Stop it there first.',
  },
  misread: {
    form: 'Not a model name: write owner/name, as HuggingFaceTB/SmolLM2-135M.',
    host: 'Only models on huggingface.co can be fetched by their address. Open files from elsewhere from a folder.',
    kind: 'Not a model’s address: it is of a data set, a space or another part of the hub.',
  },
  /** The type and classes that config.json names. */
  kind: (modelType: string | undefined, classes: readonly string[]) =>
    [modelType, ...classes].filter(Boolean).join(', ') || 'not named in config.json',
  notRead: (kind: string, read: readonly string[]) =>
    `This page does not run ${kind}. It runs ${list(read)}. The documentation lists their classes under “Families: what runs”.`,
  noConfig: 'Its config.json cannot be read, so the kind of model is unknown.',
  /** The source of a loaded model. */
  from: (revision: string) => `huggingface.co, commit ${revision.slice(0, 10)}`,
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./messages.{ko,hu}.ts'))
