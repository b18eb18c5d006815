import { useMatch } from 'react-router'
import { paths, retryCreateServerPath, serverPath } from '../../paths.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useConnectServer, useProvisionServer, useTrustHostKey } from './mutations.ts'
import { findBlockingDrift, formatMonthlyCost } from './cloud-status.ts'
import {
  type Cloud,
  type CloudServer,
  hasFailedCreation,
  isWaitingForConnection,
} from './creation/creation-steps.ts'
import { DeleteServerButton, DeletingNotice } from './delete-server.tsx'
import type { Server } from './queries.ts'
import { SetUpButton } from './setup/setup-card.tsx'
import { useDialog } from '../../lib/use-dialog.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { HostKeyFacts } from './host-key-facts.tsx'
import { AddressText } from '../../lib/address.tsx'
import { ErrorText } from '../../ui/problem.tsx'

interface ServerNoticeProps {
  server: Server
  manages: boolean
}

export function ServerNotice({ server, manages }: ServerNoticeProps) {
  const { id, name, status, reason } = server
  const overview = useMatch(`${paths.servers}/:id`) !== null
  if (status === 'deleting') return <DeletingNotice server={server} manages={manages} />
  if (status === 'unreachable' && server.offered_host_key)
    return <ChangedHostKey server={server} manages={manages} />
  // The notice about the cloud provider already explains why the server is unreachable.
  if (status === 'unreachable' && findBlockingDrift(server) !== undefined) return null
  if (status === 'unreachable') return <Unreachable server={server} manages={manages} />
  if (hasFailedCreation(server)) return <CreationFailed server={server} manages={manages} />
  if (status === 'failed')
    return (
      <Notice
        tone="red"
        title={`Setup of ${name} failed`}
        action={manages && <SetUpButton id={id}>Set up again</SetUpButton>}
      >
        {reason}
      </Notice>
    )
  if (status === 'ready' && reason !== null)
    return (
      <Notice
        tone="yellow"
        title={`${name} needs attention`}
        action={manages && <SetUpButton id={id}>Set up again</SetUpButton>}
      >
        {reason}
      </Notice>
    )
  if (status === 'provisioning' && !overview)
    return (
      <Notice
        tone="yellow"
        title={`${name} is being created`}
        action={<ButtonLink to={serverPath(id)}>View progress</ButtonLink>}
      >
        {reason ?? 'Available after setup.'}
      </Notice>
    )
  // The overview page shows the remaining steps, so no notice needs to lead there.
  if (status === 'pending' && !(overview && manages))
    return (
      <Notice
        tone="yellow"
        title={`${name} is not connected yet`}
        action={manages && <ButtonLink to={serverPath(id)}>Continue</ButtonLink>}
      >
        {reason}
      </Notice>
    )
  return null
}

function Unreachable({ server: { id, name, reason }, manages }: ServerNoticeProps) {
  const connect = useConnectServer(id)
  return (
    <Notice
      tone="red"
      title={`${name} is unreachable`}
      action={
        manages && (
          <Button pending={connect.isPending && 'Connecting…'} onClick={() => connect.mutate()}>
            Retry now
          </Button>
        )
      }
    >
      {connect.error?.message ?? reason} Slipway keeps retrying.
    </Notice>
  )
}

const dialogName = 'accept-key'

function ChangedHostKey({ server, manages }: { server: Server; manages: boolean }) {
  const { dialog, open, close } = useDialog()
  const trust = useTrustHostKey(server.id, close)
  const { name, reason, host_key: confirmed, offered_host_key: offered } = server
  if (!offered) return null
  return (
    <>
      <Notice
        tone="red"
        title={`The host key of ${name} changed`}
        action={manages && <Button onClick={() => open(dialogName)}>Review host key</Button>}
      >
        {reason}
      </Notice>
      <ConfirmDialog
        wide
        open={manages && dialog === dialogName}
        onOpenChange={close}
        title={`Accept the new host key of ${name}?`}
        action="Accept new key"
        pending={trust.isPending && 'Connecting…'}
        onConfirm={() => trust.mutate(offered.fingerprint)}
      >
        <div className="flex flex-col gap-4">
          <p>
            Reinstalling a server changes its host key. If nobody reinstalled {name}, another machine may be
            intercepting the connection and could receive commands and secrets. Accept the key only if the
            server prints the same fingerprint.
          </p>
          <HostKeyFacts offered={offered} confirmed={confirmed} />
          {trust.error && <ErrorText error={trust.error} />}
        </div>
      </ConfirmDialog>
    </>
  )
}

function CreationFailed({ server, manages }: { server: CloudServer; manages: boolean }) {
  const connect = useConnectServer(server.id)
  const reason = connect.error?.message ?? server.reason ?? ''
  return (
    <Notice
      tone="red"
      title={`Could not create ${server.name}`}
      action={manages && <WaysOut server={server} connect={connect} />}
    >
      <AddressText revealable>
        {[reason, costLeft(server.cloud, reason)].filter(Boolean).join(' ')}
      </AddressText>
    </Notice>
  )
}

/** Returns the cost of the server, unless the message of the failure already mentions it. */
function costLeft(cloud: Cloud, text: string) {
  const cost = formatMonthlyCost(cloud) ?? ''
  if (cloud.id === null || cloud.status === 'deleted' || text.includes(cost)) return undefined
  return `The server costs ${cost} until it is deleted at ${cloud.provider_name}.`
}

function WaysOut({ server, connect }: { server: CloudServer; connect: ReturnType<typeof useConnectServer> }) {
  const { id, address, cloud } = server
  const provision = useProvisionServer(id)
  return (
    <>
      <Button
        pending={provision.isPending && 'Starting…'}
        aria-disabled={connect.isPending}
        onClick={() => provision.mutate({})}
      >
        Try again
      </Button>
      {cloud.id === null && <ButtonLink to={retryCreateServerPath(id)}>Change configuration</ButtonLink>}
      {isWaitingForConnection(server) && address !== null && (
        <Button pending={connect.isPending && 'Connecting…'} onClick={() => connect.mutate()}>
          Connect over SSH
        </Button>
      )}
      <DeleteServerButton>Delete</DeleteServerButton>
    </>
  )
}
