/** What went wrong: a title, and what happens now or what to do. */
export const troubles = {
  load: {
    cancelled: 'Not loaded',
    failed: 'This model could not be loaded',
    stays: (model: string) => `${model} stays loaded.`,
  },
  run: 'This text could not be run',
  changedRun: 'The model could not be run with this change',
  gone: {
    title: 'This text has to be run again',
    result: 'The engine no longer holds its result: heads and statistics that were not read before are missing.',
    model: 'The engine no longer holds this model. Load it again.',
  },
  writing: 'This text could not be continued',
  engine: {
    notStarted: 'The engine did not start',
    notPainted: 'The engine could not paint',
    noWebAssembly: 'This browser has no WebAssembly, which the engine needs.',
  },
  page: {
    title: 'Something in the page failed',
    text: (error: string) =>
      `The browser said: “${error}”. If a part of the page no longer answers, reload the page: the link keeps your text and your choices. The report names the place in the code; your text is not in it.`,
  },
  silent: {
    title: 'The engine does not answer',
    text: (seconds: number) =>
      `No sign of life for more than ${seconds} seconds. It may still be at work: this notice goes away when it answers. If it stays, restart the engine (the model is read again, and your text stays) or try a shorter text.`,
  },
  silentLoad: {
    title: 'The model does not load',
    text: (seconds: number) =>
      `Nothing more of it has arrived for more than ${seconds} seconds. It may still be on its way: this notice goes away when the load goes on. If it stays, check your network, or restart the engine (the model is read again, and your text stays).`,
  },
  lost: {
    title: 'The GPU was lost',
    text: 'The page sets up another and reads the model again; your text stays.',
  },
  crash: {
    restarting: {
      title: 'The engine crashed and was started again',
      text: (said: string) => `The model is read again; your text stays. The engine said: “${said}”.`,
    },
    givenUp: {
      title: 'The engine crashed several times',
      text: (said: string) =>
        `It is not started again by itself. Change the text or the model, or restart the engine. It said: “${said}”.`,
    },
  },
}
