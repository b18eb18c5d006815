import { setTimeout as sleep } from 'node:timers/promises'

const seen = { changes: 0, isWatching: false }

/** Counts what changes in the document: what was not there is looked for again only after something did. */
export function watchChanges(): void {
  if (seen.isWatching) return
  seen.isWatching = true
  const observer = new MutationObserver(() => (seen.changes += 1))
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
}

/** Tries until it succeeds, and gives back what it gives; throws what it threw last. */
export async function until<T>(attempt: () => T, timeout = 60_000): Promise<T> {
  const end = performance.now() + timeout
  for (let round = 0; ; round++) {
    const { changes } = seen
    try {
      return attempt()
    } catch (error) {
      if (performance.now() > end) throw withPage(error)
    }
    // Some changes leave no trace, such as what a field holds.
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
