import './begin'
import { mount } from 'svelte'
import App from './App.svelte'
import { switchLanguage } from '../i18n/messages.svelte'
import { languageAtFirst } from '../viewstate/stored'
import type { Simulation } from '../engine/protocol/protocol'
import '../styles/theme.css'
import '../styles/base.css'
import '../styles/marks.css'
import '../styles/formulas.css'

declare global {
  interface Window {
    /** Set by tests before the page starts: init scripts do not reach workers. */
    ropescopeSimulate?: Simulation
  }
}

const target = document.getElementById('page')
const begin = () => target && mount(App, { target, props: { simulate: window.ropescopeSimulate } })
const language = languageAtFirst(location.hash)
// In a task of its own: the worker's start and early input need not wait for it.
if (language === 'en') setTimeout(begin)
else void switchLanguage(language).then(begin)
