import { type FormEvent, useSyncExternalStore } from 'react'
import { onTokenChange } from '../../../lib/http/session.ts'
import { useUnsavedChanges } from '../../../lib/form/use-draft.tsx'
import {
  emptyDraft,
  type NewApplicationDraft,
  hasSecrets,
  readNewApplicationDraft,
  writeDraft,
} from './new-draft.ts'

const key = 'new-application'
const changed = new Set<() => void>()
let current: NewApplicationDraft | undefined

/** The draft survives navigation and reloads, except for fields that may hold secrets. */
export function useNewApplicationDraft() {
  const draft = useSyncExternalStore(subscribe, read)
  useUnsavedChanges(hasSecrets(draft))
  return draft
}

export function saveTypedField({ target }: FormEvent) {
  const isText = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
  if (isText && typeof new Map(Object.entries(emptyDraft)).get(target.name) === 'string')
    changeDraft({ [target.name]: target.value })
}

export function changeDraft(change: Partial<NewApplicationDraft>) {
  current = { ...read(), ...change }
  sessionStorage.setItem(key, writeDraft(current))
  notify()
}

export function discardDraft() {
  current = undefined
  sessionStorage.removeItem(key)
  notify()
}

// A draft must not be visible to the next user of the browser.
onTokenChange(discardDraft)

const read = () => (current ??= readNewApplicationDraft(sessionStorage.getItem(key)))

function notify() {
  for (const listener of changed) listener()
}

function subscribe(listener: () => void) {
  changed.add(listener)
  return () => void changed.delete(listener)
}
