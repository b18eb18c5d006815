import { onTokenChange } from '../../lib/session.ts'

/** What was typed and not saved, by application. It may hold secrets, so it stays in memory and goes with its author. */
const drafts = new Map<string, string>()
onTokenChange(() => drafts.clear())

export const readDraft = (applicationId: string) => drafts.get(applicationId)
export const keepDraft = (applicationId: string, text: string) => drafts.set(applicationId, text)
export const dropDraft = (applicationId: string) => drafts.delete(applicationId)
