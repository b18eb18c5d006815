import type { Id } from '../../../contract/shared/ids.ts'

/** Of the jobs that destroy what was made with a token and nobody needs: it is not deleted before they are through. */
export const strayKey = (workspaceId: Id<'workspace'>, id: Id<'cloudToken'>) => `stray:${workspaceId}:${id}`
