import type { Scheme } from '../styles/colours'
import { themes, type Theme } from '../viewstate/choice'
import { readStored, store } from '../viewstate/stored'

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
    this.choice = readStored(stored, (written) => themes.find((name) => name === written)) ?? this.choice
    this.#paint()
  }

  choose(theme: Theme): void {
    this.choice = theme
    this.#paint()
    store(stored, theme)
  }

  #paint(): void {
    document.documentElement.dataset['scheme'] = this.scheme
  }
}

export const theme = new ThemeState()
