import { setTimeout as sleep } from 'node:timers/promises'
import { serviceTimedOut } from '../../../errors.ts'
import { createCallToken, deleteCallToken } from '../../imports/import-token.ts'
import { accountOf, type CloudTokenRow, isInPlace } from '../../cloud-tokens/cloud-token.ts'
import { CloudAway, CloudBusy, CloudRefused, NoRight, TokenRefused } from '../../providers/cloud-errors.ts'
import type { CloudServer } from '../../providers/provider.ts'
import { Changed, type Creation, CreationFailed, note } from '../creation.ts'
import { hostNameOf } from '../host-name.ts'
import { insist, tokenOf } from '../insist.ts'
import { afterFailure, Later, pauseAfter } from '../later.ts'
import { record } from '../record.ts'
import { inTheEnd, refusedThere } from '../sentences.ts'
import { askMs, paceOf, settleMs } from '../settle.ts'
import { askedAgoMs, markAsked } from '../store.ts'
import { userDataFor } from '../user-data.ts'

const keyTries = 3
/** Milliseconds between checks for a server that may appear. */
const lookAgain = 5_000

/** Creates the server exactly once. A server that carries its tag, from a crashed attempt, is adopted. */
export async function create(creation: Creation): Promise<void> {
  const { run, tries } = creation
  const { made: found, left } = await findMade(creation)
  // After an internal error, keep the job: a new one would lose the attempt count.
  if (left > 0 && run.attempt === 1) throw new Later(Math.min(left, lookAgain), { tries })
  const late = left > 0 ? await waitForMade(creation) : undefined
  const made = found ?? late ?? (await ask(creation))
  if (made) await record(creation, made)
}

interface Found {
  made: CloudServer | undefined
  /** Milliseconds during which a requested server may still appear. */
  left: number
}

async function findMade(creation: Creation): Promise<Found> {
  const { ctx, server } = creation
  const [made] = await listMade(creation)
  const ago = made ? null : await askedAgoMs(ctx.db, server.workspace_id, server.id)
  return { made, left: ago === null ? 0 : Math.max(0, settleMs(ctx.config) - ago) }
}

export async function listMade(creation: Creation): Promise<CloudServer[]> {
  const all = await insist(creation, (provider, account) => provider.listServers(account, creation.server.id))
  const age = (made: CloudServer) => made.created_at?.getTime() ?? Infinity
  return all.filter(({ status }) => status !== 'deleted').toSorted((a, b) => age(a) - age(b))
}

async function ask(creation: Creation): Promise<CloudServer | undefined> {
  const { ctx, cloud, server, provider } = creation
  const wasOpen = cloud.asked_at !== null
  const token = await tokenOf(creation)
  const wanted = wantedOf(creation)
  const line = await writeAsked(creation, token)
  // Not abortable: the outcome of the request must be known.
  const end = AbortSignal.timeout(askMs(ctx.config))
  try {
    const userData = userDataFor(line.url)
    return await provider.createServer(accountOf(ctx, token, end), { ...wanted, userData })
  } catch (error) {
    // The name may be taken by the server that an earlier request created.
    const isOpen = !isAnswer(error) || (wasOpen && isRefused(error, 'name_taken'))
    await note(creation, isOpen ? {} : { cloud: { asked_at: null } }, (trx) =>
      isOpen
        ? markAsked(trx, server.workspace_id, server.id, 0)
        : deleteCallToken(trx, server.workspace_id, line.hash),
    )
    if (!(error instanceof CloudRefused))
      throw await afterFailure(creation, token, error === end.reason ? tooSlow(provider.name) : error)
    // A new key may not be visible everywhere yet.
    if (error.why === 'no_key' && creation.tries < keyTries) throw new Later(pauseAfter(creation.tries))
    if (!isOpen || !(await waitForMade(creation)))
      throw new CreationFailed(refusedThere(error.message), { asked_at: null })
    return undefined
  }
}

/** Any other error leaves open whether the server was created. */
const isAnswer = (error: unknown) =>
  [CloudRefused, CloudBusy, TokenRefused, NoRight].some((answer) => error instanceof answer)

const isRefused = (error: unknown, why: CloudRefused['why']) =>
  error instanceof CloudRefused && error.why === why

function tooSlow(name: string): CloudAway {
  const { status, code, message } = serviceTimedOut(name)
  return new CloudAway(status, code, message)
}

async function waitForMade(creation: Creation): Promise<CloudServer | undefined> {
  for (;;) {
    const { made, left } = await findMade(creation)
    if (left === 0) return made
    const pause = Math.min(left, lookAgain * paceOf(creation.ctx.config))
    await sleep(pause, undefined, { signal: creation.run.signal })
  }
}

function wantedOf({ server, cloud }: Creation) {
  const { region, type } = server
  const { image, cloud_key_id: keyId } = cloud
  if (region === null || type === null || image === null || keyId === null)
    throw new CreationFailed(inTheEnd(cloud, 'The configuration of the server to create is missing.'))
  return { name: hostNameOf(server), region, type, image, keyId, madeFor: server.id }
}

/** Saved before the request, so that the next worker knows that there was one. */
async function writeAsked(creation: Creation, token: CloudTokenRow): Promise<{ url: string; hash: string }> {
  const { ctx, server } = creation
  const asked = { line: { url: '', hash: '' }, cloud: creation.cloud }
  await note(creation, {}, async (trx) => {
    // With a token of another account, the created server could not be found.
    if (!(await isInPlace(trx, token))) throw new Changed()
    asked.line = await createCallToken(ctx, trx, server)
    asked.cloud = await markAsked(trx, server.workspace_id, server.id, askMs(ctx.config))
  })
  creation.cloud = asked.cloud
  return asked.line
}
