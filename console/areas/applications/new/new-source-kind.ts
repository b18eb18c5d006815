import type { Draft } from './new-draft.ts'

export const isComposeDraft = (draft: Pick<Draft, 'source.type'>) => draft['source.type'] === 'compose'

export const isRepositoryDraft = (draft: Pick<Draft, 'source.type'>) => draft['source.type'] === 'github'
