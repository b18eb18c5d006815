import type { NewApplicationDraft } from './new-draft.ts'

export const isComposeDraft = (draft: Pick<NewApplicationDraft, 'source.type'>) =>
  draft['source.type'] === 'compose'

export const isRepositoryDraft = (draft: Pick<NewApplicationDraft, 'source.type'>) =>
  draft['source.type'] === 'github'
