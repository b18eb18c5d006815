import { createHmac, randomUUID } from 'node:crypto'
import { git, gitText, type Repository } from './bare.ts'
import { parseDiff } from './repository-calls.ts'
import { showAccount, showCommit, showInstallation, showRepository } from './show.ts'
import { type App, type GitHubAccount, type Installation, seesRepository, type State } from './state.ts'

/** A request to a webhook, and the response. */
export interface SentDelivery {
  event: string
  delivery: string
  headers: Record<string, string>
  body: string
  status: number
  answer: string
}

export const sign = (secret: string, body: string) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

export interface DeliveryOptions {
  to?: string
  /** Its id, which stays the same when it is delivered again. */
  delivery?: string
  secret?: string
  body?: string
  redelivery?: boolean
}

/** Posts an event to an App once, and records the attempt: GitHub does not retry by itself. */
export async function send(app: App, event: string, payload: object, options: DeliveryOptions = {}) {
  const { delivery = randomUUID(), secret = app.webhookSecret, redelivery = false } = options
  const { to = app.hookUrl, body = JSON.stringify(payload) } = options
  if (!to) return undefined
  const headers = {
    accept: '*/*',
    'content-type': 'application/json',
    'user-agent': 'GitHub-Hookshot/044aadd',
    'x-github-delivery': delivery,
    'x-github-event': event,
    'x-github-hook-id': '292430182',
    'x-github-hook-installation-target-id': String(app.id),
    'x-github-hook-installation-target-type': 'integration',
    'x-hub-signature-256': sign(secret, body),
  }
  const { status: statusCode, result: status, answer } = await post(to, headers, body)
  const id = 2n ** 56n + BigInt(app.attempts.length)
  const deliveredAt = new Date()
  app.attempts.push({ id, guid: delivery, deliveredAt, event, body, redelivery, status, statusCode })
  return { event, delivery, headers, body, status: statusCode, answer }
}

async function post(to: string, headers: Record<string, string>, body: string) {
  try {
    const response = await fetch(to, { method: 'POST', headers, body, signal: AbortSignal.timeout(60_000) })
    const { status, ok, statusText } = response
    const result = ok ? 'OK' : `Invalid HTTP Response: ${statusText}`
    return { status, result, answer: await response.text() }
  } catch {
    return { status: 502, result: 'failed to connect to host', answer: '' }
  }
}

export const sendInstallation = (
  state: State,
  installation: Installation,
  action: string,
  sender: GitHubAccount,
) =>
  send(installation.app, 'installation', {
    action,
    installation: showInstallation(state, installation),
    repositories: state.repositories
      .filter((one) => seesRepository(installation, one))
      .map(({ id, name, fullName, private: isPrivate }) => ({
        id,
        name,
        full_name: fullName,
        private: isPrivate,
      })),
    sender: showAccount(state, sender),
  })

/** Sends an event to every installation that sees the repository and whose App subscribes to such events. */
export async function sendOf(
  state: State,
  repository: Repository,
  event: string,
  payload: object,
  sender: GitHubAccount,
  options?: DeliveryOptions,
): Promise<SentDelivery[]> {
  const subscribed = [...state.installations.values()].filter(
    (one) => !one.suspendedAt && seesRepository(one, repository) && one.app.events.includes(event),
  )
  const shown = {
    ...showRepository(state, repository),
    // A push has Unix seconds.
    ...(event === 'push' && { pushed_at: Math.floor(repository.pushedAt.getTime() / 1_000) }),
  }
  const common = { ...payload, repository: shown, sender: showAccount(state, sender) }
  const sent = await Promise.all(
    subscribed.map(({ id, app }) => send(app, event, { ...common, installation: { id } }, options)),
  )
  return sent.filter((one) => one !== undefined)
}

const noCommit = '0'.repeat(40)

interface RefUpdate {
  ref: string
  before: string | undefined
  after: string | undefined
  pusher: GitHubAccount
}

/** The payload of a push, with its commits and the files that each of them changed. */
export async function pushPayload(state: State, repository: Repository, update: RefUpdate) {
  const { ref, before, after, pusher } = update
  const { path } = repository
  const range = after ? [after, ...(before ? ['--not', before] : [])] : []
  const listed = after ? await gitText(path, 'rev-list', '--reverse', '--max-count=2048', ...range) : ''
  const shas = listed.split('\n').filter(Boolean)
  const commits = (before ? shas : shas.slice(-1)).map((sha) => showPushed(state, repository, sha))
  const base =
    before && after ? await gitText(path, 'merge-base', before, after).catch(() => undefined) : undefined
  return {
    ref,
    before: before ?? noCommit,
    after: after ?? noCommit,
    created: !before,
    deleted: !after,
    forced: Boolean(before && after && base !== before),
    commits: await Promise.all(commits),
    head_commit: after ? await showPushed(state, repository, after) : null,
    pusher: { name: pusher.login, email: pusher.emails[0]?.email ?? null },
  }
}

async function showPushed(state: State, repository: Repository, sha: string) {
  const { commit, author, html_url: url } = await showCommit(state, repository, sha)
  const names = ['--format=', '--name-status', '--no-renames', '-z']
  const files = parseDiff(await git(repository.path, ['show', ...names, sha]))
  const namesOf = (...kinds: string[]) =>
    files.filter(({ status }) => kinds.includes(status)).map(({ filename }) => filename)
  const { date: timestamp, ...person } = commit.author
  return {
    id: sha,
    message: commit.message,
    timestamp,
    url,
    author: { ...person, ...(author && { username: author.login }) },
    added: namesOf('added'),
    removed: namesOf('removed'),
    modified: namesOf('modified', 'changed'),
  }
}
