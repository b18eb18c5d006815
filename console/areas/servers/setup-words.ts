import type { Setup } from './setups.ts'

type Step = NonNullable<Setup['step']>

/** In the order in which they are done. */
const steps: Record<Step, string> = {
  connect: 'Connect',
  check: 'Check the machine',
  docker: 'Docker',
  compose: 'Compose',
  git: 'git',
  proxy: 'Proxy',
  verify: 'Verify',
}

export type StepState = 'done' | 'warned' | 'now' | 'failed' | 'waiting'

const stateWords: Record<StepState, string> = {
  done: 'done',
  warned: 'with a warning',
  now: 'under way',
  failed: 'failed',
  waiting: 'to come',
}

export const stateWord = (state: StepState) => stateWords[state]

/** Every step with how it stands: those before the one it is at are done. */
export function stepsOf({ status, step, warnings }: Pick<Setup, 'status' | 'step' | 'warnings'>) {
  const names = Object.keys(steps)
  const at = step === null ? -1 : names.indexOf(step)
  return Object.entries(steps).map(([name, label], index) => ({ name, label, state: stateOf(name, index) }))

  function stateOf(name: string, index: number): StepState {
    if (status === 'completed' || index < at)
      return warnings.some((warning) => warning.step === name) ? 'warned' : 'done'
    if (index > at) return 'waiting'
    return status === 'failed' ? 'failed' : 'now'
  }
}
