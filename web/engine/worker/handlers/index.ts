import type { Kind } from '../../protocol/requests'
import type { Handler } from '../handler'
import { generation } from './generation'
import { heads } from './heads'
import { lessons } from './lessons'
import { mathematics } from './mathematics'
import { measures } from './measures'
import { runs } from './runs'
import { statistics } from './statistics'

/** How each request is answered. */
export const handlers: { readonly [K in Kind]: Handler<K> } = {
  ...mathematics,
  ...lessons,
  ...runs,
  ...heads,
  ...statistics,
  ...measures,
  ...generation,
}
