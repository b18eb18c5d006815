import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Card } from '../../ui/card.tsx'
import { Time } from '../../ui/time.tsx'
import type { Server } from './queries.ts'
import { SetupProgress } from './setup-progress.tsx'
import { type Setup, isUnderWay, setupQuery } from './setups.ts'

/** The set-up while there is something to see of it: it is under way, it failed, or it ended before one's eyes. */
export function SetupCard({ server }: { server: Server }) {
  const { data: setup } = useQuery(setupQuery(server.id))
  const [seen, setSeen] = useState<string>()
  if (setup && isUnderWay(setup) && seen !== setup.id) setSeen(setup.id)
  const worthIt = setup && (setup.status !== 'completed' || seen === setup.id)
  if (!worthIt || server.status === 'pending') return null
  return (
    <Card title={titleOf(setup)} description={<Begun setup={setup} />}>
      <SetupProgress serverId={server.id} setup={setup} silent={setup.error === server.reason} />
    </Card>
  )
}

export function Begun({ setup: { created_at: at, actor } }: { setup: Setup }) {
  return (
    <>
      Begun <Time at={at} /> by <bdi>{actor.name}</bdi>.
    </>
  )
}

function titleOf({ status }: Setup) {
  if (status === 'completed') return 'The server is set up'
  return status === 'failed' ? 'The set-up failed' : 'Setting up'
}
