import { SetupLog } from './setup-log.tsx'
import { SetupSteps } from './setup-steps.tsx'
import { SetupWarnings } from './setup-warnings.tsx'
import { type Setup, isUnderWay } from './setups.ts'

interface SetupProgressProps {
  serverId: string
  setup: Setup
  /** Why it failed stands elsewhere on the page. */
  silent?: boolean
}

/** How far a set-up is, what it says, what is lacking, and why it failed if it did. */
export function SetupProgress({ serverId, setup, silent }: SetupProgressProps) {
  return (
    <div className="flex flex-col gap-4">
      <SetupSteps setup={setup} />
      {setup.error !== null && !silent && <p className="wrap-anywhere text-red-ink">{setup.error}</p>}
      <SetupWarnings setup={setup} />
      <SetupLog key={setup.id} serverId={serverId} running={isUnderWay(setup)} />
    </div>
  )
}
