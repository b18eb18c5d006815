import { inBytes } from '../../../platform/text/bytes.ts'
import type { ReleaseConfig } from '../../../tables.ts'

interface Of {
  container: string
  server: string
  config: Pick<ReleaseConfig, 'command' | 'cpu_limit' | 'memory_limit'>
}

/** Why Docker did not start a container, in our words; its own stand behind them. */
export function whyNotStarted(said: string, of: Of): string {
  const why = reasons.find(({ when }) => when.test(said))?.why(of, said)
  return `The container ${of.container} could not be started${why ? `: ${why}` : ' by Docker.'}`
}

const reasons: { when: RegExp; why: (of: Of, said: string) => string }[] = [
  // Whoever gives up says what that means.
  { when: /no space left on device/i, why: () => 'no space left on device.' },
  {
    when: /executable file not found|exec: .*no such file or directory/i,
    why: ({ config: { command } }) =>
      command
        ? `the image has no program ${quote(command[0])}. Look at the command in the settings: each argument stands by itself, and no shell reads it.`
        : 'the image has no such program as the one that it is to run. Give a command in the settings, or choose another image.',
  },
  {
    when: /exec: .*permission denied/i,
    why: ({ config: { command } }) =>
      `${command ? quote(command[0]) : 'what the image is to run'} is no program that may be run there. Look at the command in the settings.`,
  },
  {
    when: /exec format error/i,
    why: () => 'what it is to run is built for another processor, or is no program.',
  },
  {
    when: /no command specified/i,
    why: () => 'the image does not say what to run. Give a command in the settings.',
  },
  {
    when: /range of CPUs is from/i,
    why: ({ config: { cpu_limit }, server }, said) =>
      `its CPU limit is ${cpu_limit}, and ${server} has ${/only ([\d.]+) CPUs/.exec(said)?.[1] ?? 'fewer'} cores. Lower the limit in the settings.`,
  },
  {
    when: /memory limit/i,
    why: ({ config: { memory_limit } }) =>
      `Docker does not take its memory limit${memory_limit === null ? '' : ` of ${inBytes(memory_limit)}`}. Change it in the settings.`,
  },
  {
    when: /mount|bind source path/i,
    why: ({ server }) =>
      `one of its volumes cannot be mounted. Look at the volumes in the settings: a folder on ${server} has to be there or to be makeable, and a file goes only where a file is.`,
  },
]

const quote = (word: string | undefined) => `“${word ?? ''}”`
