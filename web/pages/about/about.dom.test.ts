import { mount, unmount } from 'svelte'
import { expect, it } from 'vitest'
import About from './About.svelte'

it('says how a head comes onto another page', async () => {
  const about = mount(About, { target: document.body })
  const section = document.querySelector('section[aria-labelledby=embed]')
  expect(section?.querySelector('h2')?.textContent).toBe('On a page of your own')
  const codes = [...(section?.querySelectorAll('code') ?? [])].map(({ textContent }) => textContent)
  expect(codes).toEqual(['Embed', '<rope-attention>', 'embed'])
  await unmount(about)
})
