import type { Pair } from '../../../../contract/shared/entries.ts'
import { DockerError } from '../../../remote/errors.ts'
import type { Docker } from '../../../remote/host.ts'
import type { ReleaseConfig, Trx } from '../../../tables.ts'
import { openFrozenConfig } from '../../applications/changes/frozen-config.ts'
import { type Instance, updateInstance } from '../../applications/instance.ts'
import type { Model } from '../../compose/model.ts'
import { allEnded } from '../run/all-ended.ts'
import { type Attempt, Failed, hostFor, Over, releaseOf, writeAs } from '../run/attempt.ts'
import { chooseAddresses } from '../networks/choose-addresses.ts'
import { isOf, joinNetwork, listMade, removeContainer } from './containers.ts'
import { withoutValues } from '../run/environment.ts'
import { hasCompleted } from './has-completed.ts'
import { isPassing } from '../run/hold-out.ts'
import type { OwnPlace } from '../networks/own-networks.ts'
import { partOf } from './part.ts'
import { type Specified, specify } from './specify.ts'
import { whyNotStarted } from './why-not-started.ts'
import { Readable } from 'node:stream'
import type { GivenFile } from '../../compose/files.ts'
import { writeTar } from './tar.ts'

/** How often another address is tried when somebody else has the one that was chosen. */
const tries = 4
const patience = 60_000

/** Makes and starts its container, unless an earlier try has done so. Without a signal: what is made must be known. */
export async function bringUp(
  attempt: Attempt,
  given: Instance,
  { place, model }: { place: OwnPlace | undefined; model: Model | undefined },
): Promise<void> {
  const { docker } = hostFor(attempt)
  const config = openFrozenConfig(attempt.ctx, 'releases', releaseOf(attempt))
  const part = partOf(releaseOf(attempt), given.service)
  let instance = given
  for (let nth = 1; ; nth++) {
    const specified = await specify(attempt, instance, model)
    const { name, secrets } = specified
    try {
      const id = instance.container_id ?? (await make(docker, instance, specified))
      const isDone = attempt.wasInterrupted && (await hasCompleted(docker, part, id))
      if (!isDone) await equip(docker, id, specified)
      // Whoever comes after us knows it by its name as well, so that need not wait for the row.
      await allEnded([
        change(attempt, instance, { container_id: id }).then((now) => (instance = now)),
        ...(isDone
          ? []
          : [docker.json({ method: 'POST', path: `/containers/${id}/start`, timeout: patience })]),
      ])
      attempt.log.say(`Started container ${name}${instance.address ? ` (${instance.address})` : ''}`)
      return
    } catch (error) {
      if (!(error instanceof DockerError) || isPassing(error)) throw error
      if (nth === tries || !(isTaken.test(error.message) || isGone(error)))
        throw notStarted(attempt, { name, config, secrets }, error.message)
      instance = await makeAnew(attempt, instance, place)
    }
  }
}

interface Wanted {
  name: string
  config: ReleaseConfig
  secrets: Pair[]
}

/** A command can quote a value just as Docker does. */
function notStarted({ log, server }: Attempt, { name, config, secrets }: Wanted, said: string): Failed {
  const why = whyNotStarted(said, { container: name, server: server.name, config })
  const words = withoutValues(`Docker: ${said.replace(/\.?$/, '.')}`, secrets)
  log.say(words)
  return new Failed(withoutValues(why, secrets), [words])
}

const isTaken = /address already in use/i
const isGone = ({ status, message }: DockerError) => status === 404 && /no such container/i.test(message)

/** Its name tells it from all others, so one that is there already is that of an earlier try. */
async function make(
  docker: Docker,
  instance: Instance,
  { name, body, platform }: Specified,
): Promise<string> {
  try {
    const query = new URLSearchParams({ name, ...(platform && { platform }) }).toString()
    const path = `/containers/create?${query}`
    return (await docker.json<{ Id: string }>({ method: 'POST', path, body, timeout: patience })).Id
  } catch (error) {
    if (!(error instanceof DockerError && error.status === 409)) throw error
    const made = (await listMade(docker, instance.application_id)).find((one) => isOf(one, instance))
    if (!made) throw error
    return made.id
  }
}

/** All that Docker does not take as a container is made. */
async function equip(docker: Docker, id: string, { connect, files }: Specified): Promise<void> {
  for (const { network, config } of connect) await joinNetwork(docker, { id, network, config })
  if (files.length > 0) await putFiles(docker, id, files)
}

/** At another address. Whoever has lost it removes nothing. */
async function makeAnew(
  attempt: Attempt,
  instance: Instance,
  place: OwnPlace | undefined,
): Promise<Instance> {
  await writeAs(attempt, async () => {})
  if (instance.container_id)
    await removeContainer(hostFor(attempt).docker, instance.container_id, { volumes: true })
  return writeAs(attempt, async (trx) => {
    const [address = instance.address] = place ? await chooseAddresses(attempt, trx, place, 1) : []
    const network = place ? place.network : instance.network
    return update(trx, instance, { address, network, container_id: null })
  })
}

const change = (attempt: Attempt, instance: Instance, changes: Parameters<typeof updateInstance>[3]) =>
  writeAs(attempt, (trx) => update(trx, instance, changes))

async function update(
  trx: Trx,
  { workspace_id, id }: Instance,
  changes: Parameters<typeof updateInstance>[3],
) {
  const now = await updateInstance(trx, workspace_id, id, changes)
  if (!now) throw new Over()
  return now
}

/** Puts files into a container that was made and does not run yet; folders that are missing are made. Safe to do again. */
async function putFiles(docker: Docker, id: string, files: GivenFile[]): Promise<void> {
  try {
    const answer = await docker.stream({
      method: 'PUT',
      path: `/containers/${id}/archive?path=%2F`,
      headers: { 'content-type': 'application/x-tar' },
      input: Readable.from([writeTar(files)]),
      timeout: 60_000,
    })
    await answer.toArray()
  } catch (error) {
    if (!(error instanceof DockerError) || isPassing(error) || error.status === 404) throw error
    const paths = files.map(({ path }) => path).join(', ')
    // Nothing that Docker says of them is told on: it may quote what is in them.
    if (!isReadOnly.test(error.message))
      throw new Failed(
        `Docker could not copy ${paths} into the container (status ${error.status}). Check the secrets and configs of the service and the free disk space on the server.`,
      )
    throw new Failed(
      `${paths} cannot be copied into a container with a read-only file system. Remove read_only from the compose file, or provide the secrets and configs as files in the application folder.`,
    )
  }
}

const isReadOnly = /read-only/i
