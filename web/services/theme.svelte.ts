import type { Scheme } from '../styles/colours'
import type { Theme } from '../viewstate/choice'

const stored = 'ropescope.theme'

/** The visitor's theme, which is not in the link, and the resulting scheme. */
class ThemeState {
  choice: Theme = $state('system')
  #systemDark = $state(false)
  scheme: Scheme = $derived(this.choice === 'system' ? (this.#systemDark ? 'dark' : 'light') : this.choice)

  /** Reads the stored choice, and follows the system. */
  follow(): void {
    const query = matchMedia('(prefers-color-scheme: dark)')
    this.#systemDark = query.matches
    query.addEventListener('change', (event) => {
      this.#systemDark = event.matches
      this.#paint()
    })
    const found = readStored()
    if (found) this.choice = found
    this.#paint()
  }

  choose(theme: Theme): void {
    this.choice = theme
    this.#paint()
    try {
      localStorage.setItem(stored, theme)
    } catch {
      // Without storage the theme lasts for the visit.
    }
  }

  #paint(): void {
    document.documentElement.dataset['scheme'] = this.scheme
  }
}

function readStored(): Theme | undefined {
  try {
    const value = localStorage.getItem(stored)
    return value === 'light' || value === 'dark' || value === 'system' ? value : undefined
  } catch {
    return undefined
  }
}

export const theme = new ThemeState()
