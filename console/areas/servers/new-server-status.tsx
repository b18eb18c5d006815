import { useQuery } from '@tanstack/react-query'
import { serverPath } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { NextStep } from './next-step.tsx'
import { ServerBadge } from './server-badge.tsx'
import { ServerNotice } from './server-notice.tsx'
import { SetupProgress } from './setup/setup-progress.tsx'
import { setupQuery } from './setup/setups.ts'
import { useServer } from './use-server.ts'

export function NewServerStatus({ id }: { id: string }) {
  const { data: server } = useServer(id)
  const { data: setup } = useQuery(setupQuery(id))
  if (!server) return null
  const { name, status } = server
  if (status === 'pending') return <NextStep server={server} />
  return (
    <>
      {status === 'unreachable' && <ServerNotice server={server} manages />}
      <Card
        title={
          <span className="flex flex-wrap items-center gap-2">
            <bdi>{name}</bdi>
            <ServerBadge status={status} />
          </span>
        }
        action={
          <ButtonLink variant={status === 'ready' ? 'primary' : 'secondary'} to={serverPath(id)}>
            Open {name}
          </ButtonLink>
        }
      >
        {setup && <SetupProgress serverId={id} setup={setup} />}
      </Card>
    </>
  )
}
