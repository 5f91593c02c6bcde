import { flushSync } from 'svelte'
import { expect, it } from 'vitest'
import { leaveEdition, openEdition } from './edition.svelte'
import { integer, list, plural } from './numbers'

it('numbers, plurals and lists that were written follow the language of the edition', async () => {
  const written: string[] = []
  const end = $effect.root(() => {
    $effect(() => void written.push(`${integer(8192)} ${plural(1, 'one', 'other')} ${list(['a', 'b', 'c'])}`))
  })
  flushSync()
  await openEdition('hu')
  flushSync()
  leaveEdition()
  flushSync()
  expect(written).toEqual(['8,192 one a, b and c', '8192 one a, b és c', '8,192 one a, b and c'])
  end()
})
