import { onTokenChange } from '../http/session.ts'

/** Unsaved input by form. May contain secrets, so it stays in memory and is cleared with the session. */
const drafts = new Map<string, Readonly<Record<string, string>>>()
onTokenChange(() => drafts.clear())

export const readDraft = (form: string) => drafts.get(form)
export const saveDraft = (form: string, typed: Readonly<Record<string, string>>) => drafts.set(form, typed)
export const deleteDraft = (form: string) => drafts.delete(form)
