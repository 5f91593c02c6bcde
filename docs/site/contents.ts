/** The pages of the documentation in their order, as paths in docs/. A page's title is its first heading. */
export const contents: readonly { title: string; pages: readonly string[] }[] = [
  { title: 'How to', pages: ['write-a-view.md'] },
  {
    title: 'Reference',
    pages: [
      'reference/commands.md',
      'reference/package.md',
      'reference/links.md',
      'reference/config.md',
      'reference/sites.md',
    ],
  },
  { title: 'How it works', pages: ['engine-rules.md', 'page-rules.md'] },
]
