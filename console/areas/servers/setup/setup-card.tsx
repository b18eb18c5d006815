import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Card } from '../../../ui/card.tsx'
import { Time } from '../../../ui/time.tsx'
import { creationSteps, isCloudServer, isNewlyCreated } from '../creation/creation-steps.ts'
import type { Server } from '../queries.ts'
import { SetUpButton } from './set-up-button.tsx'
import { SetupProgress } from './setup-progress.tsx'
import { SetupWarnings } from './setup-warnings.tsx'
import { type Setup, isSetupInProgress, setupQuery } from './setups.ts'

/** Shows a setup that is running, failed or just finished; afterwards only its warnings. */
export function SetupCard({ server, manages }: { server: Server; manages: boolean }) {
  const { data: setup } = useQuery(setupQuery(server.id))
  const [seen, setSeen] = useState<string>()
  if (setup && isSetupInProgress(setup) && seen !== setup.id) setSeen(setup.id)
  // Keeps the creation steps visible, so that the layout does not jump.
  const [first, setFirst] = useState<string>()
  if (setup && isNewlyCreated(server) && first !== setup.id) setFirst(setup.id)
  if (!setup || server.status === 'pending' || server.status === 'deleting') return null
  if (setup.status === 'completed' && seen !== setup.id)
    return (
      <SetupWarnings
        setup={setup}
        action={manages && <SetUpButton id={server.id}>Set up again</SetUpButton>}
      />
    )
  return (
    <Card title={titleOf(setup)} description={<SetupStarted setup={setup} />}>
      <SetupProgress
        serverId={server.id}
        setup={setup}
        before={isCloudServer(server) && first === setup.id ? creationSteps(server) : []}
        silent={setup.error === server.reason}
      />
    </Card>
  )
}

export function SetupStarted({ setup: { created_at: at, actor } }: { setup: Setup }) {
  return (
    <>
      Started <Time at={at} /> by <bdi>{actor.name}</bdi>.
    </>
  )
}

function titleOf({ status }: Setup) {
  if (status === 'completed') return 'Setup completed'
  return status === 'failed' ? 'Setup failed' : 'Setting up'
}
