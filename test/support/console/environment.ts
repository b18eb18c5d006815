import { JSDOM, VirtualConsole } from 'jsdom'
import type { Environment } from 'vitest/runtime'
import { EventSourceOverFetch } from './event-source.ts'

const width = 1440

/** Node has these as well, but those of jsdom are needed: its documents and forms accept no others. */
const replaced = new Set(['Event', 'CustomEvent', 'FormData', 'navigator', 'localStorage', 'sessionStorage'])

/**
 * A document for the console, without layout. Only what Node lacks comes from jsdom: the server in the same process
 * keeps Node's own fetch, timers and streams. Vitest gives these files workers of their own, with one document each.
 */
const environment: Environment = {
  name: 'console',
  viteEnvironment: 'ssr',
  setup() {
    const dom = new JSDOM('<!doctype html><html lang="en"><body></body></html>', {
      url: 'http://localhost',
      pretendToBeVisual: true,
      virtualConsole: consoleOf(),
    })
    fillGaps(dom.window)
    const names = Object.getOwnPropertyNames(dom.window).filter(
      (name) => !name.startsWith('_') && (replaced.has(name) || !(name in globalThis)),
    )
    const before = new Map(names.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]))
    for (const name of names)
      Object.defineProperty(globalThis, name, { configurable: true, get: () => dom.window[name] })
    Object.defineProperty(globalThis, 'window', { configurable: true, value: dom.window })
    Object.assign(globalThis, { jsdom: dom, EventSource: EventSourceOverFetch })
    return {
      teardown() {
        for (const [name, descriptor] of before) {
          Reflect.deleteProperty(globalThis, name)
          if (descriptor) Object.defineProperty(globalThis, name, descriptor)
        }
        dom.window.close()
      },
    }
  },
}

// oxlint-disable-next-line no-default-export -- Vitest loads an environment by its default export
export default environment

/** Errors of the page's own code; that jsdom cannot load another page is none. */
function consoleOf(): VirtualConsole {
  const virtual = new VirtualConsole()
  virtual.on('jsdomError', (error) => {
    // oxlint-disable-next-line no-console -- it is what the tests listen to
    if ('type' in error && error.type === 'unhandled-exception') console.error(error.cause)
  })
  return virtual
}

/** Browsers have these, jsdom has not. */
function fillGaps(window: JSDOM['window']) {
  const nothing = () => undefined
  class Observer {
    observe = nothing
    unobserve = nothing
    disconnect = nothing
  }
  const elements = { scrollIntoView: nothing, scrollTo: nothing, hasPointerCapture: () => false }
  Object.assign(window.Element.prototype, elements, {
    setPointerCapture: nothing,
    releasePointerCapture: nothing,
  })
  Object.assign(window, {
    innerWidth: width,
    isSecureContext: true,
    ResizeObserver: Observer,
    IntersectionObserver: Observer,
    scrollTo: nothing,
    matchMedia: (media: string) => ({
      media,
      matches: matchesMedia(media),
      addEventListener: nothing,
      removeEventListener: nothing,
    }),
  })
}

function matchesMedia(media: string): boolean {
  const [, least] = /min-width: (\d+)px/.exec(media) ?? []
  const [, most] = /max-width: (\d+)px/.exec(media) ?? []
  if (least !== undefined || most !== undefined)
    return width >= Number(least ?? 0) && width <= Number(most ?? Infinity)
  return /prefers-reduced-motion: reduce/.test(media)
}
