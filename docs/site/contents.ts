/** The pages of the documentation in their order, as paths in docs/. A page's title is its first heading. */
export const contents: readonly { title: string; pages: readonly string[] }[] = [
  { title: 'Guides', pages: ['learn.md', 'own-model.md'] },
  { title: 'How to', pages: ['write-a-view.md'] },
  { title: 'How it works', pages: ['engine-rules.md', 'page-rules.md'] },
]
