import { setTimeout as sleep } from 'node:timers/promises'

const seen = { changes: 0, isWatching: false }

/** Counts document changes, so that lookups repeat only after one. */
export function watchChanges(): void {
  if (seen.isWatching) return
  seen.isWatching = true
  const observer = new MutationObserver(() => (seen.changes += 1))
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
}

/** Retries until it succeeds; throws the last error. */
export async function until<T>(attempt: () => T, timeout = 120_000): Promise<T> {
  const end = performance.now() + timeout
  for (let round = 0; ; round++) {
    const { changes } = seen
    try {
      return attempt()
    } catch (error) {
      if (performance.now() > end) throw withPage(error)
    }
    // Some changes, such as input values, are not observable.
    for (let waited = 0; seen.changes === changes && waited < 10; waited++) await sleep(round < 10 ? 4 : 10)
  }
}

function withPage(error: unknown): unknown {
  if (error instanceof Error) error.message += `\nThe page shows: ${shownText().slice(0, 1000)}`
  return error
}

const shownText = () => [...document.body.querySelectorAll('*')].flatMap(ownText).join(' | ')

function ownText({ childNodes }: Element): string[] {
  const texts = [...childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
  const text = texts
    .map(({ textContent }) => textContent ?? '')
    .join('')
    .trim()
  return text ? [text] : []
}
