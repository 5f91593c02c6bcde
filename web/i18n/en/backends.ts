const elsewhere = 'Everything works on the CPU; larger models are slower.'

/** What runs and why. */
export const backends = {
  /** By the reason that the engine gives: why completes "GPU: …", advice says what to do about it, or what it means. */
  reasons: {
    'hardware-adapter': { why: 'a hardware adapter', advice: '' },
    asked: { why: 'as you chose', advice: '' },
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
      advice: `The browser has WebGPU but found no graphics adapter for it: a driver is missing or blocked, or hardware acceleration is switched off in the browser’s settings. ${elsewhere}`,
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
  },
  software: 'This adapter is software: it computes on the CPU, far more slowly than the page’s own CPU backend.',
  browserSaid: (detail: string) => `The browser said: “${detail}”.`,
}
