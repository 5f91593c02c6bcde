import './begin'
import { mount } from 'svelte'
import App from './App.svelte'
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
// In a task of its own: the worker, and what is pressed meanwhile, need not wait for both.
setTimeout(() => target && mount(App, { target, props: { simulate: window.ropescopeSimulate } }))
