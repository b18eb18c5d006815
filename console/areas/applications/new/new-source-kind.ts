import type { Draft } from './new-draft.ts'

/** Whether what is to be made is a compose file. */
export const isComposeDraft = (draft: Pick<Draft, 'source.type'>) => draft['source.type'] === 'compose'

/** Whether it is built from a repository. */
export const isRepositoryDraft = (draft: Pick<Draft, 'source.type'>) => draft['source.type'] === 'github'
