import type { ReactNode } from 'react'
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
import { SetupChanges } from '../../lib/setup-changes.tsx'
import { CodeBlock } from '../../ui/code.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ErrorText } from '../../ui/problem.tsx'
import { AddressText } from '../../lib/address.tsx'

export function NextStep({ server }: { server: Server }) {
  const { host_key: confirmed, last_seen_at: seenAt, offered_host_key: offered } = server
  if (hasFailedCreation(server) && offered) return <ConfirmHostKey server={server} offered={offered} />
  if (server.status !== 'pending') return null
  if (offered) return <ConfirmHostKey server={server} offered={offered} />
  // The server is connected, but nobody has agreed to its setup yet.
  if (confirmed !== null && seenAt !== null) return <StartSetup server={server} />
  return <AuthorizeKey server={server} />
}

function StartSetup({ server: { id, name } }: { server: Server }) {
  return (
    <Card
      title={`Set up ${name}`}
      description="The server is connected. Slipway added its SSH key and changed nothing else."
      footer={
        <>
          Takes about a minute.
          <SetUpButton id={id} variant="primary">
            Set up
          </SetUpButton>
        </>
      }
    >
      <SetupChanges serverId={id} />
    </Card>
  )
}

interface ConfirmHostKeyProps {
  server: Server
  offered: NonNullable<Server['offered_host_key']>
}

function ConfirmHostKey({ server: { id, name }, offered }: ConfirmHostKeyProps) {
  const trust = useTrustHostKey(id)
  return (
    <Card
      title={`Confirm the host key of ${name}`}
      description="The host key identifies the server. After you confirm it, Slipway accepts no other key."
      footer={
        <>
          <span aria-live="polite" className={trust.error ? 'text-red-ink' : undefined}>
            <AddressText>
              {trust.error?.message ?? 'Compare it with the fingerprint that the server prints.'}
            </AddressText>
          </span>
          <Button
            variant="primary"
            pending={trust.isPending && 'Connecting…'}
            onClick={() => trust.mutate(offered.fingerprint)}
          >
            Confirm and set up
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <HostKeyFacts offered={offered} />
        <SetupChanges serverId={id} />
      </div>
    </Card>
  )
}

interface NewServerStatusProps {
  id: string
  /** The link is shown even during the setup, because a deployment waits for the setup to finish. */
  deployLink: ReactNode
}

export function NewServerStatus({ id, deployLink }: NewServerStatusProps) {
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
          <div className="flex flex-wrap justify-end gap-2">
            <ButtonLink to={serverPath(id)}>Open {name}</ButtonLink>
            {status === 'failed' && setup?.status === 'failed' && (
              <SetUpButton id={id} variant="primary">
                Retry
              </SetUpButton>
            )}
            {(status === 'ready' || status === 'setting_up') && deployLink}
          </div>
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
      description="Slipway uses a separate SSH key for each server. The private key never leaves this instance."
      footer={
        <>
          <span aria-live="polite" className={connect.error || confirmed ? 'text-red-ink' : undefined}>
            <AddressText>{connect.error?.message ?? reason ?? ''}</AddressText>
          </span>
          <Button
            variant="primary"
            pending={connect.isPending && 'Connecting…'}
            onClick={() => connect.mutate()}
          >
            {confirmed === null ? 'Connect' : 'Connect and set up'}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-1.5">
        <p className="text-sm">
          Run this command on the server as <span className="font-mono">{user}</span>:
        </p>
        <KeyCommand id={id} />
        {confirmed !== null && <SetupChanges serverId={id} />}
      </div>
    </Card>
  )
}

export function KeyCommand({ id }: { id: string }) {
  const { data: key, error } = useQuery(serverKeyQuery(id))
  if (!key) return error ? <ErrorText error={error} /> : <Skeleton className="h-18 w-full rounded-md!" />
  return <CodeBlock label="Copy the command that adds the key">{key.command}</CodeBlock>
}
