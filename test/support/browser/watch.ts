import type { BrowserContext, ConsoleMessage } from 'playwright-core'

export interface Watch {
  /** Listens to every page of a browser. */
  follow: (context: BrowserContext) => Promise<void>
  /** Once for each time that it has to be said; a test that did not hear it fails. */
  expect: (pattern: RegExp) => void
  /** Throws what was said and not expected, or expected and not said; then begins anew. */
  check: () => void
}

/** Hears what pages say in their console when something is wrong with them. */
export function createWatch(): Watch {
  const heard: string[] = []
  const expected: RegExp[] = []
  return {
    async follow(context) {
      await context.addInitScript(() => {
        document.addEventListener('securitypolicyviolation', (event) => {
          // oxlint-disable-next-line no-console -- it is what is listened to
          console.error(`Policy breached: ${event.violatedDirective} ${event.blockedURI}`)
        })
      })
      context.on('weberror', (error) => heard.push(String(error.error())))
      context.on('console', (message) => {
        if (isTrouble(message)) heard.push(`${message.text()} ${message.location().url}`)
      })
    },
    expect(pattern) {
      expected.push(pattern)
    },
    check() {
      const [said, wanted] = [heard.splice(0), expected.splice(0)]
      const surprises = said.filter((line) => !wanted.some((pattern) => pattern.test(line)))
      const silent = wanted.filter((pattern) => !said.some((line) => pattern.test(line)))
      if (surprises.length > 0) throw new Error(`A page reported:\n${surprises.join('\n')}`)
      if (silent.length > 0) throw new Error(`No page reported ${silent.join(', ')}.`)
    },
  }
}

/** Chromium itself notes every refused call; the API's refusals are answers like any other. */
function isTrouble(message: ConsoleMessage): boolean {
  if (message.type() !== 'error' && message.type() !== 'warning') return false
  const { pathname } = new URL(message.location().url || 'about:blank')
  // Servers of the rig come and go beside the browser, whose network is another each time.
  if (/ERR_NETWORK_CHANGED/.test(message.text())) return false
  const refused = /^Failed to load resource: the server responded with a status of 4\d\d/
  // A stream is cut when its session ends.
  const cut = /ERR_INCOMPLETE_CHUNKED_ENCODING/
  if (pathname === '/v1/live' && cut.test(message.text())) return false
  // So is that a server could not be reached, or did not do what was asked.
  const failed = /^Failed to load resource: the server responded with a status of 50[24]/
  if (/^\/v1\/(metrics\/)?servers\//.test(pathname) && failed.test(message.text())) return false
  return !(pathname.startsWith('/v1/') && refused.test(message.text()))
}
