import { useState } from 'react'
import { useUnsaved } from '../../ui/form/use-unsaved.ts'
import { deleteDraft, saveDraft, readDraft } from './drafts.ts'

type Texts = Readonly<Record<string, string>>

/**
 * Keeps unsaved input when the user visits another page. The form needs `key={round}`, `onInput` and `onReset`; controls
 * without input events call `put`.
 */
export function useDraft<const T extends Texts>(form: string, saved: T) {
  const [kept, setKept] = useState(() => readDraft(form))
  const [restored] = useState(kept !== undefined)
  const [round, setRound] = useState(0)
  const names = Object.keys(saved)
  const typed = { ...saved, ...kept }
  const changed = names.some((name) => typed[name]?.trim() !== saved[name]?.trim())
  useUnsaved(changed)

  function put(name: string, value: string) {
    const now = { ...kept, [name]: value }
    setKept(now)
    saveDraft(form, now)
  }

  /** Call after saving. */
  function drop() {
    setKept(undefined)
    deleteDraft(form)
  }

  /** Resets the fields to the saved values by remounting them. */
  function onReset() {
    drop()
    setRound(round + 1)
  }

  return {
    typed,
    changed,
    put,
    drop,
    /** The draft is from an earlier visit. */
    restored: restored && changed,
    round,
    onReset,
    onInput: ({ target }: { target: EventTarget }) => {
      const isText = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
      if (isText && names.includes(target.name)) put(target.name, target.value)
    },
  }
}
