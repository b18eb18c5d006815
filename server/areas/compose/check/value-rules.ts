import type { ComposeFile } from '../read/compose-file.ts'
import { parseDuration } from '../read/read-service.ts'
import { isMap, toList, toMap, toText } from '../read/untyped.ts'
import { errorAt, type Finding, type Path } from './finding.ts'

interface Kind {
  fits: (text: string) => boolean
  what: string
  /** Paths in a service that hold values of this kind. `*` stands for any key or entry. */
  paths: readonly Path[]
}

const at = (paths: string): Path[] => paths.split(' ').map((path) => path.split('.'))

/** The schema allows text for all kinds, which Docker Compose then converts. A variable without a value is empty text. */
const flag: Kind = {
  fits: (text) => /^(?:true|false|yes|no|on|off|y|n)$/i.test(text),
  what: 'true or false',
  paths: at(
    'attach build.no_cache build.privileged build.pull depends_on.*.required depends_on.*.restart develop.watch.*.exec.privileged env_file.*.required healthcheck.disable init oom_kill_disable privileged ' +
      'read_only stdin_open tty volumes.*.read_only volumes.*.volume.nocopy volumes.*.bind.create_host_path',
  ),
}

const kinds: Kind[] = [
  flag,
  {
    fits: (text) => /^[-+]?\d+$/.test(text),
    what: 'a whole number',
    paths: at(
      'cpu_count cpu_period cpu_quota cpu_rt_period cpu_rt_runtime cpu_shares deploy.placement.max_replicas_per_node ' +
        'deploy.replicas deploy.resources.limits.pids deploy.restart_policy.max_attempts ' +
        'deploy.rollback_config.parallelism deploy.update_config.parallelism healthcheck.retries oom_score_adj ' +
        'pids_limit ports.*.target scale ulimits.* ulimits.*.hard ulimits.*.soft',
    ),
  },
  {
    fits: (text) => /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i.test(text),
    what: 'a number',
    paths: at(
      'cpu_percent cpus deploy.resources.limits.cpus deploy.resources.reservations.cpus ' +
        'deploy.rollback_config.max_failure_ratio deploy.update_config.max_failure_ratio',
    ),
  },
  {
    fits: (text) => /^(?:\d+(?:\.\d*)?|\.\d+)(?:e\d+)? ?(?:[kmgtp](?:i?b)?|b)?$/i.test(text),
    what: 'a size, such as 512m or 1g',
    paths: at(
      'blkio_config.device_read_bps.*.rate blkio_config.device_read_iops.*.rate blkio_config.device_write_bps.*.rate ' +
        'blkio_config.device_write_iops.*.rate build.shm_size deploy.resources.limits.memory deploy.resources.reservations.memory mem_limit mem_reservation ' +
        'mem_swappiness memswap_limit shm_size volumes.*.tmpfs.size',
    ),
  },
  {
    fits: (text) => text.length < 50 && parseDuration(text) !== undefined,
    what: 'a duration, such as 30s or 1m30s',
    paths: at(
      'deploy.restart_policy.delay deploy.restart_policy.window deploy.rollback_config.delay ' +
        'deploy.rollback_config.monitor deploy.update_config.delay deploy.update_config.monitor ' +
        'healthcheck.interval healthcheck.start_interval healthcheck.start_period healthcheck.timeout stop_grace_period',
    ),
  },
  {
    fits: (text) => text === 'all' || /^[-+]?\d+$/.test(text),
    what: 'all or a whole number',
    paths: at('deploy.resources.reservations.devices.*.count gpus.*.count'),
  },
  {
    // Docker Compose does not convert text to a number for these keys.
    fits: () => false,
    what: 'a number without quotes or variables',
    paths: at('blkio_config.weight blkio_config.weight_device.*.weight build.ulimits.* volumes.*.tmpfs.mode'),
  },
  { fits: (text) => text !== '', what: 'a path', paths: at('develop.watch.*.path') },
  {
    fits: isCommandLine,
    what: 'a command as in a shell, with quotes and parentheses in pairs. Use a list for other text',
    paths: at('command entrypoint'),
  },
]

const isSpacedName = (entry: unknown) => /^[^=]*\s=/.test(toText(entry) ?? '')

const nameRules = (list: unknown, path: Path): Finding[] =>
  toList(list).flatMap((entry, step) =>
    isSpacedName(entry)
      ? [errorAt([...path, step], 'The name of a variable cannot end with a space. Write NAME=value.')]
      : [],
  )

const resourceFlags = at('*.attachable *.enable_ipv4 *.enable_ipv6 *.external *.internal')

export const valueRules = ({ top, services }: ComposeFile): Finding[] => [
  ...Object.entries(services).flatMap(([name, service]) => [
    ...kinds.flatMap((kind) =>
      kind.paths.flatMap((path) => wrongTexts(service, path, kind, ['services', name])),
    ),
    ...nameRules(service['environment'], ['services', name, 'environment']),
    ...nameRules(toMap(service['build'])['args'], ['services', name, 'build', 'args']),
  ]),
  ...['networks', 'volumes', 'secrets', 'configs'].flatMap((section) =>
    resourceFlags.flatMap((path) => wrongTexts(toMap(top[section]), path, flag, [section])),
  ),
]

function wrongTexts(value: unknown, [step, ...rest]: Path, kind: Kind, path: Path): Finding[] {
  if (step === undefined) {
    if (typeof value !== 'string' || kind.fits(value)) return []
    const key = path.findLast((part) => typeof part === 'string') ?? ''
    const empty = value === '' ? ' The value is empty: set the variable, or give it a default.' : ''
    return [errorAt(path, `${key} must be ${kind.what}.${empty}`)]
  }
  if (step !== '*') {
    const inside = isMap(value) && Object.hasOwn(value, step) ? value[step] : undefined
    return inside === undefined ? [] : wrongTexts(inside, rest, kind, [...path, step])
  }
  if (Array.isArray(value)) return value.flatMap((item, at) => wrongTexts(item, rest, kind, [...path, at]))
  return Object.entries(toMap(value)).flatMap(([key, item]) => wrongTexts(item, rest, kind, [...path, key]))
}

/**
 * Whether Docker Compose can split a command into words: quotes, backticks and parentheses come in pairs. It reads only up
 * to the first sign of a shell, such as ; or |.
 */
export function isCommandLine(text: string): boolean {
  let open = ''
  let before = ''
  for (let index = 0; index < text.length; index++) {
    const sign = text.charAt(index)
    if (sign === '\\' && open !== "'") {
      if (++index === text.length) return false
    } else if (open === '') {
      if (/[;&|<>]/.test(sign)) return true
      if (/['"`]/.test(sign)) open = sign
      else if (sign === '(' && before !== '$') return false
      else if (/[()]/.test(sign)) open = '('
    } else if (sign === (open === '(' ? ')' : open)) open = ''
    before = sign
  }
  return open === ''
}
