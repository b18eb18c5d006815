import type { Setup } from './setups.ts'

const steps: Record<NonNullable<Setup['step']>, string> = {
  connect: 'Connect',
  check: 'Check server',
  docker: 'Docker',
  compose: 'Compose',
  git: 'Git',
  proxy: 'Proxy',
  verify: 'Verify',
}

export const queuedSetup = { status: 'queued', step: null, warnings: [] } as const

type Progress = Pick<Setup, 'status' | 'step'> & { warnings: readonly Setup['warnings'][number][] }

export function listSetupSteps({ status, step, warnings }: Progress): Step[] {
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

export type StepState = 'done' | 'warned' | 'now' | 'failed' | 'waiting'

export interface Step {
  name: string
  label: string
  state: StepState
}

const stepStateLabels: Record<StepState, string> = {
  done: 'done',
  warned: 'with a warning',
  now: 'in progress',
  failed: 'failed',
  waiting: 'pending',
}

export const stepStateLabel = (state: StepState) => stepStateLabels[state]
