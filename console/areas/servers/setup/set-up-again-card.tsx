import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Time } from '../../../ui/time.tsx'
import type { Server } from '../queries.ts'
import { SetupStarted } from './setup-card.tsx'
import { SetupProgress } from './setup-progress.tsx'
import { type Setup, isSetupInProgress, setupQuery, useStartSetup } from './setups.ts'

export function SetUpAgainCard({ server }: { server: Server }) {
  const { data: setup } = useQuery(setupQuery(server.id))
  const start = useStartSetup(server.id)
  const [opened, setOpened] = useState(false)
  const underWay = isSetupInProgress(setup)
  const reachable = server.kind === 'local' || server.host_key !== null
  return (
    <Card
      title="Setup"
      footer={
        <>
          {setup ? <Latest setup={setup} /> : 'Not set up yet.'}
          {reachable ? (
            <Button
              pending={(start.isPending || underWay) && 'Setting up…'}
              onClick={() => start.mutate(undefined, { onSuccess: () => setOpened(true) })}
            >
              {setup ? 'Set up again' : 'Set up'}
            </Button>
          ) : (
            <span>Confirm the host key first.</span>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <p className="text-muted">
          Installs Docker, Compose, git and the proxy where they are missing. Safe to run again.
        </p>
        {setup && (
          <Log setup={setup} serverId={server.id} open={opened || underWay} onOpen={() => setOpened(true)} />
        )}
      </div>
    </Card>
  )
}

interface LogProps {
  setup: Setup
  serverId: string
  open: boolean
  onOpen: () => void
}

function Log({ setup, serverId, open, onOpen }: LogProps) {
  if (open) return <SetupProgress serverId={serverId} setup={setup} />
  return (
    <Button variant="ghost" size="small" className="-ml-2 self-start" onClick={onOpen}>
      View the latest setup log
    </Button>
  )
}

function Latest({ setup }: { setup: Setup }) {
  if (setup.finished_at === null) return <SetupStarted setup={setup} />
  return (
    <span>
      {setup.status === 'failed' ? 'Failed' : 'Completed'} <Time at={setup.finished_at} />.
    </span>
  )
}
