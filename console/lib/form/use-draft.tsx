import { useEffect, useState } from 'react'
import { onTokenChange } from '../http/session.ts'
import { Button } from '../../ui/button.tsx'

type Texts = Readonly<Record<string, string>>

/** Unsaved input by form. It may contain secrets, so it stays in memory and is cleared with the session. */
const drafts = new Map<string, Texts>()
onTokenChange(() => drafts.clear())

/**
 * Holds the unsaved input of a form that needs `key={round}`, `onInput` and `onReset`. Controls without input events
 * call `put`. With `keptAs`, the input is restored when the user returns from another page.
 */
export function useDraft<const T extends Texts>(saved: T, keptAs?: string) {
  const [edits, setEdits] = useState(() => (keptAs === undefined ? undefined : drafts.get(keptAs)))
  const [restored] = useState(edits !== undefined)
  const [round, setRound] = useState(0)
  const names = Object.keys(saved)
  const typed = { ...saved, ...edits }
  const changes = names.filter((name) => typed[name]?.trim() !== saved[name]?.trim()).length
  const changed = changes > 0
  useUnsavedChanges(changed)

  function put(name: string, value: string) {
    const changes = { ...edits, [name]: value }
    setEdits(changes)
    if (keptAs !== undefined) drafts.set(keptAs, changes)
  }

  function drop() {
    setEdits(undefined)
    if (keptAs !== undefined) drafts.delete(keptAs)
  }

  /** Drops the input that was saved. Input that was typed meanwhile stays unsaved. */
  function dropSent(sent: Texts) {
    if (keptAs !== undefined) drafts.delete(keptAs)
    setEdits((now = {}) => {
      const later = Object.entries(now).filter(([name, value]) => value !== sent[name])
      return later.length === 0 ? undefined : Object.fromEntries(later)
    })
  }

  /** Resets the fields to the saved values. A new round remounts the form. */
  function onReset() {
    drop()
    setRound(round + 1)
  }

  return {
    typed,
    changed,
    changes,
    put,
    drop,
    dropSent,
    restored: restored && changed,
    round,
    onReset,
    onInput: ({ target }: { target: EventTarget }) => {
      const isText = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
      if (isText && names.includes(target.name)) put(target.name, target.value)
    },
  }
}

/** Makes the browser warn before the page is closed or reloaded with unsaved changes. */
export function useUnsavedChanges(unsaved: boolean) {
  useEffect(() => {
    if (!unsaved) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [unsaved])
}

interface SaveButtonsProps {
  draft: Pick<ReturnType<typeof useDraft>, 'changed' | 'restored'>
  pending: boolean
  action?: string
}

export function SaveButtons({ draft, pending, action = 'Save' }: SaveButtonsProps) {
  return (
    <div className="flex flex-wrap items-center justify-end gap-2">
      {draft.restored && <span className="text-yellow-ink">Unsaved changes restored</span>}
      {draft.changed && !pending && <Button type="reset">Discard</Button>}
      <Button
        type="submit"
        variant="primary"
        disabled={!draft.changed && !pending}
        pending={pending && 'Saving…'}
      >
        {action}
      </Button>
    </div>
  )
}
