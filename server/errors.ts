import { formatCount, formatNames } from '../contract/shared/format-list.ts'

export class Problem extends Error {
  readonly code: string
  readonly status: number
  readonly retryAfter: number | undefined
  readonly url: string | undefined

  constructor(status: number, code: string, sentence: string, retryAfter?: number, url?: string) {
    super(sentence)
    this.code = code
    this.status = status
    this.retryAfter = retryAfter
    this.url = url
  }
}

/** Thrown when the requested work continues after the response, so repeating the request would do it twice. */
export class StillRunning extends Problem {}

export class Invalid extends Error {
  readonly errors: Record<string, string[]>

  constructor(errors: Record<string, string[]>) {
    super(
      Object.entries(errors)
        .map(([field, sentences]) => `${field}: ${sentences.join(' ')}`)
        .join('; '),
    )
    this.errors = errors
  }
}

export const unreadable = (reason: string) => new Problem(400, 'unreadable', reason)
export const unauthenticated = () => new Problem(401, 'unauthenticated', 'Please log in.')
export const wrongCredentials = () => new Problem(401, 'wrong_credentials', 'Wrong email or password.')
/** One message covers both cases, because separate messages would reveal whether the account exists. */
export const wrongOrUnconfirmed = () =>
  new Problem(
    401,
    'wrong_credentials',
    'Wrong email or password, or the email address is not confirmed yet. To confirm your address, open the link that was sent to it.',
  )
export const twoFactorRequired = () =>
  new Problem(401, 'two_factor_required', 'Enter the code of your authenticator app, or a recovery code.')
export const wrongCode = () => new Problem(401, 'wrong_code', 'The code is wrong or was already used.')
export const forbidden = (what: string) => new Problem(403, 'forbidden', what)
export const sessionNeeded = () =>
  new Problem(
    403,
    'session_needed',
    'API tokens cannot be used for this request. Log in to the console instead.',
  )
export const signupClosed = () => new Problem(403, 'signup_closed', 'Signup is by invite only.')
export const notFound = (what: string) => new Problem(404, 'not_found', `${what} was not found.`)
export const noWorkspace = () =>
  new Problem(404, 'no_workspace', 'You are not a member of any workspace. Create one, or accept an invite.')
export const inviteInvalid = () =>
  new Problem(
    404,
    'invite_invalid',
    'This invite cannot be used: it was already used or revoked, has expired, or is for another email address. Ask for a new one.',
  )
export const inviteUnknown = () =>
  new Problem(
    404,
    'invite_invalid',
    'This invite was already used or revoked, or its link is incomplete. Ask for a new one.',
  )
export const inviteExpired = () =>
  new Problem(404, 'invite_expired', 'This invite has expired. Ask for a new one.')
export const linkInvalid = () =>
  new Problem(404, 'link_invalid', 'This link has expired or was already used. Request a new one.')
export const importTokenInvalid = () =>
  new Problem(
    404,
    'import_token_invalid',
    'This import command cannot be used: it was already used, has expired, or its creator can no longer add servers. Create a new one in the console.',
  )
export const serverFailed = (name: string, reason: string) =>
  new Problem(502, 'server_failed', `The server ${name} returned an error: ${reason.replace(/\.?$/, '.')}`)
export const serverUnreachable = (name: string, reason: string) =>
  new Problem(
    502,
    'server_unreachable',
    `Could not reach ${name}: ${lowercaseFirst(reason).replace(/\.?$/, '.')}`,
  )
/** Lowercases the first letter after a colon, except in names and acronyms. */
const lowercaseFirst = (sentence: string) =>
  sentence.replace(/^(?!Docker|Slipway)[A-Z](?![A-Z])/, (first) => first.toLowerCase())
export const serverRefused = (name: string, user: string) =>
  new Problem(
    502,
    'server_refused',
    `The server ${name} rejected Slipway’s key for the user ${user}. Add the key with the command in the server settings, then connect again.`,
  )
export const serverSlow = (name: string) =>
  new Problem(504, 'server_slow', `The server ${name} did not respond in time.`)
export const hostKeyChanged = (name: string) =>
  conflict(
    'host_key_changed',
    `The server ${name} presented a different host key than the confirmed one, so Slipway does not connect to it. The server may have been reinstalled, or the connection may be intercepted. Compare the new key with the key on the server itself, then confirm it in the server settings.`,
  )
export const hostKeyUnknown = (name: string) =>
  conflict(
    'host_key_unknown',
    `The host key of the server ${name} is not confirmed yet. Compare it with the key on the server itself, then confirm it.`,
  )
export const terminalsFull = (where: string, most: number) =>
  conflict(
    'terminals_full',
    `${most} terminals are open ${where}, which is the limit. Close one, then try again.`,
  )
export const userTerminalsFull = (most: number) =>
  conflict(
    'terminals_full',
    `You have ${most} open terminals, which is the limit. Close one, then try again.`,
  )
export const logsFull = (most: number) =>
  conflict(
    'logs_full',
    `${most} container logs of this server are open, which is the limit. Close one, then try again.`,
  )
