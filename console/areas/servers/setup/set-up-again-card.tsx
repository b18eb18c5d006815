import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Time } from '../../../ui/time.tsx'
import type { Server } from '../queries.ts'
import { Begun } from './setup-card.tsx'
import { SetupProgress } from './setup-progress.tsx'
import { type Setup, isUnderWay, setupQuery, useStartSetup } from './setups.ts'

export function SetUpAgainCard({ server }: { server: Server }) {
  const { data: setup } = useQuery(setupQuery(server.id))
  const start = useStartSetup(server.id)
  const [opened, setOpened] = useState(false)
  const underWay = isUnderWay(setup)
  const reachable = server.kind === 'local' || server.host_key !== null
  return (
    <Card
      title="Set-up"
      footer={
        <>
          {setup ? <Latest setup={setup} /> : 'It was not set up yet.'}
          {reachable ? (
            <Button
              pending={(start.isPending || underWay) && 'Setting up…'}
              onClick={() => start.mutate(undefined, { onSuccess: () => setOpened(true) })}
            >
              {setup ? 'Set up again' : 'Set up'}
            </Button>
          ) : (
            <span>Confirm its host key first.</span>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <p className="text-muted">
          Installs what is missing of Docker, compose, git and the proxy. Safe to do again: what is there and
          works is left as it is.
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
      Show the log of the latest set-up
    </Button>
  )
}

function Latest({ setup }: { setup: Setup }) {
  if (setup.finished_at === null) return <Begun setup={setup} />
  return (
    <span>
      {setup.status === 'failed' ? 'Failed' : 'Completed'} <Time at={setup.finished_at} />.
    </span>
  )
}
