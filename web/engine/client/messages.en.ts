import { messages } from '../../i18n/messages.svelte'
import { integer, plural } from '../../i18n/numbers'

const elsewhere = 'Everything works on the CPU; larger models are slower.'

const en = {
  /** By the engine's reason: `why` completes "GPU (…)", `advice` says what it means or what to do. */
  reasons: {
    'hardware-adapter': { why: 'a hardware adapter', advice: '' },
    choice: { why: 'as you chose', advice: '' },
    'insecure-context': {
      why: 'this address is not secure, so there is no WebGPU',
      advice: `Browsers offer WebGPU on https and on localhost only. ${elsewhere}`,
    },
    'no-webgpu': {
      why: 'this browser has no WebGPU',
      advice: `Current versions of Chrome, Edge, Firefox and Safari have it on most systems. ${elsewhere}`,
    },
    'no-adapter': {
      why: 'no WebGPU adapter',
      advice: `The browser has WebGPU but found no graphics adapter: a driver is missing or blocked, or hardware acceleration is switched off in the browser’s settings. ${elsewhere}`,
    },
    'fallback-adapter': {
      why: 'the only WebGPU adapter is software',
      advice:
        'A software adapter computes on the CPU, too, and far more slowly than this page’s own CPU backend. Choose GPU to run on it all the same.',
    },
    'device-refused': {
      why: 'the GPU refused',
      advice:
        'The browser found an adapter but got no device: the GPU may be out of memory or too small. Close other pages that use it, then restart the engine.',
    },
    'wrong-numbers': {
      why: 'the GPU computes wrong numbers',
      advice:
        'A small known model gave other numbers on this adapter than on the CPU, so the page does not use it. Update the graphics driver or the browser.',
    },
    'device-lost': {
      why: 'the GPU was lost twice',
      advice: 'The driver took the GPU away twice in a row. Restart the engine to try it again.',
    },
  },
  software: 'This adapter is software: it computes on the CPU, far more slowly than the page’s own CPU backend.',
  browserSaid: (detail: string) => `The browser said: “${detail}”.`,
  threads: (count: number) =>
    `Products and attention on ${integer(count)} ${plural(count, { one: 'thread', other: 'threads' })}`,
  notIsolated: '1 thread: page not isolated',
  refused: '1 thread: the browser does not isolate the page',
  /** What went wrong: a title, and what happens now or what to do. */
  troubles: {
    load: {
      cancelled: 'Not loaded',
      failed: 'This model could not be loaded',
      stays: (model: string) => `${model} stays loaded.`,
    },
    run: 'This text could not be run',
    changedRun: 'The model could not be run with this change',
    gone: {
      title: 'This text has to be run again',
      result:
        'The engine no longer holds its result: heads and statistics that you have not opened before are missing.',
      model: 'The engine no longer holds this model. Load it again.',
    },
    writing: 'This text could not be continued',
    engine: {
      notStarted: 'The engine did not start',
      notPainted: 'The engine could not paint',
      noWebAssembly: 'This browser has no WebAssembly, which the engine needs.',
    },
    page: {
      title: 'An error occurred in the page',
      text: (error: string) =>
        `The browser said: “${error}”. If a part of the page no longer answers, reload the page: the link keeps your text and your choices. The report names the place in the code; your text is not in it.`,
    },
    silent: {
      title: 'The engine does not answer',
      text: (seconds: number) =>
        `No sign of life for more than ${integer(seconds)} seconds. It may still be at work: this notice goes away when it answers. If it stays, restart the engine (the model is read again, and your text stays) or try a shorter text.`,
    },
    silentLoad: {
      title: 'The model does not load',
      text: (seconds: number) =>
        `No data has arrived for more than ${integer(seconds)} seconds. This notice goes away when the load goes on. If it stays, check your network, or restart the engine (the model is read again, and your text stays).`,
    },
    lost: {
      title: 'The GPU was lost',
      text: 'The page opens a new GPU device and reads the model again; your text stays.',
    },
    crash: {
      restarting: {
        title: 'The engine crashed and was started again',
        text: (message: string) => `The model is read again; your text stays. The engine said: “${message}”.`,
      },
      repeated: {
        title: 'The engine crashed several times',
        text: (message: string) =>
          `It does not start again by itself. Change the text or the model, or restart the engine. It said: “${message}”.`,
      },
    },
  },
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./messages.{ko,hu}.ts'))
