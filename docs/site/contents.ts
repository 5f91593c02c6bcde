/** The pages of the documentation in their order, as paths from docs/. A page's title is its first heading. */
export const contents: readonly { title: string; pages: readonly string[] }[] = [
  { title: 'Guides', pages: ['learn.md', 'own-model.md', 'embed.md', '../package/README.md', 'command-line.md'] },
  {
    title: 'Reference',
    pages: [
      'reference/families.md',
      'reference/files.md',
      'reference/commands.md',
      'reference/package.md',
      'reference/links.md',
      'reference/config.md',
      'reference/sites.md',
    ],
  },
  { title: 'How to', pages: ['write-a-view.md', 'write-a-family.md', 'write-a-kernel.md'] },
  {
    title: 'How it works',
    pages: ['engine-rules.md', 'page-rules.md', 'memory.md', 'worker.md', 'threads.md', 'safety.md'],
  },
  { title: 'Judge it', pages: ['precision.md', 'speed.md', 'comparison.md', 'limitations.md'] },
]

export const pagePaths: readonly string[] = contents.flatMap(({ pages }) => pages)
