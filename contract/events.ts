/**
 * Everything that happens in a workspace and that somebody may want to know of, with the sentence the audit log
 * shows: `{actor} {says} {target}`. An event is written in the transaction of the change that it tells of.
 */
export const events = {
  'workspace.created': 'created the workspace',
  'workspace.renamed': 'renamed the workspace to',
  'workspace.deleted': 'deleted the workspace',
  'member.invited': 'invited',
  'invite.withdrawn': 'withdrew the invite for',
  'member.joined': 'joined',
  'member.role_changed': 'changed the role of',
  'member.removed': 'removed',
  'member.left': 'left the workspace',
  'api_token.created': 'made the API token',
  'api_token.deleted': 'deleted the API token',
} as const

export type EventType = keyof typeof events
