import type { BrowserContext, ConsoleMessage } from 'playwright-core'

export interface Watch {
  follow: (context: BrowserContext) => Promise<void>
  /** Expected once per call; a test without the message fails. */
  expect: (pattern: RegExp) => void
  /** Throws unexpected and missing messages, then resets. */
  check: () => void
}

/** Collects console errors of pages. */
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

/** Chromium logs every refused request, but refusals of the API are normal. */
function isTrouble(message: ConsoleMessage): boolean {
  if (message.type() !== 'error' && message.type() !== 'warning') return false
  // Over plain HTTP under an IP address.
  if (/^The (Cross-Origin-Opener-Policy|page requested an origin-keyed)/.test(message.text())) return false
  const { pathname } = new URL(message.location().url || 'about:blank')
  // Servers of the rig change the network of the machine.
  if (/ERR_NETWORK_CHANGED/.test(message.text())) return false
  const refused = /^Failed to load resource: the server responded with a status of 4\d\d/
  // A stream is closed when its session ends.
  const cut = /ERR_INCOMPLETE_CHUNKED_ENCODING/
  if (pathname === '/v1/live' && cut.test(message.text())) return false
  // An unreachable server is a normal response as well.
  const failed = /^Failed to load resource: the server responded with a status of 50[24]/
  if (/^\/v1\/(metrics\/)?servers\//.test(pathname) && failed.test(message.text())) return false
  return !(pathname.startsWith('/v1/') && refused.test(message.text()))
}
