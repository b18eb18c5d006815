/** Audit log sentences of the instance; the initiator precedes and the target follows. */
export const instanceEvents = {
  'instance.set_up': 'completed the setup of this Slipway',
  'instance.settings_changed': 'changed the setting',
  'instance.mail_tested': 'sent a test mail',
  'instance_owner.granted': 'made instance owner',
  'instance_owner.revoked': 'removed as instance owner',
  'user.locked': 'locked the account',
  'user.unlocked': 'unlocked the account',
  'user.access_ended': 'ended all sessions and revoked all API tokens of',
  'user.deleted': 'deleted the account',
  'workspace.locked': 'locked the workspace',
  'workspace.unlocked': 'unlocked the workspace',
  'workspace.deleted': 'deleted the workspace',
  'github_app.created': 'created the GitHub App',
  'github_app.deleted': 'removed the GitHub App',
  'host_name.released': 'released the host name',
  'local_server.enabled': 'added this machine to the workspace',
  'local_server.disabled': 'removed this machine as a server',
} as const

export type InstanceEventType = keyof typeof instanceEvents
