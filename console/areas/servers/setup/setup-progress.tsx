import { SetupWarnings } from './setup-warnings.tsx'
import { listSetupSteps } from './setup-steps.ts'
import { type Setup, isSetupInProgress, setupQuery } from './setups.ts'
import type { Step } from './step-state.ts'
import { Steps } from './steps.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useOutput } from '../../../lib/use-output.ts'
import { OutputLog } from '../../../ui/output-log.tsx'

interface SetupProgressProps {
  serverId: string
  setup: Setup
  before?: readonly Step[]
  silent?: boolean
}

export function SetupProgress({ serverId, setup, before = [], silent }: SetupProgressProps) {
  return (
    <div className="flex flex-col gap-4">
      <Steps steps={[...before, ...listSetupSteps(setup)]} />
      {setup.error !== null && !silent && <p className="wrap-anywhere text-red-ink">{setup.error}</p>}
      <SetupWarnings setup={setup} />
      <SetupLog key={setup.id} serverId={serverId} running={isSetupInProgress(setup)} />
    </div>
  )
}

/** Streams the setup log. Use the setup ID as React key. */
function SetupLog({ serverId, running }: { serverId: string; running: boolean }) {
  const { lines, over, lost } = useOutput('GET /v1/servers/{id}/setup/log', { id: serverId })
  const client = useQueryClient()
  useEffect(() => {
    // The setup has its final status when the log ends.
    if (over) void client.invalidateQueries({ queryKey: setupQuery(serverId).queryKey })
  }, [over, client, serverId])
  return (
    <div className="flex flex-col gap-2">
      <OutputLog
        label="Setup log"
        lines={lines}
        empty={running || !over ? 'Waiting for output…' : 'No output'}
      />
      {lost && !over && <p className="text-sm text-muted">Reconnecting…</p>}
    </div>
  )
}
