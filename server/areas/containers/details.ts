import type { z } from 'zod'
import type { containerDetails } from '../../../contract/containers.ts'
import type { Container } from './container.ts'
import type { Inspected } from './inspect.ts'
import { portsOf } from './ports.ts'

/** As much as a person reads of what a health check said. */
const HEALTH_OUTPUT = 2_000

type Details = Omit<
  z.input<typeof containerDetails>,
  'application' | 'controllable' | 'enter_refusal' | 'masked'
>

/** The same for whoever may not read the environment: what else may hold a secret is withheld, too. */
export const withoutValues = (details: Details): Details => ({
  ...details,
  command: null,
  entrypoint: null,
  labels: Object.fromEntries(Object.keys(details.labels).map((label) => [label, null])),
  health_output: null,
  // Docker quotes the command that could not be started.
  error: details.error === null ? null : 'Docker could not start it. Members see the reason.',
})

/** All that Docker knows of a container, but for the values of its environment. */
export function detailsOf(inspected: Inspected, container: Container): Details {
  const { State, Config, HostConfig, Mounts, NetworkSettings } = inspected
  return {
    ...container,
    // What does not run has no ports: those are told that it asks for when it starts.
    ports: isUp(container) ? container.ports : portsOf(HostConfig.PortBindings ?? {}),
    command: Config.Cmd ?? [],
    entrypoint: Config.Entrypoint ?? [],
    working_dir: Config.WorkingDir,
    user: Config.User,
    hostname: Config.Hostname,
    environment: environmentOf(inspected).map(({ key }) => key),
    mounts: mountsOf(Mounts ?? []),
    networks: Object.entries(NetworkSettings.Networks ?? {}).map(([name, network]) => ({
      name,
      address: network?.IPAddress || network?.GlobalIPv6Address || null,
    })),
    labels: Config.Labels ?? {},
    restart_policy: restartPolicyOf(HostConfig),
    tty: Config.Tty,
    privileged: HostConfig.Privileged,
    error: State.Error || null,
    oom_killed: State.OOMKilled,
    auto_remove: HostConfig.AutoRemove,
    health_output: State.Health?.Log?.at(-1)?.Output.trim().slice(0, HEALTH_OUTPUT) || null,
  }
}

const isUp = ({ state }: Container) => state === 'running' || state === 'paused'

/** Docker tells them in another order each time. */
const mountsOf = (mounts: NonNullable<Inspected['Mounts']>) =>
  mounts
    .map(({ Type, Name, Source, Destination, RW }) => ({
      type: Type,
      name: Name || null,
      source: Source,
      target: Destination,
      read_only: !RW,
    }))
    .toSorted((a, b) => a.target.localeCompare(b.target))

export const environmentOf = ({ Config }: Inspected) =>
  (Config.Env ?? []).map((line) => {
    const [key = ''] = line.split('=', 1)
    return { key, value: line.slice(key.length + 1) }
  })

/** As the command line takes it: `on-failure:5`. */
function restartPolicyOf({ RestartPolicy }: Inspected['HostConfig']): string {
  const { Name, MaximumRetryCount } = RestartPolicy ?? { Name: '', MaximumRetryCount: 0 }
  return MaximumRetryCount > 0 ? `${Name}:${MaximumRetryCount}` : Name || 'no'
}
