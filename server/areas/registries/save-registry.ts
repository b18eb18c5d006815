import type { z } from 'zod'
import type { Id } from '../../../contract/shared/ids.ts'
import type { createRegistry, updateRegistry } from '../../../contract/registries.ts'
import type { Context } from '../../context.ts'
import { conflict, Invalid, notFound, serviceFailed, Problem } from '../../errors.ts'
import { emit } from '../../events.ts'
import { errorCode } from '../../platform/db.ts'
import { newId } from '../../platform/ids.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor } from '../../route.ts'
import type { Db } from '../../tables.ts'
import { dockerHub, hubNames, isValidRegistryHost } from './image-reference.ts'
import { openRegistryLogin, passwordSealContext } from './registry-credentials.ts'
import { getRegistryRow, presentRegistry, registryTarget } from './registry.ts'
import {
  findSameScope,
  insertRegistry,
  lockRegistryRow,
  type RegistryRow,
  updateRegistryRow,
} from './store.ts'
import { randomUUID } from 'node:crypto'
import { createRegistryClient } from './registry-client.ts'
import { logInToHub, type RegistryLogin } from './docker-hub.ts'
import { credentialsNotChecked, WrongCredentials, wrongRegistryCredentials } from './registry-errors.ts'

type NewRegistry = z.output<(typeof createRegistry)['body']>
type RegistryChanges = z.output<(typeof updateRegistry)['body']>

export async function addRegistry(
  ctx: Context,
  actor: Actor,
  { unchecked, password, ...fields }: NewRegistry,
) {
  const id = newId('registry')
  const host = resolveHost(fields)
  const workspace_id = actor.workspace.id
  await assertScopeIsFree(ctx.db, { workspace_id, host, scope: fields.scope })
  if (!unchecked) await checkCredentialsBeforeSaving(ctx, host, { username: fields.username, password })
  return transaction(ctx.db, async (trx) => {
    const row = await insertRegistry(trx, {
      ...fields,
      id,
      workspace_id,
      host,
      password_sealed: ctx.secrets.seal(passwordSealContext(id), password),
      error: null,
      checked_at: unchecked ? null : new Date(),
    })
    if (!row) throw scopeTaken(host, fields.scope)
    await emit(trx, actor, workspace_id, 'registry.created', registryTarget(row), `at ${row.host}`)
    return presentRegistry(row)
  })
}

const ownHosts = { docker_hub: dockerHub, ghcr: 'ghcr.io', gitlab: 'registry.gitlab.com' }

/** Only GitLab can be self-hosted; the other kinds have a fixed host. */
function resolveHost({ kind, host }: Pick<NewRegistry, 'kind' | 'host'>): string {
  if (host && !isValidRegistryHost(host))
    throw new Invalid({ host: ['This is not a valid host. Check its IP address and port.'] })
  if (kind === 'other') {
    if (!host) throw new Invalid({ host: ['Enter the host, such as registry.example.com:5000.'] })
    if (hubNames.includes(host))
      throw new Invalid({ host: ['This is the host of Docker Hub. Choose the type Docker Hub instead.'] })
    return host
  }
  const fixedHost = ownHosts[kind]
  if (host !== undefined && host !== fixedHost && kind !== 'gitlab')
    throw new Invalid({
      host: [`Must be ${fixedHost} or omitted. For another registry, use the type “other”.`],
    })
  return host ?? fixedHost
}

export async function editRegistry(ctx: Context, actor: Actor, id: Id<'registry'>, input: RegistryChanges) {
  const { unchecked, password, ...changes } = input
  const row = await getRegistryRow(ctx, actor, id)
  const isNewLogIn = password !== undefined || (changes.username ?? row.username) !== row.username
  if (changes.scope !== undefined && changes.scope !== row.scope)
    await assertScopeIsFree(ctx.db, { ...row, scope: changes.scope })
  if (isNewLogIn && !unchecked)
    await checkCredentialsBeforeSaving(ctx, row.host, {
      username: changes.username ?? row.username,
      password: password ?? openRegistryLogin(ctx, row).password,
    })
  return transaction(ctx.db, async (trx) => {
    // Another request may have changed the row during the check.
    const now = await lockRegistryRow(trx, actor.workspace.id, id)
    if (!now) throw notFound('This registry')
    if (isNewLogIn && !isSameLogIn(now, row)) throw registryChanged(now.name)
    const scope = changes.scope ?? now.scope
    const changed = await updateRegistryRow(trx, actor.workspace.id, now, {
      name: changes.name ?? now.name,
      scope,
      ...(isNewLogIn && {
        username: changes.username ?? row.username,
        error: null,
        checked_at: unchecked ? null : new Date(),
      }),
      ...(password !== undefined && { password_sealed: ctx.secrets.seal(passwordSealContext(id), password) }),
    }).catch((error: unknown) => {
      throw errorCode(error) === '23505' ? scopeTaken(row.host, scope) : error
    })
    if (!changed) throw notFound('This registry')
    await emit(trx, actor, actor.workspace.id, 'registry.updated', registryTarget(changed))
    return presentRegistry(changed)
  })
}

const isSameLogIn = (a: RegistryRow, b: RegistryRow) =>
  a.username === b.username && a.password_sealed === b.password_sealed

async function assertScopeIsFree(
  db: Db,
  { workspace_id, host, scope }: Pick<RegistryRow, 'workspace_id' | 'host' | 'scope'>,
) {
  const same = await findSameScope(db, workspace_id, host, scope)
  if (same) throw scopeTaken(host, scope, same.name)
}

const registryChanged = (name: string) =>
  conflict(
    'registry_changed',
    `The credentials of ${name} were changed at the same time, so your changes were not saved. Reload the page, then try again.`,
  )

const scopeTaken = (host: string, scope: string, name?: string) =>
  new Invalid({
    scope: [
      `The workspace already has credentials for ${scope ? `${host}/${scope}` : `all images on ${host}`}${name === undefined ? '' : `: ${name}`}. Edit these credentials, or enter another prefix.`,
    ],
  })

export async function checkRegistryCredentials(
  ctx: Context,
  host: string,
  logIn: RegistryLogin,
): Promise<void> {
  if (host === dockerHub) {
    await logInToHub(ctx, logIn)
    return
  }
  const visit = createRegistryClient(ctx, { host, logIn }, { scope: '', what: 'anything' })
  const { status } = await visit.get('/v2/')
  if (status !== 200)
    throw serviceFailed(visit.who, `status ${status} at /v2/, so this host may not be an image registry`)
  if (visit.wasAsked()) return
  // The registry allows anonymous access, so success proves nothing unless it rejects wrong credentials.
  const takes = async (login: RegistryLogin) =>
    ![401, 403].includes((await visit.getAs('/v2/', login)).status)
  if (!(await takes(logIn))) throw wrongRegistryCredentials(visit.who, 401)
  if (await takes({ username: `nobody-${randomUUID()}`, password: randomUUID() }))
    throw credentialsNotChecked(visit.who)
}

async function checkCredentialsBeforeSaving(ctx: Context, host: string, logIn: RegistryLogin): Promise<void> {
  try {
    await checkRegistryCredentials(ctx, host, logIn)
  } catch (error) {
    if (error instanceof WrongCredentials) throw new Invalid({ password: [error.message] })
    if (!(error instanceof Problem) || error.status === 429) throw error
    throw new Problem(
      error.status,
      error.code,
      `${error.message} The credentials were not saved. Save them without a check if only your servers can reach the registry.`,
      error.retryAfter,
    )
  }
}
