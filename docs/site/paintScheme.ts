// A classic script in the page's head, which the browser runs before it draws anything: light or dark as the visitor chose in the app, else
// as the system is.
{
  const systemDark = matchMedia('(prefers-color-scheme: dark)')

  const storedTheme = (): string | null => {
    try {
      return localStorage.getItem('ropescope.theme')
    } catch {
      return null
    }
  }

  const paintScheme = () => {
    const theme = storedTheme()
    const system = systemDark.matches ? 'dark' : 'light'
    document.documentElement.dataset['scheme'] = theme === 'light' || theme === 'dark' ? theme : system
  }

  paintScheme()
  systemDark.addEventListener('change', paintScheme)
}
