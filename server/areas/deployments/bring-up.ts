import { DockerError } from '../../remote/errors.ts'
import type { Docker } from '../../remote/host.ts'
import type { Trx } from '../../tables.ts'
import { type Instance, updateInstance } from '../applications/instance.ts'
import { environmentOf, type Release } from '../applications/release.ts'
import type { Subnet } from './addresses.ts'
import { type Attempt, Failed, hostFor, Over, writeAs } from './attempt.ts'
import { chooseAddresses } from './choose-addresses.ts'
import { isOf, listMade, removeContainer } from './containers.ts'
import { withoutValues } from './environment.ts'
import { isPassing } from './hold-out.ts'
import { specificationOf } from './specification.ts'

/** How often another address is tried when somebody else has the one that was chosen. */
const tries = 4
const patience = 60_000

/** Makes and starts its container, unless an earlier try has done so. Without a signal: what is made must be known. */
export async function bringUp(
  attempt: Attempt,
  release: Release,
  given: Instance,
  subnet: Subnet,
): Promise<void> {
  const { docker } = hostFor(attempt)
  const env = environmentOf(attempt.ctx, release)
  let instance = given
  for (let nth = 1; ; nth++) {
    const { name, body } = specificationOf({ application: attempt.application, release, instance, env })
    try {
      const id = instance.container_id ?? (await make(docker, instance, name, body))
      if (!instance.container_id) instance = await change(attempt, instance, { container_id: id })
      await docker.json({ method: 'POST', path: `/containers/${id}/start`, timeout: patience })
      attempt.log.say(`Started the container ${name} at ${instance.address}.`)
      return
    } catch (error) {
      if (!(error instanceof DockerError) || isPassing(error)) throw error
      const said = withoutValues(error.message, env).replace(/\.?$/, '.')
      if (nth === tries || !(isTaken.test(error.message) || isGone(error)))
        throw new Failed(`Docker could not start the container ${name}: ${said}`)
      instance = await makeAnew(attempt, instance, subnet)
    }
  }
}

const isTaken = /address already in use/i
const isGone = ({ status, message }: DockerError) => status === 404 && /no such container/i.test(message)

/** Its name tells it from all others, so one that is there already is that of an earlier try. */
async function make(docker: Docker, instance: Instance, name: string, body: object): Promise<string> {
  try {
    const query = new URLSearchParams({ name }).toString()
    const path = `/containers/create?${query}`
    return (await docker.json<{ Id: string }>({ method: 'POST', path, body, timeout: patience })).Id
  } catch (error) {
    if (!(error instanceof DockerError && error.status === 409)) throw error
    const made = (await listMade(docker, instance.application_id)).find((one) => isOf(one, instance))
    if (!made) throw error
    return made.id
  }
}

/** At another address. Whoever has lost it removes nothing. */
async function makeAnew(attempt: Attempt, instance: Instance, subnet: Subnet): Promise<Instance> {
  await writeAs(attempt, async () => {})
  if (instance.container_id)
    await removeContainer(hostFor(attempt).docker, instance.container_id, { volumes: true })
  return writeAs(attempt, async (trx) => {
    const [address = instance.address] = await chooseAddresses(attempt, trx, subnet, 1)
    return update(trx, instance, { address, container_id: null })
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
