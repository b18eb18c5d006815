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
  'server.created': 'added the server',
  'server.imported': 'imported the server',
  'server.updated': 'changed the server',
  'server.deleted': 'deleted the server',
  'server.host_key_trusted': 'confirmed the host key of',
  'server.setup_started': 'began to set up',
  'server.setup_completed': 'finished setting up',
  'server.setup_failed': 'could not set up',
  'server.ready': 'reached',
  'server.unreachable': 'lost contact with',
  'server.docker_lost': 'got no answer from Docker on',
  'server.docker_found': 'got an answer again from Docker on',
  'container.started': 'started the container',
  'container.stopped': 'stopped the container',
  'container.restarted': 'restarted the container',
  'container.paused': 'paused the container',
  'container.unpaused': 'resumed the container',
  'container.killed': 'sent a signal to the container',
  'container.renamed': 'renamed the container',
  'container.removed': 'removed the container',
  'container.environment_read': 'read the environment of the container',
  'image.pull_started': 'began to pull the image',
  'image.pulled': 'finished pulling the image',
  'image.pull_failed': 'could not pull the image',
  'image.pull_cancelled': 'stopped pulling the image',
  'image.removed': 'removed the image',
  'image.pruned': 'removed unused images on',
  'application.created': 'made the application',
  'application.updated': 'changed the application',
  'application.environment_changed': 'changed the environment of',
  'application.labels_changed': 'changed the labels of',
  'application.volumes_changed': 'changed the volumes of',
  'application.ports_changed': 'changed the published ports of',
  'application.domain_added': 'added an address to',
  'application.domain_changed': 'changed an address of',
  'application.domain_removed': 'removed an address of',
  'application.died': 'saw the application die soon after its deployment:',
  'application.deleted': 'deleted the application',
  'certificate.issued': 'got a certificate for',
  'certificate.uploaded': 'uploaded a certificate for',
  'certificate.removed': 'removed the uploaded certificate of',
  'certificate.failed': 'got no certificate for',
  'deployment.queued': 'asked for a deployment of',
  'deployment.started': 'began to deploy',
  'deployment.commit_found': 'found the commit to build for',
  'deployment.completed': 'finished the deployment of',
  'deployment.failed': 'could not deploy',
  'deployment.cancelled': 'cancelled a deployment of',
  'application.hook_rotated': 'gave another secret to the deploy hook of',
  'integration.created': 'connected the account',
  'integration.changed': 'saw a change of the account',
  'integration.deleted': 'disconnected the account',
  'github_app.created': 'set up the GitHub App',
  'github_app.deleted': 'forgot the keys of the GitHub App',
  'command.started': 'ran a command on',
  'command.cancelled': 'cancelled a command on',
  'terminal.opened': 'opened a terminal on',
} as const

export type EventType = keyof typeof events

/** What changed without anybody's doing that the audit log would hold: only for those who look at it now. */
export type Nudge =
  | 'container.changed'
  | 'image.changed'
  | 'pull.changed'
  | 'application.changed'
  | 'deployment.changed'
  | 'delivery.changed'
