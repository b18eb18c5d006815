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
