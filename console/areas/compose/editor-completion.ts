import { autocompletion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete'
import type { Extension } from '@codemirror/state'
import { type Offer, offersAt } from './offers.ts'

/** No further back than a file is read by people: what a cursor is in begins not far above it. */
const mostLines = 5000

const types: Record<Offer['kind'], string> = { key: 'property', value: 'enum', name: 'variable' }

/** What the specification knows at the place of the cursor, and what the file itself names. */
function complete({ state, pos, explicit }: CompletionContext): CompletionResult | null {
  const line = state.doc.lineAt(pos)
  const first = state.doc.line(Math.max(1, line.number - mostLines))
  const found = offersAt(state.sliceDoc(first.from, pos).split('\n'), readLines(state.doc.iterLines()))
  if (!found || found.offers.length === 0 || (found.word === '' && !explicit)) return null
  return {
    from: pos - found.word.length,
    options: found.offers.map(({ label, kind, about, insert }) => ({
      label,
      type: types[kind],
      apply: insert,
      ...(about === undefined ? {} : { info: about }),
    })),
    validFor: /^[\w.-]*$/,
  }
}

function readLines(lines: Iterable<string>): string[] {
  const read: string[] = []
  for (const line of lines) {
    if (read.length >= mostLines) break
    read.push(line)
  }
  return read
}

export const completion: Extension = autocompletion({
  override: [complete],
  icons: false,
  activateOnTyping: true,
})
