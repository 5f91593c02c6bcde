/** The scheme that the visitor has chosen on the page; undefined: the system's. */
export function storedScheme(): 'light' | 'dark' | undefined {
  try {
    const theme = localStorage.getItem('ropescope.theme')
    if (theme === 'light' || theme === 'dark') return theme
  } catch {
    // Without storage the system decides.
  }
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}
