import { SetupLog } from './setup-log.tsx'
import { SetupWarnings } from './setup-warnings.tsx'
import { stepsOf } from './setup-words.ts'
import { type Setup, isUnderWay } from './setups.ts'
import type { Step } from './step-words.ts'
import { Steps } from './steps.tsx'

interface SetupProgressProps {
  serverId: string
  setup: Setup
  /** What was done before it began. */
  before?: readonly Step[]
  /** Why it failed stands elsewhere on the page. */
  silent?: boolean
}

/** How far a set-up is, what it says, what is lacking, and why it failed if it did. */
export function SetupProgress({ serverId, setup, before = [], silent }: SetupProgressProps) {
  return (
    <div className="flex flex-col gap-4">
      <Steps steps={[...before, ...stepsOf(setup)]} />
      {setup.error !== null && !silent && <p className="wrap-anywhere text-red-ink">{setup.error}</p>}
      <SetupWarnings setup={setup} />
      <SetupLog key={setup.id} serverId={serverId} running={isUnderWay(setup)} />
    </div>
  )
}
