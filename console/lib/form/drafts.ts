import { onTokenChange } from '../http/session.ts'

/** What was typed and not saved, by its form. It may hold secrets, so it stays in memory and goes with its author. */
const drafts = new Map<string, Readonly<Record<string, string>>>()
onTokenChange(() => drafts.clear())

export const readDraft = (form: string) => drafts.get(form)
export const keepDraft = (form: string, typed: Readonly<Record<string, string>>) => drafts.set(form, typed)
export const dropDraft = (form: string) => drafts.delete(form)
