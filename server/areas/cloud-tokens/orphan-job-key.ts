import type { Id } from '../../../contract/shared/ids.ts'

/** Key of the jobs that destroy orphaned servers; the token is not deleted before they finish. */
export const orphanJobKey = (workspaceId: Id<'workspace'>, id: Id<'cloudToken'>) =>
  `stray:${workspaceId}:${id}`
