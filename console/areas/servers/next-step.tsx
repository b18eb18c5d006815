import { Notice } from '../../ui/notice.tsx'
import { hasFailedCreation } from './creation/creation-steps.ts'
import { type Server, serverKeyQuery, useServer } from './queries.ts'
import { SetUpButton } from './setup/setup-card.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { useConnectServer, useTrustHostKey } from './mutations.ts'
import { HostKeyFacts } from './host-key-facts.tsx'
import { useQuery } from '@tanstack/react-query'
import { serverPath } from '../../paths.ts'
import { ServerBadge } from './server-status.tsx'
import { ServerNotice } from './server-notice.tsx'
import { SetupProgress } from './setup/setup-progress.tsx'
import { setupQuery } from './setup/setups.ts'
import { CodeBlock } from '../../ui/code.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

export function NextStep({ server }: { server: Server }) {
  const { id, name, kind, reason, offered_host_key: offered } = server
  if (hasFailedCreation(server) && offered) return <ConfirmHostKey server={server} offered={offered} />
  if (server.status !== 'pending') return null
  if (kind === 'local')
    return (
      <Notice
        tone="yellow"
        title={`${name} is not set up yet`}
        action={<SetUpButton id={id}>Set up</SetUpButton>}
      >
        {reason}
      </Notice>
    )
  if (offered) return <ConfirmHostKey server={server} offered={offered} />
  return <AuthorizeKey server={server} />
}

interface ConfirmHostKeyProps {
  server: Server
  offered: NonNullable<Server['offered_host_key']>
}

function ConfirmHostKey({ server: { id, name }, offered }: ConfirmHostKeyProps) {
  const trust = useTrustHostKey(id)
  return (
    <Card
      title={`Is this the host key of ${name}?`}
      description="The host key identifies your machine. After you confirm it, no other key is accepted."
      footer={
        <>
          <span aria-live="polite" className={trust.isError ? 'text-red-ink' : undefined}>
            {trust.error?.message ?? 'Setup then installs Docker, Compose, git and the proxy.'}
          </span>
          <Button
            variant="primary"
            pending={trust.isPending && 'Connecting…'}
            onClick={() => trust.mutate(offered.fingerprint)}
          >
            Confirm host key
          </Button>
        </>
      }
    >
      <HostKeyFacts offered={offered} />
    </Card>
  )
}

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

function AuthorizeKey({ server: { id, name, user, reason, host_key: confirmed } }: { server: Server }) {
  const connect = useConnectServer(id)
  return (
    <Card
      title={`Connect ${name}`}
      description="Slipway uses a separate SSH key for every server. The private key never leaves this installation."
      footer={
        <>
          <span aria-live="polite" className={connect.isError || confirmed ? 'text-red-ink' : undefined}>
            {connect.error?.message ?? reason}
          </span>
          <Button
            variant="primary"
            pending={connect.isPending && 'Connecting…'}
            onClick={() => connect.mutate()}
          >
            Connect
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-1.5">
        <p className="text-sm">
          Run this on the server as <span className="font-mono">{user}</span>:
        </p>
        <KeyCommand id={id} />
      </div>
    </Card>
  )
}

export function KeyCommand({ id }: { id: string }) {
  const { data: key, error } = useQuery(serverKeyQuery(id))
  if (error) return <p className="text-sm text-red-ink">{error.message}</p>
  if (!key) return <Skeleton className="h-18 w-full rounded-md!" />
  return <CodeBlock label="Copy the command that adds the key">{key.command}</CodeBlock>
}
