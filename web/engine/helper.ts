// A worker that helps the engine's with products. It runs nothing of the engine.

import { help, type Helping } from './product'

// `self` as a worker sees it; the page's types know it as a window.
const scope = self as unknown as {
  postMessage(message: 'ready'): void
  onmessage: (event: MessageEvent<Helping>) => void
}

scope.onmessage = ({ data }) => help(data)
scope.postMessage('ready')
