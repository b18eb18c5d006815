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

export type StepState = 'done' | 'now' | 'failed' | 'waiting'

const stateWords: Record<StepState, string> = {
  done: 'done',
  now: 'under way',
  failed: 'failed',
  waiting: 'to come',
}

export const stateWord = (state: StepState) => stateWords[state]

/** Every step with how it stands: those before the one it is at are done. */
export function stepsOf({ status, step }: Pick<Setup, 'status' | 'step'>) {
  const names = Object.keys(steps)
  const at = step === null ? -1 : names.indexOf(step)
  return Object.entries(steps).map(([name, label], index) => ({ name, label, state: stateOf(index) }))

  function stateOf(index: number): StepState {
    if (status === 'completed' || index < at) return 'done'
    if (index > at) return 'waiting'
    return status === 'failed' ? 'failed' : 'now'
  }
}
