import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { Card } from '../../../ui/card.tsx'
import { Pending } from '../../../ui/skeleton.tsx'
import { Time } from '../../../ui/time.tsx'
import { creationSteps, isCloudServer, isNewlyCreated } from '../creation/creation-steps.ts'
import type { Server } from '../queries.ts'
import { SetupProgress, SetupWarnings } from './setup-progress.tsx'
import { isSetupInProgress, type Setup, setupQuery, useStartSetup } from './setups.ts'
import { Button } from '../../../ui/button.tsx'

interface SetupCardProps {
  server: Server
  manages: boolean
  /** The link is shown even during the setup, because a deployment waits for the setup to finish. */
  deployLink: ReactNode
}

/** Shows a setup that is running, failed or just finished; afterwards only its warnings. */
export function SetupCard({ server, manages, deployLink }: SetupCardProps) {
  const { data: setup, isPending } = useQuery(setupQuery(server.id))
  const [seen, setSeen] = useState<string>()
  if (setup && isSetupInProgress(setup) && seen !== setup.id) setSeen(setup.id)
  // The creation steps stay visible during the first setup, so that the layout does not jump.
  const [first, setFirst] = useState<string>()
  if (setup && isNewlyCreated(server) && first !== setup.id) setFirst(setup.id)
  if (isPending) return <Pending />
  if (!setup || server.status === 'pending' || server.status === 'deleting') return null
  if (setup.status === 'completed' && seen !== setup.id)
    return (
      <SetupWarnings
        setup={setup}
        action={manages && <SetUpButton id={server.id}>Set up again</SetUpButton>}
      />
    )
  return (
    <Card
      title={titleOf(setup)}
      description={<SetupStarted setup={setup} />}
      action={manages && setup.status !== 'failed' && deployLink}
    >
      <SetupProgress
        serverId={server.id}
        setup={setup}
        before={isCloudServer(server) && first === setup.id ? creationSteps(server) : []}
        silent={setup.error === server.reason}
      />
    </Card>
  )
}

export const SetupStarted = ({ setup: { created_at: at, actor } }: { setup: Setup }) => (
  <>
    Started <Time at={at} /> by <bdi>{actor.name}</bdi>.
  </>
)

function titleOf({ status }: Setup) {
  if (status === 'completed') return 'Setup completed'
  return status === 'failed' ? 'Setup failed' : 'Setting up'
}

interface SetUpButtonProps extends Pick<ComponentProps<typeof Button>, 'variant'> {
  id: string
  children: ReactNode
}

export function SetUpButton({ id, variant = 'secondary', children }: SetUpButtonProps) {
  const start = useStartSetup(id)
  return (
    <Button variant={variant} pending={start.isPending && 'Starting…'} onClick={() => start.mutate()}>
      {children}
    </Button>
  )
}

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
          {setup ? <Latest setup={setup} /> : 'Not set up'}
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
          Installs Docker, Compose, Git and the proxy if missing. Safe to run again.
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
      View setup log
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
