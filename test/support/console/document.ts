import { JSDOM, VirtualConsole } from 'jsdom'
import { EventSourceOverFetch } from './event-source.ts'
import { hidesItself } from './visible.ts'

const width = 1440

/** jsdom requires its own versions of these. */
const replaced = new Set(['Event', 'CustomEvent', 'FormData', 'navigator', 'localStorage', 'sessionStorage'])

let dom: JSDOM | undefined

/**
 * Provides a document without layout to all files of this worker, whose modules hold references to it. Only what Node
 * lacks comes from jsdom, because the server in the same process needs Node's fetch, timers and streams.
 */
export function showDocument(): void {
  if (dom) return
  const { window } = (dom = createDom())
  const names = Object.getOwnPropertyNames(window).filter(
    (name) => !name.startsWith('_') && (replaced.has(name) || !(name in globalThis)),
  )
  const shown = new Map<string, PropertyDescriptor>([
    ...names.map((name) => [name, { get: () => window[name] }] as const),
    ['window', { value: window }],
    ['EventSource', { value: EventSourceOverFetch }],
  ])
  for (const [name, descriptor] of shown)
    Object.defineProperty(globalThis, name, { ...descriptor, configurable: true })
}

/** Changes the document URL to any origin. */
export const setAddress = (url: string): void => dom?.reconfigure({ url })

function createDom(): JSDOM {
  const created = new JSDOM('<!doctype html><html lang="en"><body></body></html>', {
    url: 'http://localhost',
    pretendToBeVisual: true,
    virtualConsole: consoleOf(),
  })
  fillGaps(created.window)
  return created
}

/** jsdom's missing navigation is not an error of the page. */
function consoleOf(): VirtualConsole {
  const virtual = new VirtualConsole()
  virtual.on('jsdomError', (error) => {
    // oxlint-disable-next-line no-console -- it is what the tests listen to
    if ('type' in error && error.type === 'unhandled-exception') console.error(error.cause)
  })
  return virtual
}

/** Browser APIs that jsdom lacks. */
function fillGaps(window: JSDOM['window']) {
  const nothing = () => undefined
  class Observer {
    observe = nothing
    unobserve = nothing
    disconnect = nothing
  }
  const elements = {
    scrollIntoView: nothing,
    // As in Chromium, so that an effect that returns the promise fails.
    scrollTo: () => Promise.resolve(),
    hasPointerCapture: () => false,
  }
  Object.assign(window.HTMLElement.prototype, { showPopover: nothing, hidePopover: nothing })
  Object.assign(window.Element.prototype, elements, {
    setPointerCapture: nothing,
    releasePointerCapture: nothing,
  })
  const { HTMLInputElement, HTMLTextAreaElement, HTMLSelectElement, HTMLButtonElement } = window
  for (const { prototype } of [HTMLInputElement, HTMLTextAreaElement, HTMLSelectElement, HTMLButtonElement])
    Object.defineProperty(prototype, 'labels', {
      configurable: true,
      get(this: HTMLElement) {
        return labelsOf(this)
      },
    })
  Object.assign(window, {
    innerWidth: width,
    isSecureContext: true,
    ResizeObserver: Observer,
    IntersectionObserver: Observer,
    scrollTo: nothing,
    getComputedStyle: styleOf,
    // Never called: pages are loaded when opened.
    requestIdleCallback: () => 0,
    cancelIdleCallback: nothing,
    matchMedia: (media: string) => ({
      media,
      matches: matchesMedia(media),
      addEventListener: nothing,
      removeEventListener: nothing,
    }),
  })
}

const initial = new Map(
  Object.entries({ visibility: 'visible', animationName: 'none', direction: 'ltr', position: 'static' }),
)

/** jsdom's version matches every rule of every style sheet, which is slow. */
function styleOf(element: HTMLElement): CSSStyleDeclaration {
  const read = (name: string): unknown =>
    Reflect.get(element.style, name) || (name === 'display' ? displayOf(element) : initial.get(name)) || ''
  return new Proxy(element.style, {
    get: (style, name) => {
      if (name === 'getPropertyValue') return (property: string) => String(read(property))
      return typeof name === 'string' ? read(name) : Reflect.get(style, name)
    },
  })
}

const displayOf = (element: Element) => (hidesItself(element) ? 'none' : 'block')

/** jsdom's version scans the whole document for each label. */
function labelsOf(control: HTMLElement): Element[] {
  const around = control.closest('label')
  const { id } = control
  const named = id ? [...document.querySelectorAll(`label[for=${JSON.stringify(id)}]`)] : []
  return around && !around.htmlFor && !named.includes(around) ? [around, ...named] : named
}

function matchesMedia(media: string): boolean {
  const [, least] = /min-width: (\d+)px/.exec(media) ?? []
  const [, most] = /max-width: (\d+)px/.exec(media) ?? []
  if (least !== undefined || most !== undefined)
    return width >= Number(least ?? 0) && width <= Number(most ?? Infinity)
  return /prefers-reduced-motion: reduce/.test(media)
}
