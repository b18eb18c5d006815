import { createHmac, randomUUID } from 'node:crypto'
import { type App } from './apps.ts'
import { git, gitText, type Repository } from './bare.ts'
import { readDiff } from './repository-calls.ts'
import { showAccount, showCommit, showInstallation, showRepository } from './show.ts'
import { type GitHubAccount, type Installation, seesRepository, type State } from './state.ts'

/** What was posted, and what came back. */
export interface Sent {
  event: string
  delivery: string
  headers: Record<string, string>
  body: string
  status: number
  answer: string
}

export const sign = (secret: string, body: string) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

interface Sending {
  to?: string | undefined
  delivery?: string
  secret?: string
  body?: string
  redelivery?: boolean
}

/** Posts an event to an app as the real one does; `delivery` is the same again when it is delivered once more. */
export async function send(
  app: App,
  event: string,
  payload: object,
  {
    to = app.hookUrl,
    delivery = randomUUID(),
    secret = app.webhookSecret,
    body = JSON.stringify(payload),
    redelivery = false,
  }: Sending = {},
): Promise<Sent | undefined> {
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
    'x-hub-signature': `sha1=${createHmac('sha1', secret).update(body).digest('hex')}`,
    'x-hub-signature-256': sign(secret, body),
  }
  const { status, says, answer } = await post(to, headers, body)
  const id = 2n ** 56n + BigInt(app.attempts.length)
  const facts = { event, body, redelivery, status: says, statusCode: status }
  app.attempts.push({ id, guid: delivery, deliveredAt: new Date(), ...facts })
  return { event, delivery, headers, body, status, answer }
}

/** Whoever does not answer is not asked again by itself; it is written down, and that is all. */
async function post(to: string, headers: Record<string, string>, body: string) {
  try {
    const answered = await fetch(to, { method: 'POST', headers, body, signal: AbortSignal.timeout(10_000) })
    const { status, ok, statusText } = answered
    return { status, says: ok ? 'OK' : `Invalid HTTP Response: ${statusText}`, answer: await answered.text() }
  } catch {
    return { status: 502, says: 'failed to connect to host', answer: '' }
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
      .map(({ id, name, fullName, private: hidden }) => ({ id, name, full_name: fullName, private: hidden })),
    requester: null,
    sender: showAccount(state, sender),
  })

/** To every installation that sees the repository, and whose app listens to such events. */
export async function sendOf(
  state: State,
  repository: Repository,
  event: string,
  payload: object,
  sender: GitHubAccount,
  options: Parameters<typeof send>[3] = {},
): Promise<Sent[]> {
  const listening = [...state.installations.values()].filter(
    (one) => !one.suspendedAt && seesRepository(one, repository) && one.app.events.includes(event),
  )
  const sent = listening.map(({ id, app }) =>
    send(
      app,
      event,
      {
        ...payload,
        // Of a push GitHub counts the seconds.
        repository: {
          ...showRepository(state, repository),
          ...(event === 'push' && { pushed_at: Math.floor(repository.pushedAt.getTime() / 1_000) }),
        },
        ...(repository.owner.type === 'Organization' && {
          organization: showAccount(state, repository.owner),
        }),
        sender: showAccount(state, sender),
        installation: { id, node_id: Buffer.from(`Installation${id}`).toString('base64') },
      },
      options,
    ),
  )
  return (await Promise.all(sent)).filter((one) => one !== undefined)
}

const nothing = '0'.repeat(40)

/** What a push says: which commits came, and what each of them touched. */
export async function pushPayload(
  state: State,
  repository: Repository,
  {
    ref,
    before,
    after,
    pusher,
  }: { ref: string; before: string | undefined; after: string | undefined; pusher: GitHubAccount },
) {
  const { path, fullName } = repository
  const came = after
    ? (
        await gitText(
          path,
          'rev-list',
          '--reverse',
          '--max-count=2048',
          after,
          ...(before ? ['--not', before] : []),
        )
      ).split('\n')
    : []
  const shas = (before ? came : came.slice(-1)).filter(Boolean)
  const commits = await Promise.all(shas.map((sha) => pushed(state, repository, sha)))
  const base =
    before && after ? await gitText(path, 'merge-base', before, after).catch(() => undefined) : undefined
  return {
    ref,
    before: before ?? nothing,
    after: after ?? nothing,
    created: !before,
    deleted: !after,
    forced: Boolean(before && after && base !== before),
    base_ref: null,
    compare: `${state.url}/${fullName}/compare/${before?.slice(0, 12)}...${after?.slice(0, 12)}`,
    commits,
    head_commit: after ? await pushed(state, repository, after) : null,
    pusher: { name: pusher.login, email: pusher.emails[0]?.email ?? null },
  }
}

async function pushed(state: State, repository: Repository, sha: string) {
  const { commit, author } = await showCommit(state, repository, sha)
  const said = await git(repository.path, ['show', '--format=', '--name-status', '--no-renames', '-z', sha])
  const files = readDiff(said.toString().split('\0').filter(Boolean))
  const of = (...kinds: string[]) =>
    files.filter(({ status }) => kinds.includes(status)).map(({ filename }) => filename)
  const { name, email, date } = commit.author
  const who = { name, email, ...(author && { username: author.login }) }
  return {
    id: sha,
    tree_id: commit.tree.sha,
    distinct: true,
    message: commit.message,
    timestamp: date,
    url: `${state.url}/${repository.fullName}/commit/${sha}`,
    author: who,
    committer: who,
    added: of('added'),
    removed: of('removed'),
    modified: of('modified', 'changed'),
  }
}
