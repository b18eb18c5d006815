import { type FormEvent, useSyncExternalStore } from 'react'
import { onTokenChange } from '../../../lib/http/session.ts'
import { useUnsaved } from '../../../ui/form/use-unsaved.ts'
import { blank, type Draft, holdsSecrets, readDraft, writeDraft } from './new-draft.ts'

const key = 'new-application'
const changed = new Set<() => void>()
let current: Draft | undefined

/** It outlives a visit to another page, and a reload but for what may be secret: before that the browser asks. */
export function useDraft() {
  const draft = useSyncExternalStore(subscribe, read)
  useUnsaved(holdsSecrets(draft))
  return draft
}

/** What is typed anywhere in a form is kept under the name of its field. */
export function keepTyped({ target }: FormEvent) {
  const isText = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
  if (isText && typeof new Map(Object.entries(blank)).get(target.name) === 'string')
    changeDraft({ [target.name]: target.value })
}

export function changeDraft(change: Partial<Draft>) {
  current = { ...read(), ...change }
  sessionStorage.setItem(key, writeDraft(current))
  tell()
}

export function forgetDraft() {
  current = undefined
  sessionStorage.removeItem(key)
  tell()
}

// Nothing of one person is ever shown to the next.
onTokenChange(forgetDraft)

const read = () => (current ??= readDraft(sessionStorage.getItem(key)))

function tell() {
  for (const listener of changed) listener()
}

function subscribe(listener: () => void) {
  changed.add(listener)
  return () => void changed.delete(listener)
}
