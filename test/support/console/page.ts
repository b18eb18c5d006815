import { paste, press, type } from './acts.ts'
import { setAddress } from './document.ts'
import { type Scope, scopeOf } from './locator.ts'
import type { Call, Network } from './network.ts'
import { render, unmount } from './render.tsx'

export interface PageOptions {
  /** Session token. */
  token?: string
  /** Further entries of the browser storage. */
  storage?: Record<string, string>
}

/** The console with an interface like Playwright's page. */
export interface ConsolePage extends Scope {
  goto(path: string): Promise<void>
  reload(): Promise<void>
  goBack(): Promise<void>
  /** Navigates like a link, without reloading the console. */
  follow(path: string): Promise<void>
  url(): string
  title(): string
  content(): Promise<string>
  /** Last copied text. */
  copied(): Promise<string>
  stored(name: string): string | null
  keyboard: { press: typeof press; type: typeof type; paste: typeof paste }
  /** API requests since the page was opened. */
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
    // A separate history entry without the state of the previous page.
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
    keyboard: { press, type, paste },
    calls: network.calls,
    lose: network.lose,
    intercept: network.intercept,
  }
}

export function leavePage(network: Network): void {
  unmount()
  network.leave()
}
