import { type ClipboardEvent, type KeyboardEvent, type RefObject, useEffect, useState } from 'react'
import { formatEntry } from './format-line.ts'
import type { Rows } from './rows.ts'

/** Numbers of the first and last selected line. `all` includes lines that arrive later. */
type Selected = readonly [number, number] | 'all' | undefined

/** Copies selections with more lines than are rendered: only their ends stay rendered, and the log provides the rest. */
export function useCopy(box: RefObject<HTMLElement | null>, rows: Rows, timestamps: boolean) {
  const [selected, setSelected] = useState<Selected>()

  useEffect(() => {
    const onChange = () => setSelected((before) => read(box.current, before))
    document.addEventListener('selectionchange', onChange)
    return () => document.removeEventListener('selectionchange', onChange)
  }, [box])

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'a') return
    event.preventDefault()
    window.getSelection()?.selectAllChildren(event.currentTarget)
    setSelected('all')
  }

  function onCopy(event: ClipboardEvent) {
    if (selected === undefined || (selected !== 'all' && selected[0] === selected[1])) return
    event.preventDefault()
    const [from, to] = selected === 'all' ? [0, rows.count - 1] : ends(selected)
    const words: string[] = []
    for (let index = from; index <= to; index++) {
      const entry = rows.entryAt(index)
      if (entry) words.push(formatEntry(entry, timestamps))
    }
    event.clipboardData.setData('text/plain', words.join('\n'))
  }

  const ends = (numbers: readonly [number, number]) =>
    numbers.map(rows.indexOf).toSorted((a, b) => a - b) as [number, number]
  return { onKeyDown, onCopy, pinned: selected === undefined || selected === 'all' ? none : selected }
}

const none: readonly number[] = []

function read(box: HTMLElement | null, before: Selected): Selected {
  const selection = window.getSelection()
  const { anchorNode, focusNode } = selection ?? {}
  if (!selection || selection.isCollapsed || !box || !anchorNode || !focusNode || !box.contains(anchorNode))
    return undefined
  if (anchorNode === box) return before
  const [from, to] = [numberOf(anchorNode), numberOf(focusNode)]
  const known = Array.isArray(before) ? before : []
  const now = [from ?? known[0], to ?? known[1] ?? from]
  const [first, last] = now
  if (first === undefined || last === undefined) return undefined
  return known[0] === first && known[1] === last ? before : [first, last]
}

function numberOf(node: Node): number | undefined {
  const element = node instanceof Element ? node : node.parentElement
  const row = element?.closest<HTMLElement>('[data-number]')
  return row ? Number(row.dataset['number']) : undefined
}
