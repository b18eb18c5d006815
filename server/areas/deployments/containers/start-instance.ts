import type { Pair } from '../../../../contract/shared/entries.ts'
import { allSettledOrThrow } from '../../../platform/async.ts'
import { formatBytesExact } from '../../../../contract/shared/bytes.ts'
import { DockerError } from '../../../remote/errors.ts'
import type { Docker } from '../../../remote/host.ts'
import type { ReleaseConfig, Trx } from '../../../tables.ts'
import { openFrozenConfig } from '../../applications/release.ts'
import { type Instance, updateInstance } from '../../applications/instance.ts'
import { chooseAddresses } from '../networks/addresses.ts'
import type { NetworkAssignment } from '../networks/own-networks.ts'
import {
  DeploymentEnded,
  DeploymentFailed,
  getRunHost,
  isTransientDockerError,
  type ReleaseRun,
  writeWithLease,
} from '../run/deployment-run.ts'
import { maskEnvironmentValues } from '../run/redact.ts'
import {
  belongsToInstance,
  joinNetwork,
  listManagedContainers,
  removeContainer,
  hasContainerCompleted,
} from './containers.ts'
import { serviceSpec, type ContainerSpec, buildContainerSpec } from './specification.ts'
import { putFiles } from './copy-files.ts'

const maxAttempts = 4
const dockerTimeout = 60_000

/** Not abortable, so that no container is created without being recorded. */
export async function startInstance(
  run: ReleaseRun,
  reserved: Instance,
  assignment: NetworkAssignment | undefined,
): Promise<void> {
  const { docker } = getRunHost(run)
  const config = openFrozenConfig(run.ctx, 'releases', run.release)
  const part = serviceSpec(run.release, reserved.service)
  let instance = reserved
  for (let attempt = 1; ; attempt++) {
    const specified = await buildContainerSpec(run, instance)
    const { name, secrets } = specified
    try {
      const id = instance.container_id ?? (await createContainer(docker, instance, specified))
      const isDone = run.interruption.occurred && (await hasContainerCompleted(docker, part, id))
      if (!isDone) await prepareContainer(docker, id, specified)
      // A later worker also finds the container by its name, so starting need not wait for the row.
      await allSettledOrThrow([
        save(run, instance, { container_id: id }).then((now) => (instance = now)),
        ...(isDone
          ? []
          : [docker.json({ method: 'POST', path: `/containers/${id}/start`, timeout: dockerTimeout })]),
      ])
      run.log.write(`Started container ${name}${instance.address ? ` (${instance.address})` : ''}`)
      return
    } catch (error) {
      if (!(error instanceof DockerError) || isTransientDockerError(error)) throw error
      if (attempt === maxAttempts || !(addressInUse.test(error.message) || isMissingContainer(error)))
        throw startError(run, { name, config, secrets }, error.message)
      instance = await recreateWithNewAddress(run, instance, assignment)
    }
  }
}

interface FailedStart {
  name: string
  config: ReleaseConfig
  secrets: Pair[]
}

/** The command may contain a secret, too. */
function startError(
  { log, server }: ReleaseRun,
  { name, config, secrets }: FailedStart,
  message: string,
): DeploymentFailed {
  const why = startFailureMessage(message, { container: name, server: server().name, config })
  const line = maskEnvironmentValues(`Docker: ${message.replace(/\.?$/, '.')}`, secrets)
  log.write(line)
  return new DeploymentFailed(maskEnvironmentValues(why, secrets), [line])
}

const addressInUse = /address already in use/i
const isMissingContainer = ({ status, message }: DockerError) =>
  status === 404 && /no such container/i.test(message)