export const hostKeyDiffers = (name: string, shown: string) =>
  conflict(
    'host_key_differs',
    `The server ${name} presented a different host key than the one you confirmed: ${shown}. Compare it with the key on the server itself before you confirm it.`,
  )
export const serverChanged = (name: string) =>
  conflict(
    'server_changed',
    `The server ${name} was changed by another request at the same time. Check the server, then try again.`,
  )
export const serverDeleting = (name: string) =>
  conflict('server_deleting', `The server ${name} is being deleted. Choose another one.`)
export const serverBeingCreated = (name: string) =>
  conflict(
    'being_created',
    `The server ${name} is still being created at its cloud provider. Try again when it is ready.`,
  )
export const serverHasApplications = (name: string, applications: string[]) =>
  conflict(
    'server_has_applications',
    `The server ${name} has the application${applications.length === 1 ? '' : 's'} ${formatNames(applications)}. Delete the application${applications.length === 1 ? '' : 's'} first. If the server is unreachable, choose to leave its containers behind.`,
  )
export const imageConflict = (name: string, reason: string) =>
  conflict('image_conflict', `Docker did not remove ${name}: ${reason.replace(/\.?$/, '.')}`)
export const imageReserved = (name: string) =>
  conflict(
    'image_kept',
    `The image ${name} is kept so that you can roll back to a release of an application. Remove it with force if you no longer need it.`,
  )
export const conflict = (code: string, reason: string, url?: string) =>
  new Problem(409, code, reason, undefined, url)
export const dockerRefused = (reason: string) => conflict('docker_refused', toSentence(reason))
export const toSentence = (reason: string) =>
  reason
    .trim()
    .replace(/^\p{Ll}/u, (first) => first.toUpperCase())
    .replace(/[.!?]?$/, '.')
export const integrationNotConfigured = (what: string, who = 'an instance owner') =>
  conflict('integration_off', `${what} is not configured on this instance. Ask ${who} to set it up.`)
export const tooLarge = () => new Problem(413, 'too_large', 'This request is too large.')
export const unsupportedMedia = () =>
  new Problem(415, 'unsupported_media', 'Send JSON, with content type application/json.')
export const tooSlow = () => new Problem(408, 'too_slow', 'The request was not received in time.')
export const upgradeNeeded = () =>
  new Problem(426, 'upgrade_needed', 'This URL is a WebSocket endpoint. Use a WebSocket client.')
export const originNotAllowed = (origin: string) =>
  new Problem(
    403,
    'foreign_page',
    `The origin ${origin.slice(0, 200)} cannot open WebSockets to this instance. The operator of this instance can add the origin to CORS_ORIGINS.`,
  )
export const headersTooLarge = () =>
  new Problem(431, 'headers_too_large', 'The headers of this request are too large.')
export const notReady = (reason: string) => new Problem(503, 'not_ready', reason, 2)
export const logsBusy = (name: string) =>
  new Problem(503, 'logs_busy', `Too many logs of the server ${name} are being read. Try again shortly.`, 10)
export const searchesBusy = () =>
  new Problem(503, 'searches_busy', 'Too many logs are being searched. Try again shortly.', 5)
export const commandStillRunning = () =>
  new StillRunning(
    503,
    'command_goes_on',
    'Slipway is stopping. The command keeps running on the server; find its output in the server’s commands.',
    5,
  )
export const commandResultLate = (name: string) =>
  new StillRunning(
    504,
    'command_goes_on',
    `The server ${name} did not report the result of the command in time; it may be unreachable. The command keeps running: find it in the server’s commands before you run it again.`,
  )
export const actionStillRunning = (container: string, server: string) =>
  new StillRunning(
    504,
    'action_goes_on',
    `The server ${server} did not confirm the action on container ${container} in time. It may still be in progress: check the container before you try again.`,
  )
export const tooManyRequests = (seconds: number) =>
  new Problem(429, 'too_many', `Too many attempts. Try again in ${formatWait(seconds)}.`, seconds)
export const serviceFailed = (who: string, reason: string) =>
  new Problem(
    502,
    'outside_failed',
    `The request to ${who.replace(/^The /, 'the ')} failed: ${reason.replace(/\.?$/, '.')}`,
  )
export const serviceTimedOut = (who: string) =>
  new Problem(504, 'outside_slow', `${who} did not respond in time.`)
export const serviceRateLimited = (who: string, seconds: number) =>
  new Problem(
    429,
    'outside_busy',
    `${who} rate-limits this instance. Try again in ${formatWait(seconds)}.`,
    seconds,
  )
export const databaseUnreachable = () =>
  new Problem(503, 'database_away', 'Slipway cannot reach its database. Try again shortly.', 2)
export const diskFull = () =>
  new Problem(
    503,
    'disk_full',
    'The disk that holds the database is full. Free up space, then try again.',
    30,
  )

const formatWait = (seconds: number) =>
  seconds < 90 ? formatCount(seconds, 'second') : `${Math.ceil(seconds / 60)} minutes`
