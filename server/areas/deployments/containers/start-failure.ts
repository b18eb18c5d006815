import { formatBytesExact } from '../../../../contract/shared/bytes.ts'
import type { ReleaseConfig } from '../../../tables.ts'

interface FailedContainer {
  container: string
  server: string
  config: Pick<ReleaseConfig, 'command' | 'cpu_limit' | 'memory_limit'>
}

export function startFailureMessage(message: string, failed: FailedContainer): string {
  const reason = reasons.find(({ when }) => when.test(message))?.why(failed, message)
  return `Container ${failed.container} could not be started${reason ? `: ${reason}` : '.'}`
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
      `a volume cannot be mounted. Check the volumes in the settings: a host folder on ${server} must exist, or Docker must be able to create it, and a file can only be mounted over a file.`,
  },
]

const quote = (word: string | undefined) => `“${word ?? ''}”`