/** The name is unique, so an existing container is from an earlier attempt. */
async function createContainer(
  docker: Docker,
  instance: Instance,
  { name, body, platform }: ContainerSpec,
): Promise<string> {
  try {
    const query = new URLSearchParams({ name, ...(platform && { platform }) }).toString()
    const path = `/containers/create?${query}`
    return (await docker.json<{ Id: string }>({ method: 'POST', path, body, timeout: dockerTimeout })).Id
  } catch (error) {
    if (!(error instanceof DockerError && error.status === 409)) throw error
    const existing = (await listManagedContainers(docker, instance.application_id)).find((one) =>
      belongsToInstance(one, instance),
    )
    if (!existing) throw error
    return existing.id
  }
}

async function prepareContainer(
  docker: Docker,
  id: string,
  { connect, files }: ContainerSpec,
): Promise<void> {
  for (const { network, config } of connect) await joinNetwork(docker, { id, network, config })
  if (files.length > 0) await putFiles(docker, id, files)
}

async function recreateWithNewAddress(
  run: ReleaseRun,
  instance: Instance,
  assignment: NetworkAssignment | undefined,
): Promise<Instance> {
  await writeWithLease(run, async () => {})
  if (instance.container_id)
    await removeContainer(getRunHost(run).docker, instance.container_id, { volumes: true })
  return writeWithLease(run, async (trx) => {
    const [address = instance.address] = assignment ? await chooseAddresses(run, trx, assignment, 1) : []
    const network = assignment ? assignment.network : instance.network
    return update(trx, instance, { address, network, container_id: null })
  })
}

const save = (run: ReleaseRun, instance: Instance, changes: Parameters<typeof updateInstance>[3]) =>
  writeWithLease(run, (trx) => update(trx, instance, changes))

async function update(
  trx: Trx,
  { workspace_id, id }: Instance,
  changes: Parameters<typeof updateInstance>[3],
) {
  const now = await updateInstance(trx, workspace_id, id, changes)
  if (!now) throw new DeploymentEnded()
  return now
}

interface FailedContainer {
  container: string
  server: string
  config: Pick<ReleaseConfig, 'command' | 'cpu_limit' | 'memory_limit'>
}

export function startFailureMessage(message: string, failed: FailedContainer): string {
  const why = reasons.find(({ when }) => when.test(message))?.why(failed, message)
  return `Container ${failed.container} could not be started${why ? `: ${why}` : '.'}`
}

const reasons: { when: RegExp; why: (failed: FailedContainer, message: string) => string }[] = [
  // `failureMessage` turns this into the disk full message.
  { when: /no space left on device/i, why: () => 'no space left on device.' },
  {
    when: /executable file not found|exec: .*no such file or directory/i,
    why: ({ config: { command } }) =>
      command
        ? `the image has no executable ${quote(command[0])}. Check the command in the settings; it does not run in a shell.`
        : 'the executable of the image was not found. Set a command in the settings, or choose another image.',
  },
  {
    when: /exec: .*permission denied/i,
    why: ({ config: { command } }) =>
      `${command ? quote(command[0]) : 'the entrypoint of the image'} is not executable. Check the command in the settings.`,
  },
  {
    when: /exec format error/i,
    why: () => 'the executable is built for another CPU architecture, or is not a program.',
  },
  {
    when: /no command specified/i,
    why: () => 'the image has no default command. Set a command in the settings.',
  },
  {
    when: /range of CPUs is from/i,
    why: ({ config: { cpu_limit }, server }, message) =>
      `the CPU limit is ${cpu_limit}, but ${server} has ${/only ([\d.]+) CPUs/.exec(message)?.[1] ?? 'fewer'} cores. Lower the limit in the settings.`,
  },
  {
    when: /memory limit/i,
    why: ({ config: { memory_limit } }) =>
      `Docker rejected the memory limit${memory_limit === null ? '' : ` of ${formatBytesExact(memory_limit)}`}. Change it in the settings.`,
  },
  {
    when: /mount|bind source path/i,
    why: ({ server }) =>
      `a volume cannot be mounted. Check the volumes in the settings: a host folder on ${server} must exist or be creatable, and a file can only be mounted over a file.`,
  },
]

const quote = (word: string | undefined) => `“${word ?? ''}”`
