import { press, type } from './acts.ts'
import { setAddress } from './document.ts'
import { type Scope, scopeOf } from './locator.ts'
import type { Call, Network } from './network.ts'
import { render, unmount } from './render.tsx'

export interface PageOptions {
  /** Signed in with this token already. */
  token?: string
  /** What else the storage of the browser holds. */
  storage?: Record<string, string>
}

/** The console in the document of this worker, with the interface that pages of Playwright have. */
export interface ConsolePage extends Scope {
  goto(path: string): Promise<void>
  reload(): Promise<void>
  goBack(): Promise<void>
  /** Goes there as a link inside the console does, without loading the console again. */
  follow(path: string): Promise<void>
  url(): string
  title(): string
  content(): Promise<string>
  /** What was copied last. */
  copied(): Promise<string>
  stored(name: string): string | null
  keyboard: { press: typeof press; type: typeof type }
  /** Requests of the API since the page was opened. */
  calls: Call[]
  lose: Network['lose']
  intercept: Network['intercept']
}

export function openPage(base: string, network: Network, { token, storage = {} }: PageOptions): ConsolePage {
  leavePage(network)
  localStorage.clear()
  sessionStorage.clear()
  for (const cookie of document.cookie.split('; '))
    document.cookie = `${cookie.split('=')[0] ?? ''}=; path=/; max-age=0`
  for (const [name, value] of Object.entries(storage)) localStorage.setItem(name, value)
  if (token !== undefined) localStorage.setItem('token', token)

  async function load() {
    unmount()
    network.abandon()
    render()
  }

  async function goto(path: string) {
    unmount()
    // An entry of its own in the history, without the state of the page before.
    window.history.pushState(null, '', window.location.href)
    setAddress(new URL(path, base).href)
    await load()
  }

  return {
    ...scopeOf(() => [document]),
    goto,
    reload: load,
    goBack: async () => window.history.back(),
    async follow(path) {
      window.history.pushState({}, '', path)
      window.dispatchEvent(new PopStateEvent('popstate'))
    },
    url: () => window.location.href,
    title: () => document.title,
    content: async () => document.documentElement.outerHTML,
    copied: () => navigator.clipboard.readText(),
    stored: (name) => localStorage.getItem(name),
    keyboard: { press, type },
    calls: network.calls,
    lose: network.lose,
    intercept: network.intercept,
  }
}

export function leavePage(network: Network): void {
  unmount()
  network.leave()
}
