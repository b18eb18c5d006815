import { useState } from 'react'
import { useUnsaved } from '../../ui/form/use-unsaved.ts'
import { dropDraft, keepDraft, readDraft } from './drafts.ts'

type Texts = Readonly<Record<string, string>>

/**
 * A form whose fields outlive a visit to another page: what was typed and not saved is there again. `saved` is what
 * they hold as long as nobody types. Its form has `key={round}`, `onInput` and `onReset`; what is not heard as typing is
 * told to `put`.
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
    keepDraft(form, now)
  }

  /** It was saved: what is saved from now on is what it holds. */
  function drop() {
    setKept(undefined)
    dropDraft(form)
  }

  /** The fields hold what was saved again, for which they have to be made anew. */
  function onReset() {
    drop()
    setRound(round + 1)
  }

  return {
    typed,
    changed,
    put,
    drop,
    /** It was typed on an earlier visit. */
    restored: restored && changed,
    round,
    onReset,
    onInput: ({ target }: { target: EventTarget }) => {
      const isText = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
      if (isText && names.includes(target.name)) put(target.name, target.value)
    },
  }
}
