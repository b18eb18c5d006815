import { Problem } from '../../errors.ts'

/** `answered` is the HTTP status of Docker Hub. */
export class HubRefused extends Problem {
  readonly answered: number

  constructor(answered: number) {
    super(502, 'outside_failed', `Docker Hub refused the request (status ${answered}).`)
    this.answered = answered
  }
}

export class WrongCredentials extends Problem {}

export const wrongRegistryCredentials = (who: string, answered: number) =>
  new WrongCredentials(
    409,
    'registry_log_in_wrong',
    answered === 403
      ? `${who} accepts these credentials but denies access. Give the token read permission.`
      : `${who} rejected this username and password or token. Check both. With two-factor authentication, use a token.`,
  )

export const credentialsRequired = (who: string, what: string) =>
  new Problem(
    409,
    'registry_needs_log_in',
    `${who} requires credentials for ${what}, and the workspace has none. Add credentials under Integrations → Image registries.`,
  )

export class AccessDenied extends Problem {}

export const accessDenied = (who: string, what: string) =>
  new AccessDenied(
    409,
    'registry_no_access',
    `${who} denies access to ${what} with the workspace’s credentials. The credentials may have expired or may be limited to other images.`,
  )

export const credentialsNotChecked = (who: string) =>
  new Problem(
    409,
    'registry_asks_nobody',
    `${who} accepts any credentials, so these credentials cannot be checked.`,
  )

export const noSuchImage = (who: string, name: string, hasLogIn: boolean) =>
  new Problem(
    404,
    'not_found',
    hasLogIn
      ? `${who} has no image ${name}, or the workspace’s credentials cannot read it.`
      : `${who} has no public image ${name}. If it is private, add credentials under Integrations → Image registries.`,
  )

export const catalogUnavailable = (who: string) =>
  new Problem(
    409,
    'registry_lists_nothing',
    `${who} does not list its images. Enter the full image name to see its tags.`,
  )
