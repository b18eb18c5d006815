import { Problem } from '../../errors.ts'

/** Docker Hub answered, and that was a no; `answered` is its status. */
export class HubRefused extends Problem {
  readonly answered: number

  constructor(answered: number) {
    super(502, 'outside_failed', `Docker Hub did not do this: it gave ${answered}.`)
    this.answered = answered
  }
}

/** It does not take these credentials. */
export class WrongLogIn extends Problem {}

export const wrongLogIn = (who: string, answered: number) =>
  new WrongLogIn(
    409,
    'registry_log_in_wrong',
    answered === 403
      ? `${who} takes this log-in, and does not let it do this. Give the token the right to read.`
      : `${who} does not take this username with this password or token. Check both; where two-factor authentication is on, it has to be a token.`,
  )

export const needsLogIn = (who: string, what: string) =>
  new Problem(
    409,
    'registry_needs_log_in',
    `${who} asks for a log-in before it shows ${what}, and the workspace has no credentials for it. An admin can add them in Integrations, under Image registries.`,
  )

/** It takes them, and they are of no use for this. */
export class NoAccess extends Problem {}

export const noAccess = (who: string, what: string) =>
  new NoAccess(
    409,
    'registry_no_access',
    `${who} does not show ${what} with the credentials that the workspace has for it. They may not reach it, or have expired.`,
  )

export const asksNobody = (who: string) =>
  new Problem(
    409,
    'registry_asks_nobody',
    `${who} lets everybody in and does not look at log-ins, so it cannot be told whether it would take these credentials.`,
  )

export const noSuchImage = (who: string, name: string, hasLogIn: boolean) =>
  new Problem(
    404,
    'not_found',
    hasLogIn
      ? `${who} has no image ${name}, or does not show it with the credentials that the workspace has for it.`
      : `${who} has no image ${name} that everybody may see. If it is a private one, an admin can add credentials in Integrations, under Image registries.`,
  )

export const listsNothing = (who: string) =>
  new Problem(
    409,
    'registry_lists_nothing',
    `${who} does not tell which images it has. Type the whole name of the image; its tags are found then.`,
  )
