import type { BackendReason, EngineInfo, Failure } from './protocol'

/** What runs and why, for people. */
export interface BackendWords {
  name: 'GPU' | 'CPU'
  /** Completes "GPU: …". */
  why: string
  /** What to do about it, or what it means; may be empty. */
  advice: string
}

const reasons: Record<BackendReason, Omit<BackendWords, 'name'>> = {
  'hardware-adapter': { why: 'a hardware adapter', advice: '' },
  asked: { why: 'as you chose', advice: '' },
  'insecure-context': {
    why: 'this address is not secure, so there is no WebGPU',
    advice:
      'Browsers offer WebGPU on https and on localhost only. Everything works on the CPU; larger models are slower.',
  },
  'no-webgpu': {
    why: 'this browser has no WebGPU',
    advice:
      'Current versions of Chrome, Edge, Firefox and Safari have it on most systems. Everything works on the CPU; larger models are slower.',
  },
  'no-adapter': {
    why: 'no WebGPU adapter',
    advice:
      'The browser has WebGPU but found no graphics adapter for it: a driver is missing or blocked, or hardware acceleration is switched off in the browser’s settings. Everything works on the CPU; larger models are slower.',
  },
  'fallback-adapter': {
    why: 'the only WebGPU adapter is software',
    advice:
      'A software adapter computes on the CPU, too, and far more slowly than this page’s own CPU backend. Choose GPU to run on it all the same.',
  },
  'device-refused': {
    why: 'the GPU refused',
    advice:
      'The browser found an adapter but no device could be had: the GPU may be out of memory or too small. Close other pages that use it, then restart the engine.',
  },
  'wrong-numbers': {
    why: 'the GPU computes wrong numbers',
    advice:
      'A small known model gave other numbers on this adapter than on the CPU, so it is not used: what it showed could not be trusted. A newer graphics driver or browser may mend it.',
  },
  'device-lost': {
    why: 'the GPU was lost twice',
    advice: 'The driver took the GPU away twice in a row. Restart the engine to try it again.',
  },
}

export function backendWords(info: EngineInfo): BackendWords {
  const { why, advice } = reasons[info.reason]
  const said = info.detail ? ` The browser said: “${info.detail}”.` : ''
  const software =
    info.backend === 'gpu' && info.fallbackAdapter
      ? 'This adapter is software: it computes on the CPU, far more slowly than the page’s own CPU backend.'
      : ''
  return {
    name: info.backend === 'gpu' ? 'GPU' : 'CPU',
    why,
    advice: [advice, software].filter(Boolean).join(' ') + said,
  }
}

/** The adapter's name from what the browser tells of it; undefined where it tells nothing. */
export function adapterName(info: EngineInfo): string | undefined {
  const names = info.adapter ? [info.adapter] : [info.vendor, info.architecture]
  return names.filter(Boolean).join(' ') || undefined
}

/** Something that went wrong: what, and what happens now or what to do. */
export interface Trouble {
  title: string
  text: string
  /** Whether the same thing may work when tried again. */
  retryable: boolean
}

export function loadTrouble(failure: Failure, before: string | undefined): Trouble {
  const stays = before === undefined ? '' : ` ${before} stays loaded.`
  const title = failure.code === 'cancelled' ? 'Not loaded' : 'This model could not be loaded'
  return { title, text: failure.message + stays, retryable: failure.retryable }
}

/** `ofChange`: the text has run, but not with what is changed in the model. */
export function runTrouble(failure: Failure, ofChange = false): Trouble {
  const title = ofChange ? 'The model could not be run with this change' : 'This text could not be run'
  return { title, text: failure.message, retryable: failure.retryable }
}

export function writingTrouble(failure: Failure): Trouble {
  return { title: 'This text could not be continued', text: failure.message, retryable: failure.retryable }
}

export function engineTrouble(failure: Failure): Trouble {
  const advice = typeof WebAssembly === 'undefined' ? ' This browser has no WebAssembly, which the engine needs.' : ''
  const title = failure.code === 'wasm' ? 'The engine did not start' : 'The engine could not paint'
  return { title, text: failure.message + advice, retryable: failure.retryable }
}

export function lossTrouble(message: string): Trouble {
  const said = message ? ` The browser said: “${message}”.` : ''
  return {
    title: 'The GPU was lost',
    text: `The page sets up another and reads the model again; your text stays.${said}`,
    retryable: false,
  }
}

export function crashTrouble(message: string, restarting: boolean): Trouble {
  return {
    title: restarting ? 'The engine crashed and was started again' : 'The engine crashed several times',
    text: restarting
      ? `The model is read again; your text stays. The engine said: “${message}”.`
      : `It is not started again by itself. Change the text or the model, or restart the engine. It said: “${message}”.`,
    retryable: !restarting,
  }
}
