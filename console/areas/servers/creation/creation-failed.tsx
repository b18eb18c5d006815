import { AddressText } from '../../../lib/address-text.tsx'
import { retryCreateServerPath } from '../../../paths.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { useConnectServer, useProvisionServer } from '../mutations.ts'
import { formatMonthlyCost } from '../cloud-status.ts'
import { type Cloud, type CloudServer, isWaitingForConnection } from './creation-steps.ts'
import { DeleteServerButton } from '../delete-server-dialog.tsx'

interface CreationFailedProps {
  server: CloudServer
  manages: boolean
}

export function CreationFailed({ server, manages }: CreationFailedProps) {
  const connect = useConnectServer(server.id)
  const reason = connect.error?.message ?? server.reason ?? ''
  return (
    <Notice
      tone="red"
      title={`${server.name} could not be created`}
      action={manages && <WaysOut server={server} connect={connect} />}
    >
      <AddressText revealable>
        {[reason, costLeft(server.cloud, reason)].filter(Boolean).join(' ')}
      </AddressText>
    </Notice>
  )
}

/** Repeats the cost if the message of a failed connection does not mention it. */
function costLeft(cloud: Cloud, said: string) {
  const cost = formatMonthlyCost(cloud) ?? ''
  if (cloud.id === null || cloud.status === 'deleted' || said.includes(cost)) return undefined
  return `At ${cloud.provider_name} it costs ${cost} while it exists.`
}

interface WaysOutProps {
  server: CloudServer
  connect: ReturnType<typeof useConnectServer>
}

function WaysOut({ server, connect }: WaysOutProps) {
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
